package linktest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// end is a link with the events that it delivered.
type end struct {
	*watch
	Name   string    // in failures
	Peer   link.Peer // of a client: the name that the host has for it
	Now    time.Duration
	Asleep bool                // it is not polled
	Events []link.Event        // copies
	React  func(ev link.Event) // called for each event, unless nil
	Asked  int                 // how often the link asked for a poll

	link    link.Link
	conduct conduct
	polling atomic.Bool
}

func newEnd(w *watch, name string, l link.Link) *end {
	return &end{watch: w, Name: name, link: l, conduct: newConduct(name != hostName)}
}

// hostName is the name of the host's end.
const hostName = "the host"

// Link returns the link.
func (e *end) Link() link.Link { return e.link }

// Asks reports whether the link asks for a poll: it is due or ready.
func (e *end) Asks() bool {
	asks := e.Due() <= e.Now
	select {
	case <-e.link.Ready():
		asks = true
	default:
	}
	if asks {
		e.Asked++
	}
	return asks
}

// Due returns when the link is due.
func (e *end) Due() (due time.Duration) {
	e.During(e.Name+": Due", func() { due = e.link.Due(e.Now) })
	return due
}

// Poll polls the link and checks each event.
func (e *end) Poll(now time.Duration) {
	e.Now = now
	e.polling.Store(true)
	e.During(e.Name+": Poll", func() { e.link.Poll(now, e.deliver) })
	e.polling.Store(false)
}

func (e *end) deliver(ev link.Event) {
	if !e.polling.Load() {
		e.Errorf("%s: deliver was called when no Poll was in progress: %s", e.Name, describe(ev))
		return
	}
	if wrong := e.conduct.Judge(ev); wrong != "" {
		e.Errorf("%s: %s %s", e.Name, describe(ev), wrong)
	}
	kept := ev
	kept.Data = slices.Clone(ev.Data)
	e.Events = append(e.Events, kept)
	if e.React != nil {
		e.React(ev)
	}
	if !bytes.Equal(ev.Data, kept.Data) {
		e.Errorf("%s: the data of %s changed during the call of deliver, in which it is valid", e.Name, describe(ev))
	}
}

// describe names an event in failures.
func describe(ev link.Event) string {
	switch ev.Kind {
	case link.Datagram:
		return fmt.Sprintf("datagram of %d bytes from peer %d", len(ev.Data), ev.Peer)
	case link.Message:
		return fmt.Sprintf("message of %d bytes on %v from peer %d", len(ev.Data), ev.Stream, ev.Peer)
	}
	return fmt.Sprintf("%v of peer %d", ev.Kind, ev.Peer)
}

// Datagram sends b.
func (e *end) Datagram(p link.Peer, b []byte) (err error) {
	e.During(e.Name+": SendDatagram", func() {
		lend(b, func(b []byte) { err = e.link.SendDatagram(e.Now, p, b) })
	})
	return err
}

// Message sends b.
func (e *end) Message(p link.Peer, s link.Stream, b []byte) (err error) {
	e.During(e.Name+": SendMessage", func() {
		lend(b, func(b []byte) { err = e.link.SendMessage(e.Now, p, s, b) })
	})
	return err
}

// mostLent is the size of the largest content that is compared.
const mostLent = 2 * link.MaxControl

// lend calls send with a copy of b that is overwritten afterwards, as a caller may do.
// Larger messages than any that is compared are not copied.
func lend(b []byte, send func(b []byte)) {
	if len(b) > mostLent {
		send(b)
		return
	}
	b = bytes.Clone(b)
	send(b)
	for i := range b {
		b[i] = 0xEE
	}
}

// Close closes a peer.
func (e *end) Close(p link.Peer, reason string) {
	e.conduct.Close(p)
	e.During(e.Name+": Close", func() { e.link.Close(e.Now, p, reason) })
}

// Shutdown shuts the link down.
func (e *end) Shutdown(reason string) {
	e.conduct.Shutdown()
	e.During(e.Name+": Shutdown", func() {
		if err := e.link.Shutdown(reason); err != nil {
			e.Errorf("%s: Shutdown: %v", e.Name, err)
		}
	})
}

// Of returns the events of a kind, of all peers.
func (e *end) Of(k link.EventKind) (all []link.Event) {
	for _, ev := range e.Events {
		if ev.Kind == k {
			all = append(all, ev)
		}
	}
	return all
}

// Saw reports whether an event of a kind was delivered for a peer.
func (e *end) Saw(k link.EventKind, p link.Peer) bool {
	return slices.ContainsFunc(e.Events, func(ev link.Event) bool { return ev.Kind == k && ev.Peer == p })
}

// summary says what the end saw: its last events.
func (e *end) summary() string {
	const most = 8
	var all []string
	for _, ev := range e.Events[max(0, len(e.Events)-most):] {
		all = append(all, describe(ev))
	}
	switch {
	case len(all) == 0:
		return e.Name + " saw nothing"
	case len(e.Events) > most:
		return fmt.Sprintf("%s saw %d events, the last of them %s", e.Name, len(e.Events), strings.Join(all, ", "))
	}
	return fmt.Sprintf("%s saw %s", e.Name, strings.Join(all, ", "))
}
