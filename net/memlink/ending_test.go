package memlink

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

func TestCutAndTimeout(t *testing.T) {
	p := newParty(5, Average(), Average())
	p.openAll(t)
	p.run(time.Second)
	clear(p.events)
	p.Cut(0, true)
	cutAt := p.now
	p.run(8900 * ms)
	p.expect(t, p.Host())
	p.expect(t, p.Client(0))
	for p.Host().Stats().Peers == 2 || p.Client(0).Stats().Peers == 1 {
		p.step()
		if p.now > cutAt+13*time.Second {
			t.Fatal("nothing happened 13 s after the cut")
		}
	}
	if len(p.events[p.Host()]) != 1 || !strings.HasSuffix(p.events[p.Host()][0], "no packet for 10s") {
		t.Errorf("the host saw %q", p.events[p.Host()])
	}
	p.expect(t, p.Client(0), "closed 1 no packet for 10s")
	p.expect(t, p.Client(1))
}

func TestDialIsRetriedAndGivesUp(t *testing.T) {
	lossy := Profile{Delay: 50 * ms, Loss: 0.6}
	p := newParty(7, lossy, Profile{Loss: 1})
	p.run(4500 * ms)
	p.expect(t, p.Client(0), "opened 1")
	p.expect(t, p.Client(1))
	p.run(time.Second)
	p.expect(t, p.Client(1), "closed 1 no answer from the host in 5s")
	up, _ := p.LineStats(1)
	if up.Sent != 25 { // every 200 ms
		t.Errorf("%d hellos sent, want 25", up.Sent)
	}
}

// A client that was admitted after it gave up gets Closed, and the host forgets it.
func TestHalfOpenIsCleared(t *testing.T) {
	p := New(8)
	client := p.Dial(Off(), Profile{Loss: 1})
	var hostSaw []string
	poll := func(now time.Duration) {
		p.Host().Poll(now, func(ev link.Event) { hostSaw = append(hostSaw, describe(ev)) })
		client.Poll(now, func(link.Event) {})
	}
	now := time.Duration(0)
	for ; now < 6*time.Second; now += tick {
		poll(now)
	}
	p.SetProfile(0, Off(), Off())
	for ; now < 8*time.Second; now += tick {
		poll(now)
	}
	if got := strings.Join(hostSaw, "; "); got != "opened 1; closed 1 no answer from the host in 5s" {
		t.Errorf("the host saw %s", got)
	}
}

// Close lets the messages sent before it arrive, and comes after them, although
// goodbyes get lost.
func TestCloseAfterMessages(t *testing.T) {
	for seed := range uint64(20) {
		p := newParty(seed, Profile{Delay: 20 * ms, Loss: 0.3})
		p.openAll(t)
		p.run(time.Second)
		clear(p.events)
		must(t, p.Host().SendMessage(p.now, 1, link.Control, []byte("last words")))
		p.Host().Close(p.now, 1, "bye")
		p.run(flushTime + time.Second)
		p.expect(t, p.Client(0), `message 1 control "last words"`, "closed 1 bye")
		p.expect(t, p.Host())
	}
}

func TestCloseWhileDialing(t *testing.T) {
	p := newParty(13, Profile{Loss: 1})
	p.run(time.Second)
	p.Client(0).Close(p.now, 1, "too slow")
	up, _ := p.LineStats(0)
	p.run(10 * time.Second)
	p.expect(t, p.Client(0))
	if after, _ := p.LineStats(0); after.Sent != up.Sent {
		t.Errorf("%d packets sent after the client gave up", after.Sent-up.Sent)
	}
}

// A client that the host admitted and closed before the client knew of either gets
// Closed.
func TestClosedBeforeWelcome(t *testing.T) {
	p := newParty(14)
	client := p.Dial(Off(), Profile{Loss: 1})
	p.onHost = func(ev link.Event) { p.Host().Close(p.now, ev.Peer, "full") }
	p.run(time.Second)
	p.SetProfile(0, Off(), Off())
	p.run(time.Second)
	p.expect(t, p.Host(), "opened 1")
	p.expect(t, client, "closed 1 full")
	if err := client.SendDatagram(p.now, 1, []byte("x")); !errors.Is(err, link.ErrNoPeer) {
		t.Errorf("sending after it: %v", err)
	}
}

// Both ends leave at once, or one shuts down while its last messages are under way: no
// end gets an event, and nothing more is sent on the line.
func TestBothLeave(t *testing.T) {
	p := newParty(15, Profile{Delay: 50 * ms}, Profile{Delay: 50 * ms})
	p.openAll(t)
	p.run(time.Second)
	clear(p.events)
	for i := range link.Peer(2) {
		must(t, p.Host().SendMessage(p.now, i+1, link.Control, []byte("x")))
		must(t, p.Client(int(i)).SendMessage(p.now, 1, link.Control, []byte("y")))
		p.Host().Close(p.now, i+1, "host")
		p.Client(int(i)).Close(p.now, 1, "client")
	}
	p.step()
	must(t, p.Client(1).Shutdown("more"))
	p.run(6 * time.Second) // messages that are not acknowledged are sent again for five
	before, _ := p.LineStats(0)
	p.run(5 * time.Second)
	p.expect(t, p.Host())
	p.expect(t, p.Client(0))
	p.expect(t, p.Client(1))
	if after, _ := p.LineStats(0); after.Sent != before.Sent {
		t.Errorf("%d packets were sent on a dead line", after.Sent-before.Sent)
	}
}

// An end may close a peer, or shut down, in the middle of its events.
func TestCloseWhileDelivering(t *testing.T) {
	for _, how := range []string{"close", "shutdown"} {
		p := newParty(9, Off())
		p.openAll(t)
		seen := 0
		p.onHost = func(ev link.Event) {
			seen++
			if how == "close" {
				p.Host().Close(p.now, ev.Peer, "rude")
			} else {
				must(t, p.Host().Shutdown("rude"))
			}
			p.Host().Poll(p.now, func(link.Event) { t.Error("a poll within a poll delivered") })
		}
		clear(p.events)
		for range 5 {
			must(t, p.Client(0).SendMessage(p.now, 1, link.Control, []byte("m")))
			must(t, p.Client(0).SendDatagram(p.now, 1, []byte("d")))
		}
		p.run(3 * time.Second)
		if seen != 1 {
			t.Errorf("%s: %d events after it, want none", how, seen-1)
		}
		p.expect(t, p.Client(0), "closed 1 rude")
	}
}
