package streamlink

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// Listen returns the link of a host that accepts connections from ln, such as one of
// net.Listen("tcp", ":7777"). Shutdown closes ln.
func Listen(ln net.Listener, o Options) *Link {
	if ln == nil {
		panic("streamlink: Listen needs a net.Listener")
	}
	l := NewHost(o)
	l.attach(&listener{ln: ln})
	return l
}

// listener is a net.Listener with the goroutine that accepts its connections.
type listener struct {
	ln   net.Listener
	wait sync.WaitGroup
}

// retryAfter is the pause after an error of Accept, such as too many open files.
const retryAfter = 10 * time.Millisecond

// start accepts connections until the listener is closed.
func (a *listener) start(add func(rw io.ReadWriteCloser)) {
	a.wait.Go(func() { a.accept(add) })
}

func (a *listener) accept(add func(rw io.ReadWriteCloser)) {
	for {
		c, err := a.ln.Accept()
		switch {
		case err == nil:
			add(c)
		case errors.Is(err, net.ErrClosed):
			return
		default:
			time.Sleep(retryAfter)
		}
	}
}

// close ends the goroutine.
func (a *listener) close() error {
	err := a.ln.Close()
	a.wait.Wait()
	if err != nil {
		return fmt.Errorf("closing the listener: %w", err)
	}
	return nil
}
