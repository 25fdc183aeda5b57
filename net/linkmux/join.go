package linkmux

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Join returns the link of a client that plays in a room of a Mux, around the link of the
// client to the host of the Mux. Opened comes when the host has given it the room; if the
// host does not, Closed comes with the reason. From now on, only the returned link may
// use l.
//
// It is a link as l is: it belongs to one goroutine, and its Shutdown is that of l.
func Join(l link.Link, room string) link.Link {
	if l == nil {
		panic("linkmux: Join needs the link of a client")
	}
	j := &joining{Link: l, room: room}
	j.take = j.handle
	return j
}

// joining is the link of a client.
type joining struct {
	link.Link
	room  string
	stage joinStage
	down  bool

	now     time.Duration       // of the poll in progress
	deliver func(ev link.Event) // the same; nil outside of one
	take    func(ev link.Event) // handle, made once
}

type joinStage uint8

const (
	stageDialing joinStage = iota // the host has not answered yet
	stageAsked                    // the room was named
	stageEarly                    // the room sends, but the welcome has not come yet
	stageIn                       // the welcome has come
	stageOver                     // closed
)

// Poll implements link.Link.
func (j *joining) Poll(now time.Duration, deliver func(ev link.Event)) {
	if j.deliver != nil {
		return
	}
	j.now, j.deliver = now, deliver
	defer func() { j.deliver = nil }() // also if deliver panics and a caller recovers
	j.Link.Poll(now, j.take)
}

func (j *joining) handle(ev link.Event) {
	switch {
	case ev.Kind == link.Opened:
		j.ask(ev.Peer)
		return
	case ev.Kind == link.Closed:
		j.stage = stageOver
	case ev.Kind == link.Message && ev.Stream == link.Control && j.stage < stageIn:
		j.welcomed(ev)
		return
	case j.stage == stageAsked: // it has overtaken the welcome
		j.stage = stageEarly
		j.deliver(link.Event{Kind: link.Opened, Peer: ev.Peer})
		if j.stage == stageOver || j.down {
			return
		}
	}
	j.deliver(ev)
}

// ask names the room.
func (j *joining) ask(host link.Peer) {
	j.stage = stageAsked
	err := checkName(j.room)
	if err == nil {
		err = j.Link.SendMessage(j.now, host, link.Control, appendHello(nil, j.room))
	}
	if err != nil {
		j.giveUp(host, err.Error())
	}
}

// welcomed handles the first message on Control.
func (j *joining) welcomed(ev link.Event) {
	early := j.stage == stageEarly
	if len(ev.Data) != 1 || ev.Data[0] != welcome {
		j.giveUp(ev.Peer, "the host has no rooms, or is of another release")
		return
	}
	j.stage = stageIn
	if !early {
		j.deliver(link.Event{Kind: link.Opened, Peer: ev.Peer})
	}
}

// giveUp ends the connection, and tells the caller.
func (j *joining) giveUp(host link.Peer, reason string) {
	j.stage = stageOver
	j.Link.Close(j.now, host, reason)
	j.deliver(link.Event{Kind: link.Closed, Peer: host, Reason: link.CleanReason(reason)})
}

// SendDatagram implements link.Link.
func (j *joining) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	if j.waits() {
		return fmt.Errorf("datagram to peer %d: %w", p, link.ErrNoPeer)
	}
	return j.Link.SendDatagram(now, p, b)
}

// SendMessage implements link.Link.
func (j *joining) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	if j.waits() {
		return fmt.Errorf("message to peer %d on %v: %w", p, s, link.ErrNoPeer)
	}
	return j.Link.SendMessage(now, p, s, b)
}

// waits reports whether the link is up and has no room yet.
func (j *joining) waits() bool {
	return !j.down && (j.stage == stageDialing || j.stage == stageAsked)
}

// Close implements link.Link.
func (j *joining) Close(now time.Duration, p link.Peer, reason string) {
	if p == link.HostPeer && !j.down {
		j.stage = stageOver
	}
	j.Link.Close(now, p, reason)
}

// Shutdown implements link.Link.
func (j *joining) Shutdown(reason string) error {
	j.down = true
	return j.Link.Shutdown(reason)
}
