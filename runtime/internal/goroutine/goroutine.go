// Package goroutine tells goroutines apart. A Driver needs it: a call that would wait for
// the goroutine that makes it is recognised, and does not wait.
//
// [ID] parses the head of a stack trace, which is the only place where Go shows the
// number. It takes some microseconds. Nothing else should depend on it.
package goroutine

import "runtime"

// ID returns the number of the calling goroutine. No two goroutines of a process have the
// same, not even one after the other. It is never 0.
func ID() uint64 {
	var b [40]byte
	return parse(b[:runtime.Stack(b[:], false)])
}

// parse reads the number in "goroutine 18 [running]: ...".
func parse(trace []byte) (id uint64) {
	const head = len("goroutine ")
	for i := head; i < len(trace) && trace[i] >= '0' && trace[i] <= '9'; i++ {
		id = 10*id + uint64(trace[i]-'0')
	}
	if id == 0 {
		panic("goroutine: no number in " + string(trace))
	}
	return id
}
