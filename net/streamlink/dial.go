package streamlink

import (
	"context"
	"io"
	"sync"
	"time"
)

// dialer is the part that only a client has: it dials in a goroutine of its own.
type dialer struct {
	dial    func(ctx context.Context) (io.ReadWriteCloser, error)
	started bool
	over    bool
	since   time.Duration
	cancel  context.CancelFunc
	wait    sync.WaitGroup
}

// start dials. arrived gets the connection, or the error.
func (d *dialer) start(now time.Duration, arrived func(rw io.ReadWriteCloser, err error)) {
	ctx, cancel := context.WithCancel(context.Background())
	d.started, d.since, d.cancel = true, now, cancel
	d.wait.Go(func() { arrived(d.dial(ctx)) })
}

// stop ends the dialing: what it returns from now on is closed.
func (d *dialer) stop() {
	d.over = true
	if d.started {
		d.cancel()
	}
}

// join waits until the goroutine has ended.
func (d *dialer) join() { d.wait.Wait() }

// dials reports whether there is neither a connection yet nor an end.
func (d *dialer) dials() bool { return !d.over }

// isStarted reports whether start was called.
func (d *dialer) isStarted() bool { return d.started }

// expired reports whether dialing has taken too long.
func (d *dialer) expired(now, most time.Duration) bool {
	return d.started && !d.over && now-d.since > most
}

// due returns when there is something to do.
func (d *dialer) due(now, most time.Duration) (due time.Duration, dials bool) {
	if !d.started {
		return now, !d.over
	}
	return d.since + most + 1, !d.over
}
