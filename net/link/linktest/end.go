package linktest

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// end is a link with the events that it delivered.
type end struct {
	watch  *watch
	name   string    // in failures
	peer   link.Peer // of a client: the name that the host has for it
	now    time.Duration
	asleep bool // it is not polled
	seen   journal
	react  func(ev link.Event) // called for each event, unless nil
	asked  int                 // how often the link asked for a poll

	link    link.Link
	conduct conduct
	polling atomic.Bool
}

func newEnd(w *watch, name string, l link.Link) *end {
	return &end{watch: w, name: name, link: l, conduct: newConduct(name != hostName)}
}

// Errorf notes a failure of the end.
func (e *end) Errorf(format string, args ...any) {
	e.watch.Errorf("%s: %s", e.name, fmt.Sprintf(format, args...))
}

// Fatalf is Errorf, and ends the case.
func (e *end) Fatalf(format string, args ...any) {
	e.watch.Fatalf("%s: %s", e.name, fmt.Sprintf(format, args...))
}

// Name names the end in failures.
func (e *end) Name() string { return e.name }

// Peer returns the name that the host has for a client.
func (e *end) Peer() link.Peer { return e.peer }

// opened notes the name that the host has for a client.
func (e *end) opened(as link.Peer) { e.peer = as }

// Advance tells the end the time.
func (e *end) Advance(now time.Duration) { e.now = now }

// Sleep makes that the end is not polled, or is again.
func (e *end) Sleep(on bool) { e.asleep = on }

// React makes f be called for each event.
func (e *end) React(f func(ev link.Event)) { e.react = f }

// Seen returns the events that the link delivered.
func (e *end) Seen() *journal { return &e.seen }

// Asked returns how often the link asked for a poll.
func (e *end) Asked() int { return e.asked }

// hostName is the name of the host's end.
const hostName = "the host"

// Link returns the link.
func (e *end) Link() link.Link { return e.link }

// Wants reports whether the end is to be polled: it is awake, and its link is due or ready, or
// always is set.
func (e *end) Wants(always bool) bool {
	if e.asleep {
		return false
	}
	asks := e.Due() <= e.now
	select {
	case <-e.link.Ready():
		asks = true
	default:
	}
	if asks {
		e.asked++
	}
	return asks || always
}

// Due returns when the link is due.
func (e *end) Due() (due time.Duration) {
	e.watch.During(e.name+": Due", func() { due = e.link.Due(e.now) })
	return due
}

// Poll polls the link and checks each event.
func (e *end) Poll(now time.Duration) {
	e.now = now
	e.polling.Store(true)
	e.watch.During(e.name+": Poll", func() { e.link.Poll(now, e.deliver) })
	e.polling.Store(false)
}

func (e *end) deliver(ev link.Event) {
	if !e.polling.Load() {
		e.Errorf("deliver was called when no Poll was in progress: %s", describe(ev))
		return
	}
	if wrong := e.conduct.Judge(ev); wrong != "" {
		e.Errorf("%s %s", describe(ev), wrong)
	}
	kept := e.seen.add(ev)
	if e.react != nil {
		e.react(ev)
	}
	if !bytes.Equal(ev.Data, kept.Data) {
		e.Errorf("the data of %s changed during the call of deliver, in which it is valid", describe(ev))
	}
}

// Datagram sends b.
func (e *end) Datagram(p link.Peer, b []byte) (err error) {
	e.watch.During(e.name+": SendDatagram", func() {
		lent := bytes.Clone(b)
		err = e.link.SendDatagram(e.now, p, lent)
		for i := range lent { // as a caller may do
			lent[i] = 0xEE
		}
	})
	return err
}

// Message sends b, which the link may keep.
func (e *end) Message(p link.Peer, s link.Stream, b []byte) (err error) {
	e.watch.During(e.name+": SendMessage", func() {
		err = e.link.SendMessage(e.now, p, s, b)
	})
	return err
}

// Close closes a peer.
func (e *end) Close(p link.Peer, reason string) {
	e.conduct.Close(p)
	e.watch.During(e.name+": Close", func() { e.link.Close(e.now, p, reason) })
}

// Shutdown shuts the link down.
func (e *end) Shutdown(reason string) {
	e.conduct.Shutdown()
	e.watch.During(e.name+": Shutdown", func() {
		if err := e.link.Shutdown(reason); err != nil {
			e.Errorf("Shutdown: %v", err)
		}
	})
}

// summary says what the end saw: its last events.
func (e *end) summary() string { return e.name + " saw " + e.seen.summary() }
