package kcplink

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// A peer that is closed and hears nothing any more is forgotten after flushTime and the
// goodbyes, though nothing but Due asks for the polls.
func TestClosedPeerIsDueUntilItIsForgotten(t *testing.T) {
	w, host, _ := opened(t, Options{}, Options{})
	w.drop = func(_, _ ipPort, _ []byte) bool { return true }
	p := host.events[0].Peer
	if err := host.SendMessage(w.now, p, link.Control, []byte("last words")); err != nil {
		t.Fatal(err)
	}
	host.Close(w.now, p, "kicked")
	if due := host.Due(w.now); due > w.now {
		t.Errorf("the last message is due in %v, want now", due-w.now)
	}
	w.run(flushTime+byeCount*byeGap+50*time.Millisecond, host)
	if n := len(host.peers.all); n != 0 {
		t.Errorf("%d peers are kept", n)
	}
	if due := host.Due(w.now); due != link.Never {
		t.Errorf("a host without peers is due in %v, want never", due-w.now)
	}
}

// A client that nobody answers goes from one time that Due returns to the next, and is
// closed after DialTimeout.
func TestDialIsDueForEachAttempt(t *testing.T) {
	w := newWire(t)
	client := w.dialTo(2, &node{sock: w.bare(1)}, Options{})
	polls := 0
	for ; len(client.of(link.Closed)) == 0 && polls < 100; polls++ {
		w.now = max(w.now, client.Due(w.now))
		client.poll(w.now)
	}
	if want := int(5*time.Second/askAgain) + 2; polls != want {
		t.Errorf("%d polls until the dial failed, want %d", polls, want)
	}
	if w.now < 5*time.Second || w.now > 5*time.Second+time.Millisecond {
		t.Errorf("the dial failed after %v", w.now)
	}
}

// When all that was sent is acknowledged, and a poll comes later than KCP is driven for,
// nothing is due but the keepalive: a link that is always due would keep a core busy.
func TestStreamIsNotDueAfterALatePoll(t *testing.T) {
	w, host, client := opened(t, Options{}, Options{})
	if err := client.SendMessage(w.now, 1, link.Control, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the message, its acknowledgement
		client.poll(w.now)
		host.poll(w.now)
	}
	w.now += 2 * lingerAfterIn
	client.poll(w.now)
	host.poll(w.now)
	for name, e := range map[string]*node{"client": client, "host": host} {
		if due := e.Due(w.now); due <= w.now {
			t.Errorf("the %s is due at once, although nothing waits", name)
		}
	}
}
