package kcplink

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

const (
	flushTime = 5 * time.Second       // for messages sent before Close: a few round trips of an awful line
	byeCount  = 3                     // goodbyes: they are not acknowledged
	byeGap    = 50 * time.Millisecond // between two of them
)

// farewell is the progress of a connection that is ending with its goodbyes.
type farewell struct {
	reason string
	sent   int           // goodbyes
	nextAt time.Duration // leaving: when to stop waiting; then: when to send the next goodbye
}

// goodbyes returns how many goodbyes were sent.
func (f *farewell) goodbyes() int { return f.sent }

func (f *farewell) due(now time.Duration) bool { return now >= f.nextAt }

// next returns when due becomes true.
func (f *farewell) next() time.Duration { return f.nextAt }

// leave closes an open peer for the caller. Messages sent before have flushTime to
// arrive. It reports whether there are none, so that the first goodbye was sent.
func (p *peer) leave(io *conduit, reason string) bool {
	p.noteClosed(io, reason)
	p.state = peerLeaving
	p.farewell = farewell{reason: reason, nextAt: io.Now() + flushTime}
	if !p.streams.drained() {
		return false
	}
	p.sayBye(io)
	return true
}

// sayBye begins the goodbyes.
func (p *peer) sayBye(io *conduit) {
	p.state, p.farewell.nextAt = peerBye, io.Now()
	p.driveBye(io)
}

func (p *peer) driveBye(io *conduit) {
	f := &p.farewell
	if !f.due(io.Now()) {
		return
	}
	p.path.send(io, kindBye, []byte(link.CleanReason(f.reason)))
	f.nextAt = io.Now() + byeGap
	if f.sent++; f.sent >= byeCount {
		p.state = peerGone
	}
}

// shutDown sends what can still be sent, and the goodbyes, all at once.
func (p *peer) shutDown(io *conduit, reason string) {
	if p.state == peerHalf || p.state == peerGone {
		return
	}
	f := &p.farewell
	if p.state == peerOpen {
		f.reason = reason
	}
	p.streams.driveUnpaced(io)
	for ; f.sent < byeCount; f.sent++ {
		p.path.send(io, kindBye, []byte(link.CleanReason(f.reason)))
	}
	p.state = peerGone
}

// sendMessage queues b for the next poll.
func (p *peer) sendMessage(io *conduit, s link.Stream, b []byte) error {
	if err := p.streams.of(s).push(b); err != nil {
		return err
	}
	if s == link.Bulk {
		p.alive.hurryPing(io.Now())
	}
	return nil
}
