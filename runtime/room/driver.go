package room

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/timeline"
)

// Driver runs one host or one client in real time, once. It owns the clock: neither of them knows what time it
// is. It owns the link as well: when the run
// ends, the socket and the goroutines of the link are gone.
//
// Everything that it drives is called on one goroutine, that of Run, the driving goroutine. Do and Post run functions
// of other goroutines there. Between two calls the driving goroutine sleeps until the host or the client is due, a
// packet arrives, or there is something to do.
//
// A process with many rooms has a Driver for each.
type Driver struct {
	start time.Time
	used  atomic.Bool
	jobs  jobs

	stopAt atomic.Int64  // when the context ended, in time of the Driver; 0: it has not
	turnAt time.Duration // when the present turn of the driving goroutine began
}

// How a run ends.
const (
	// drainTime is how long a client waits at the end for its ticks to be confirmed.
	drainTime = 3 * time.Second
	// farewellTime is the longest that the link is kept so that last messages arrive.
	farewellTime = time.Second
	// turnTime is how long a turn may take once the context has ended.
	turnTime = 500 * time.Millisecond
)

// ErrDriverDone is the error of Do and Post after the run of a Driver.
var ErrDriverDone = errors.New("the driver's run is over")

// NewDriver starts the clock.
func NewDriver() *Driver {
	return &Driver{start: time.Now(), jobs: newJobs()}
}

// Now returns the time since NewDriver; the Stopwatch of a host or a client may be it. Any goroutine may
// call it.
func (d *Driver) Now() time.Duration { return time.Since(d.start) }

// Stopping reports whether the present turn has lasted for half a second since the context of the run ended: scripts
// may keep a tick going for longer than anybody waits. Give it to the host or the client as Config.Stop. Only the
// driving goroutine calls it.
func (d *Driver) Stopping() bool {
	at := time.Duration(d.stopAt.Load())
	return at != 0 && d.Now()-max(at, d.turnAt) > turnTime
}

// Do runs f on the driving goroutine, between two ticks, and returns the error of f.
// Other goroutines call the methods of a host or a client in this way. now is the time
// of the Driver.
//
// Do waits until f has run, also if ctx ends meanwhile. If ctx ends before f began, f
// does not run and Do returns ctx.Err. If the run is over before f began, f does not run
// and Do returns ErrDriverDone. Before the run begins, Do waits for it. If f panics, so
// does Do, with the value and the stack of f.
//
// On the driving goroutine, Do runs f at once: in the f of another Do, and in functions
// that the host or the client calls. Do on a goroutine that drives another room stops
// that room until f has run. If two rooms call Do on each other, both wait until their
// contexts end. Between rooms, use Post.
//
// f must return soon, since the room waits for it.
func (d *Driver) Do(ctx context.Context, f func(ctx context.Context, now time.Duration) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d.jobs.isOwn() {
		return f(ctx, d.Now())
	}
	return d.jobs.do(ctx, f)
}

// Post queues f to run on the driving goroutine, between two ticks, after the functions
// posted before. It never waits and never runs f itself, so any goroutine may call it, the
// driving one too. If the run is over, f does not run and the error is ErrDriverDone.
// Functions that were posted before the context of the run ended do run.
func (d *Driver) Post(f func(now time.Duration)) error {
	return d.jobs.post(f)
}

// Side is one side of a room, a host or a client, as a Driver runs it.
type Side interface {
	// Wake makes up for the ticks that were left out while nothing happened. It is called before each Poll.
	Wake(now time.Duration)
	// Poll takes in the packets that have arrived.
	Poll(now time.Duration)
	// Update runs what is due. An error ends the run, or is the reason why it is over.
	Update(now time.Duration) error
	// Due returns when the next Poll and Update are needed if no packet arrives before; link.Never if nothing is
	// planned.
	Due(now time.Duration) time.Duration
	// Ready receives when a packet waits for Poll.
	Ready() <-chan struct{}
	// End begins to end the run, or goes on with it, and reports whether the run has ended. Then only last messages are
	// to leave. cause is the error of Update or the cause of the context. atOnce says that there is no time left.
	End(now time.Duration, cause error, atOnce bool) (ended bool)
	// Close frees the link. Messages that have not left by then may be lost.
	Close(now time.Duration, reason string) error
	// Abandon frees the link after a panic, if it is not free, and sends nothing.
	Abandon()
}

