package runtime

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Driver runs one host, or one group of clients, in real time, once. It owns
// the clock: nothing else in this package knows what time it is. Everything it
// drives is called on the goroutine of Host or Clients; Do gets other
// goroutines in.
type Driver struct {
	start time.Time
	used  atomic.Bool
	jobs  chan func(now time.Duration)
	done  chan struct{}
}

// How a Driver paces itself.
const (
	// pollEvery is how often the network is looked at, at least.
	pollEvery = 2 * time.Millisecond
	// catchUpTicks is how many ticks a host that is behind runs before it
	// looks at the network again.
	catchUpTicks = 4
	// slowDown is how far a host may fall behind before it gives the time up:
	// from there on it runs slower than real time, and says so.
	slowDown = 250 * time.Millisecond
	// drainTime is how long clients wait, at the end, for what they played to
	// be confirmed.
	drainTime = 3 * time.Second
	// goodbye is how long the line is kept so that last messages arrive.
	goodbye = 200 * time.Millisecond
)

// NewDriver starts the clock.
func NewDriver() *Driver {
	return &Driver{start: time.Now(), jobs: make(chan func(time.Duration)), done: make(chan struct{})}
}

// Now is the time since NewDriver; HostConfig.Stopwatch may be it.
func (d *Driver) Now() time.Duration { return time.Since(d.start) }

// begin takes the driver for one run; the function it gives ends it.
func (d *Driver) begin() (end func()) {
	if d.used.Swap(true) {
		panic("runtime: a Driver runs one host or one group of clients, once: make another with NewDriver")
	}
	return func() { close(d.done) }
}

// Do runs f on the driving goroutine and waits for it: the way to a Host's or
// a Client's methods from elsewhere. After the run has ended it reports false
// and does nothing.
func (d *Driver) Do(f func(now time.Duration)) bool {
	ran := make(chan struct{})
	select {
	case d.jobs <- func(now time.Duration) { f(now); close(ran) }:
		<-ran
		return true
	case <-d.done:
		return false
	}
}

// wait sleeps until something is to be done: at most until the given time,
// at most pollEvery.
func (d *Driver) wait(ctx context.Context, until time.Duration, ready <-chan struct{}) {
	pause := min(until-d.Now(), pollEvery)
	if pause <= 0 {
		pause = 0
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-ready:
	case job := <-d.jobs:
		job(d.Now())
	}
}

// Host runs a host until ctx is done or a tick fails, then says goodbye to
// its clients. A host that cannot keep up runs slower, and says so.
func (d *Driver) Host(ctx context.Context, h *Host) error {
	defer d.begin()()
	next, link := d.Now(), h.link()
	for ctx.Err() == nil {
		h.Poll(d.Now())
		for n := 0; d.Now() >= next && n < catchUpTicks; n++ {
			h.noteLate(d.Now() - next)
			if err := h.Tick(d.Now()); err != nil {
				h.Shutdown(d.Now(), err.Error())
				d.farewell(link)
				return err
			}
			next += h.TickLength()
		}
		if behind := d.Now() - next; behind > slowDown {
			h.noteSkipped(behind)
			next = d.Now()
		}
		d.wait(ctx, next, link.Ready())
	}
	h.Shutdown(d.Now(), StoppedByHost)
	d.farewell(link)
	return nil
}

// farewell lets last messages leave.
func (d *Driver) farewell(links ...link.Link) {
	for end := d.Now() + goodbye; d.Now() < end; time.Sleep(pollEvery) {
		for _, l := range links {
			l.Poll(d.Now(), func(link.Event) {})
		}
	}
}

// StoppedByHost is the reason that clients read when the host ends the room.
const StoppedByHost = "the host has stopped"

// Clients runs clients until ctx is done, then lets them finish: they play no
// further and leave when all they played is confirmed. It returns earlier when
// every client's stay is over. each, if not nil, is called after every round; it
// may put another client in the place of one in the slice.
func (d *Driver) Clients(ctx context.Context, clients []*Client, each func(now time.Duration)) {
	defer d.begin()()
	for ctx.Err() == nil && d.round(clients, each) {
		d.wait(ctx, d.Now()+pollEvery, nil)
	}
	for _, c := range clients {
		c.Leave(d.Now())
	}
	for end := d.Now() + drainTime; d.Now() < end && !allDone(clients); {
		d.round(clients, each)
		d.wait(context.Background(), d.Now()+pollEvery, nil)
	}
	links := make([]link.Link, 0, len(clients))
	for _, c := range clients {
		c.Close(d.Now(), "left")
		links = append(links, c.link())
	}
	d.farewell(links...)
}

// round polls and frames every client; it is false when all are over.
func (d *Driver) round(clients []*Client, each func(now time.Duration)) (alive bool) {
	for _, c := range clients {
		c.Poll(d.Now())
		c.Update(d.Now())
	}
	if each != nil {
		each(d.Now())
	}
	for _, c := range clients {
		alive = alive || c.Stage() != StageOver
	}
	return alive
}

func allDone(clients []*Client) bool {
	for _, c := range clients {
		if !c.Done() {
			return false
		}
	}
	return true
}

// silent returns log, or a logger that discards everything if log is nil.
func silent(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}
