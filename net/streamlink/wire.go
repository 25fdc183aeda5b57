package streamlink

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
)

// wire is a connection with the goroutines that read from it, write to it and close it.
type wire struct {
	in    *inbox
	out   *outbox
	ended chan struct{} // closed when the reading goroutine has ended

	rw      io.ReadWriteCloser
	wake    func() // a poll is needed
	shut    sync.Once
	wait    sync.WaitGroup
	running atomic.Int32 // goroutines
}

// startWire starts to read into in and to write from out. wake is called on other goroutines.
func startWire(rw io.ReadWriteCloser, in *inbox, out *outbox, wake func()) *wire {
	w := &wire{rw: rw, in: in, out: out, wake: wake, ended: make(chan struct{})}
	w.start(w.read)
	w.start(w.write)
	return w
}

// address returns the address of the other end, if the connection knows it.
func (w *wire) address() (addr netip.Addr, known bool) {
	conn, knows := w.rw.(interface{ RemoteAddr() net.Addr })
	if !knows {
		return netip.Addr{}, false
	}
	at, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	return at.Addr().Unmap().WithZone(""), err == nil
}

func (w *wire) start(do func()) {
	w.running.Add(1)
	w.wait.Go(func() {
		defer w.running.Add(-1)
		do()
	})
}

// close closes the connection, which ends all goroutines. It does not wait for that, since
// a browser takes its time to close a WebSocket.
func (w *wire) close() {
	w.shut.Do(func() {
		w.start(func() { _ = w.rw.Close() }) // the reader sees what has come of it
	})
	w.out.stop()
}

// read files what comes until the connection ends, or a goodbye comes. It never waits for
// a poll, so a goodbye is always read.
func (w *wire) read() {
	defer close(w.ended)
	defer w.wake()
	defer w.close()
	frames := newFrameReader(w.rw)
	for {
		f, err := frames.next()
		if err != nil {
			w.in.end(lost(err))
			return
		}
		var wake bool
		switch f.Kind {
		case kindBye:
			w.in.end(string(f.Data))
			return
		case kindCredit:
			err = w.out.grant(f.Stream, f.Credit)
		default:
			wake, err = w.in.put(f)
		}
		if err != nil {
			w.in.end(lost(err))
			return
		}
		if wake {
			w.wake()
		}
	}
}

// write writes what the outbox has. After a goodbye the other end closes the connection.
func (w *wire) write() {
	buf := make([]byte, 0, writeSize+2*maxSegment)
	for {
		b := w.out.next(buf[:0])
		if len(b) == 0 {
			return
		}
		if _, err := w.rw.Write(b); err != nil {
			w.close()
			return
		}
	}
}

// silent returns a channel that is closed when the other end has closed the connection, or it was lost.
func (w *wire) silent() <-chan struct{} { return w.ended }

// hasEnded reports whether no goroutine is left.
func (w *wire) hasEnded() bool { return w.running.Load() == 0 }

// join waits until all goroutines have ended.
func (w *wire) join() { w.wait.Wait() }
