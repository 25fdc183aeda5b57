package streamlink

import (
	"io"
	"sync"
)

// gate takes connections from other goroutines to the poll.
type gate struct {
	ready chan struct{}

	mu    sync.Mutex
	fresh []io.ReadWriteCloser
	most  int
	err   error // of dialing
	shut  bool
}

func newGate(most int) *gate { return &gate{ready: make(chan struct{}, 1), most: most} }

// signalled receives after something has come.
func (g *gate) signalled() <-chan struct{} { return g.ready }

func (g *gate) signal() {
	select {
	case g.ready <- struct{}{}:
	default:
	}
}

// enter hands a connection to the next poll, or closes it if too many wait or the link is
// down.
func (g *gate) enter(rw io.ReadWriteCloser) {
	if !g.admit(rw) {
		_ = rw.Close() // nobody uses it
	}
	g.signal()
}

func (g *gate) admit(rw io.ReadWriteCloser) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut || len(g.fresh) >= g.most {
		return false
	}
	g.fresh = append(g.fresh, rw)
	return true
}

// fail notes that dialing has failed.
func (g *gate) fail(err error) {
	g.mu.Lock()
	g.err = err
	g.mu.Unlock()
	g.signal()
}

// take returns the connections that came, and the error of dialing.
func (g *gate) take() (fresh []io.ReadWriteCloser, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	fresh, g.fresh = g.fresh, nil
	err, g.err = g.err, nil
	return fresh, err
}

// close closes the connections that wait, and all that come later.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
	for _, rw := range g.fresh {
		_ = rw.Close() // nobody uses it
	}
	g.fresh = nil
}