// Run runs a host or a client until ctx ends, an Update fails, or a client is over. Then it ends the run in good
// order, and closes the link.
//
// A host tells its clients that the room is over or, if the cause of ctx is a RestartError, that the host restarts. The
// error is that of the tick that failed, and of closing the link. A host that cannot keep up runs slower than real
// time, and logs it.
//
// A client stops playing, and leaves when all its ticks are confirmed, at the latest after three seconds. The error is
// the reason why it is over, and nil if it left by itself.
//
// Without a host or a client the error wraps ErrConfig, and the Driver can still be run.
func (d *Driver) Run(ctx context.Context, side Side) error {
	if v := reflect.ValueOf(side); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("%w: Driver.Run needs a host or a client, as host.New and client.New make them", ErrConfig)
	}
	d.begin()
	defer d.jobs.close()
	defer side.Abandon()
	defer context.AfterFunc(ctx, func() { d.stopAt.Store(int64(d.Now())) })()
	r := run{driver: d, side: side}
	err := uninterrupted(r.until(ctx.Done(), link.Never, func() bool { return ctx.Err() != nil }))
	cause := err
	if err == nil {
		cause = context.Cause(ctx)
		err = uninterrupted(r.until(nil, d.Now()+drainTime, func() bool { return side.End(d.Now(), cause, false) }))
	}
	side.End(d.Now(), cause, true)
	r.farewell()
	if errors.Is(err, ErrLeft) {
		err = nil
	}
	return errors.Join(err, side.Close(d.Now(), "the run is over"))
}

// uninterrupted returns an error of a run, but nil if Stopping has interrupted a tick: the run ends as it does between
// two ticks.
func uninterrupted(err error) error {
	if errors.Is(err, timeline.ErrInterrupted) {
		return nil
	}
	return err
}

// begin claims the driver for its one run, on this goroutine.
func (d *Driver) begin() {
	if d.used.Swap(true) {
		panic("room: a Driver runs one host or one client, once: make another with NewDriver")
	}
	d.jobs.begin()
}

// run is the one run of a Driver.
type run struct {
	driver *Driver
	side   Side
	ended  bool        // only last messages are to leave
	timer  *time.Timer // for every sleep
}

// until runs until over reports true, or until the time end. stop, which may be nil, wakes
// it up. It returns the error of an update.
func (r *run) until(stop <-chan struct{}, end time.Duration, over func() bool) error {
	d := r.driver
	for !over() && d.Now() < end {
		d.jobs.wakeUp()
		d.turnAt = d.Now()
		r.side.Wake(d.turnAt)
		r.side.Poll(d.Now())
		if err := r.side.Update(d.Now()); err != nil && !r.ended {
			return err
		}
		d.jobs.run(d.Now)
		if !over() {
			r.sleep(stop, min(r.side.Due(d.Now()), end))
		}
	}
	d.jobs.wakeUp()
	d.jobs.run(d.Now) // jobs that were posted before the end
	return nil
}

// farewell lets last messages leave.
func (r *run) farewell() {
	r.ended = true
	now := r.driver.Now
	_ = r.until(nil, now()+farewellTime, func() bool { return r.side.Due(now()) == link.Never })
}

// sleep waits until a time, for a packet, for a job, or for stop.
func (r *run) sleep(stop <-chan struct{}, until time.Duration) {
	pause := until - r.driver.Now()
	if pause <= 0 {
		return
	}
	if r.timer == nil {
		r.timer = time.NewTimer(pause)
	} else {
		r.timer.Reset(pause)
	}
	select {
	case <-stop:
	case <-r.timer.C:
	case <-r.side.Ready():
	case <-r.driver.jobs.fallAsleep():
	}
}
