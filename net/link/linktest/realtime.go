package linktest

import (
	"sync"
	"time"
)

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
