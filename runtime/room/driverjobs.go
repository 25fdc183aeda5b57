package room

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/goroutine"
)

// jobs is the queue of functions that other goroutines have posted to the driving
// goroutine.
type jobs struct {
	came  chan struct{} // receives after a job came
	done  chan struct{} // closed with close
	own   atomic.Uint64 // the driving goroutine; 0 before begin
	awake atomic.Bool   // the driving goroutine is not asleep

	mu     sync.Mutex
	list   []*job
	closed bool
}

func newJobs() jobs {
	return jobs{came: make(chan struct{}, 1), done: make(chan struct{})}
}

// begin makes the calling goroutine the driving one.
func (q *jobs) begin() {
	q.own.Store(goroutine.ID())
	q.awake.Store(true)
}

// wakeUp notes that the driving goroutine runs.
func (q *jobs) wakeUp() { q.awake.Store(true) }

// fallAsleep notes that the driving goroutine sleeps. It returns a channel that receives
// when a job arrives.
func (q *jobs) fallAsleep() <-chan struct{} {
	q.awake.Store(false)
	return q.came
}

// isOwn reports whether the calling goroutine is the driving one. The check is expensive,
// except while the driving goroutine sleeps.
func (q *jobs) isOwn() bool { return q.awake.Load() && q.own.Load() == goroutine.ID() }

// close ends the queue. Jobs that have not begun never do.
func (q *jobs) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.list = true, nil
	q.awake.Store(false)
	close(q.done)
}

// add queues a job.
func (q *jobs) add(j *job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrDriverDone
	}
	q.list = append(q.list, j)
	select {
	case q.came <- struct{}{}:
	default:
	}
	return nil
}

// run runs the jobs in the queue. Jobs that arrive meanwhile wait for the next call.
func (q *jobs) run(now func() time.Duration) {
	q.mu.Lock()
	list := q.list
	q.list = nil
	q.mu.Unlock()
	for _, j := range list {
		j.run(now())
	}
}

// post queues f and does not wait.
func (q *jobs) post(f func(now time.Duration)) error {
	return q.add(&job{f: func(now time.Duration) error { f(now); return nil }})
}

// do queues f and waits until it has run, or until it is certain that it will not.
func (q *jobs) do(ctx context.Context, f func(ctx context.Context, now time.Duration) error) error {
	j := &job{f: func(now time.Duration) error { return f(ctx, now) }, done: make(chan struct{})}
	if err := q.add(j); err != nil {
		return err
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		if j.cancel() {
			return ctx.Err()
		}
	case <-q.done:
		if j.cancel() {
			return ErrDriverDone
		}
	}
	<-j.done
	return j.result()
}

// job is a function that is to be run once, unless it is cancelled before.
type job struct {
	f     func(now time.Duration) error
	taken atomic.Bool   // it has begun, or was cancelled
	done  chan struct{} // closed when f has returned; nil: no caller waits
	err   error         // of f
	panic *jobPanic     // the panic with which f ended; nil: it returned
}

// cancel keeps the job from beginning. It reports whether that was possible.
func (j *job) cancel() bool { return !j.taken.Swap(true) }

// run runs the job. If a caller waits for it, a panic is passed to that caller.
func (j *job) run(now time.Duration) {
	if j.taken.Swap(true) {
		return
	}
	if j.done == nil {
		_ = j.f(now)
		return
	}
	defer close(j.done)
	j.err = ErrDriverDone // if f ends this goroutine
	defer func() {
		if value := recover(); value != nil {
			j.panic = &jobPanic{value, debug.Stack()}
		}
	}()
	j.err = j.f(now)
}

// result returns the error of f, or panics as f did.
func (j *job) result() error {
	if j.panic != nil {
		panic(j.panic)
	}
	return j.err
}

// jobPanic is the value with which Do panics: the value of the function's panic, with
// its stack.
type jobPanic struct {
	value any
	stack []byte
}

// Error returns the value as text, and the stack.
func (p *jobPanic) Error() string { return fmt.Sprintf("%v\n\n%s", p.value, p.stack) }

// Unwrap returns the value, if it is an error.
func (p *jobPanic) Unwrap() error {
	err, _ := p.value.(error)
	return err
}
