package runtime

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Driver runs one Host or one Client in real time, once. It owns the clock: nothing
// else in this package knows what time it is. It owns the link as well: when the run
// ends, the socket and the goroutines of the link are gone.
//
// Everything that it drives is called on one goroutine, that of Driver.Host or
// Driver.Client, the driving goroutine. Do and Post run functions of other goroutines
// there. Between two calls the driving goroutine sleeps until the Host or the Client is
// due, a packet arrives, or there is something to do.
//
// A process with many rooms has a Driver for each.
type Driver struct {
	start time.Time
	used  atomic.Bool
	jobs  jobs
}

// How a run ends.
const (
	// drainTime is how long a client waits at the end for its ticks to be confirmed.
	drainTime = 3 * time.Second
	// farewellTime is the longest that the link is kept so that last messages arrive.
	farewellTime = time.Second
)

// ErrDriverDone is the error of Do and Post after the run of a Driver.
var ErrDriverDone = errors.New("the driver's run is over")

// NewDriver starts the clock.
func NewDriver() *Driver {
	return &Driver{start: time.Now(), jobs: newJobs()}
}

// Now returns the time since NewDriver; HostConfig.Stopwatch may be it. Any goroutine may
// call it.
func (d *Driver) Now() time.Duration { return time.Since(d.start) }

// Do runs f on the driving goroutine, between two ticks, and returns the error of f.
// Other goroutines call the methods of a Host or a Client in this way. now is the time
// of the Driver.
//
// Do waits until f has run, also if ctx ends meanwhile. If ctx ends before f began, f
// does not run and Do returns ctx.Err. If the run is over before f began, f does not run
// and Do returns ErrDriverDone. Before the run begins, Do waits for it. If f panics, so
// does Do, with the value and the stack of f.
//
// On the driving goroutine, Do runs f at once: in the f of another Do, and in functions
// that the Host or the Client calls. Do on a goroutine that drives another room stops
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

// Host runs a host until ctx ends or a tick fails. Then it tells the clients that the room
// is over or, if the cause of ctx is a RestartError, that the host restarts, and closes the link. It returns the error of the tick that failed, and of
// closing the link. A host that cannot keep up runs slower than real time, and logs it.
func (d *Driver) Host(ctx context.Context, h *Host) error {
	d.begin()
	defer d.jobs.close()
	defer h.release() // if something panics; otherwise it is closed by then
	poll := func(now time.Duration) { h.wake(now); h.Poll(now) }
	r := run{driver: d, poll: poll, update: h.Update, due: h.Due, ready: h.packets()}
	reason := hostStopped
	err := r.until(ctx.Done(), link.Never, func() bool { return ctx.Err() != nil })
	if err != nil {
		reason = err.Error()
	}
	if cause := context.Cause(ctx); err == nil && errors.Is(cause, ErrRestarting) {
		reason = ""
		if restarts := (*RestartError)(nil); errors.As(cause, &restarts) {
			reason = restarts.Reason
		}
		h.Restart(d.Now(), reason)
	} else {
		h.Shutdown(d.Now(), reason)
	}
	r.farewell()
	return errors.Join(err, h.Close(d.Now(), reason))
}

// Client runs a client until it is over, or until ctx ends. Then the client stops playing,
// and leaves when all its ticks are confirmed, at the latest after three seconds. At the
// end the link is closed. The error is that of Client.Err, and nil if the client left by
// itself.
func (d *Driver) Client(ctx context.Context, c *Client) error {
	d.begin()
	defer d.jobs.close()
	defer c.release() // if something panics; otherwise it is closed by then
	update := func(now time.Duration) error { c.Update(now); return nil }
	r := run{driver: d, poll: c.Poll, update: update, due: c.Due, ready: c.packets()}
	_ = r.until(ctx.Done(), link.Never, func() bool { return ctx.Err() != nil || c.Stage() == StageOver })
	c.Leave(d.Now())
	_ = r.until(nil, d.Now()+drainTime, c.Done)
	c.disconnect(d.Now(), "left")
	r.farewell()
	err := c.Close(d.Now(), "left")
	if !errors.Is(c.Err(), ErrLeft) {
		err = errors.Join(c.Err(), err)
	}
	return err
}

// begin claims the driver for its one run, on this goroutine.
func (d *Driver) begin() {
	if d.used.Swap(true) {
		panic("runtime: a Driver runs one host or one client, once: make another with NewDriver")
	}
	d.jobs.begin()
}

// run is the one run of a Driver, with the methods of the host or client that it
// drives.
type run struct {
	driver *Driver
	poll   func(now time.Duration)
	update func(now time.Duration) error
	due    func(now time.Duration) time.Duration
	ready  <-chan struct{} // receives when a packet waits for poll
	timer  *time.Timer     // for every sleep
}

// until runs until over reports true, or until the time end. stop, which may be nil, wakes
// it up. It returns the error of an update.
func (r *run) until(stop <-chan struct{}, end time.Duration, over func() bool) error {
	d := r.driver
	for !over() && d.Now() < end {
		d.jobs.wakeUp()
		r.poll(d.Now())
		if err := r.update(d.Now()); err != nil {
			return err
		}
		d.jobs.run(d.Now)
		if !over() {
			r.sleep(stop, min(r.due(d.Now()), end))
		}
	}
	d.jobs.wakeUp()
	d.jobs.run(d.Now) // jobs that were posted before the end
	return nil
}

// farewell lets last messages leave.
func (r *run) farewell() {
	now := r.driver.Now
	_ = r.until(nil, now()+farewellTime, func() bool { return r.due(now()) == link.Never })
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
	case <-r.ready:
	case <-r.driver.jobs.fallAsleep():
	}
}

// orDiscard returns log, or a logger that discards everything if log is nil.
func orDiscard(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}
