package linktest

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// watch records what is wrong in one case, and which calls of links are in progress. It
// is used by the goroutines of the case and by the one that waits for them.
type watch struct {
	now      func() time.Time // the clock that measures calls
	mu       sync.Mutex
	failures []string
	calls    map[int]call // in progress
	number   int          // of the newest call
}

// call is a call of a method of a link.
type call struct {
	what  string
	since time.Time
}

func newWatch(now func() time.Time) *watch { return &watch{now: now, calls: make(map[int]call)} }

// mostFailures is how many failures of a case are kept. The first ones say the most.
const mostFailures = 10

// Errorf records a failure, once.
func (w *watch) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.failures) < mostFailures && !slices.Contains(w.failures, text) {
		w.failures = append(w.failures, text)
	}
}

// Fatalf records a failure and ends the goroutine.
func (w *watch) Fatalf(format string, args ...any) {
	w.Errorf(format, args...)
	runtime.Goexit()
}

// Failures returns what was recorded so far.
func (w *watch) Failures() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.failures...)
}

// During calls do, which is a call of a method of a link, and notes how long it takes. A
// panic in it is a failure, and ends the goroutine.
func (w *watch) During(what string, do func()) {
	w.mu.Lock()
	w.number++
	number := w.number
	w.calls[number] = call{what, w.now()}
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.calls, number)
		w.mu.Unlock()
		if r := recover(); r != nil {
			w.Fatalf("%s panicked: %v\n%s", what, r, debug.Stack())
		}
	}()
	do()
}

// Stuck returns a call that has taken longer than most.
func (w *watch) Stuck(most time.Duration) (what string, found bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	for _, c := range w.calls {
		if now.Sub(c.since) > most {
			return c.what, true
		}
	}
	return "", false
}
