package linktest

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// sideBySide is how many parallel tests in real time run at the same time.
const sideBySide = 24

// SideBySide makes at least 24 parallel tests run at the same time, even on a machine
// with fewer CPUs: tests in real time mostly wait. Call it in TestMain before the tests
// run. The flag -parallel overrides it. SideBySide panics if it is called before the
// testing package has defined its flags.
func SideBySide() {
	if err := flag.Set("test.parallel", strconv.Itoa(max(sideBySide, runtime.GOMAXPROCS(0)))); err != nil {
		panic(fmt.Sprintf("linktest: SideBySide outside TestMain: %v", err))
	}
}

// RealTime returns a function for Network.Step on real sockets: it sleeps for 2 ms. The
// time that it returns is the real one, but a pause of the process counts as 10 ms, so
// that no link takes a busy machine for a peer that is silent. It is safe for concurrent
// use.
func RealTime() (step func() time.Duration) {
	const sleep, most = 2 * time.Millisecond, 10 * time.Millisecond
	var mu sync.Mutex
	last, now := time.Now(), time.Duration(0)
	return func() time.Duration {
		time.Sleep(sleep)
		mu.Lock()
		defer mu.Unlock()
		t := time.Now()
		now += min(t.Sub(last), most)
		last = t
		return now
	}
}
