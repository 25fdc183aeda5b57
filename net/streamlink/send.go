package streamlink

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// SendDatagram implements link.Link. If the line does not take it at once it waits, and
// may be dropped for newer ones.
func (l *Link) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	c, err := l.sendable(p, len(b), link.MaxDatagram)
	if err != nil {
		return fmt.Errorf("datagram to peer %d: %w", p, err)
	}
	l.io.Advance(now)
	c.datagram(b)
	return nil
}

// SendMessage implements link.Link. The message leaves without a poll.
func (l *Link) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	c, err := l.sendable(p, len(b), s.MaxMessage())
	if err == nil {
		l.io.Advance(now)
		err = c.message(s, b)
	}
	if err != nil {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, err)
	}
	return nil
}

// Queued implements link.Link.
func (l *Link) Queued(p link.Peer, s link.Stream) int {
	if c := l.io.find(p); c != nil && s < link.Streams {
		return c.out.queued(s)
	}
	return 0
}

// sendable returns an open connection if n bytes may be sent on it.
func (l *Link) sendable(p link.Peer, n, most int) (*conn, error) {
	c := l.io.find(p)
	return c, l.io.Sendable(c != nil, n, most)
}

// Close implements link.Link. On a client that is still dialing, it stops that. Messages
// sent before have a second of polls to arrive.
func (l *Link) Close(now time.Duration, p link.Peer, reason string) {
	if l.io.Down() {
		return
	}
	l.io.Advance(now)
	if c := l.io.find(p); c != nil {
		c.leave(&l.io, reason)
		return
	}
	if l.dial == nil || p != link.HostPeer {
		return
	}
	l.dial.stop()
	for _, c := range l.conns {
		if c.greeting() {
			c.leave(&l.io, reason)
		}
	}
}

// goodbyeTime is how long Shutdown waits for goodbyes to be read by the other ends.
const goodbyeTime = 200 * time.Millisecond

// Shutdown implements link.Link. Messages and goodbyes are on their way when it returns,
// for which it waits at most 200 ms: as long as the slowest peer takes to answer. Then it
// waits until the connections are closed.
func (l *Link) Shutdown(reason string) error {
	if !l.io.ShutDown() {
		return nil
	}
	var err error
	if l.ln != nil {
		err = l.ln.close()
	}
	l.gate.close()
	if l.dial != nil {
		l.dial.stop()
		l.dial.join()
	}
	var silent []<-chan struct{}
	for _, c := range l.conns {
		silent = append(silent, c.goodbye(reason))
	}
	await(silent, goodbyeTime)
	for _, c := range l.conns {
		c.shut()
		l.isGone(c)
	}
	for _, w := range l.ends {
		w.join()
	}
	l.conns, l.ends = nil, nil
	l.io.forgetAll()
	return err
}

// await waits until the other ends have closed the connections, which they do when a
// goodbye comes. A connection that is closed before may lose what is on its way.
func await(silent []<-chan struct{}, most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for _, end := range silent {
		select {
		case <-end:
		case <-timer.C:
			return
		}
	}
}
