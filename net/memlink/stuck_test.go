package memlink

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// TestPeerThatAcknowledgesNothingIsLetGo tests a peer that pings and reads nothing: what waits for it is freed after
// five seconds. Less than 64 KB may wait, so a peer that lacks a few messages stays until the time-out.
func TestPeerThatAcknowledgesNothingIsLetGo(t *testing.T) {
	for _, c := range []struct {
		stream  link.Stream
		waiting int
		reason  string
	}{
		{link.Bulk, 200 << 10, "closed 1 nothing was acknowledged for 5s while 200 KB wait on bulk"},
		{link.Control, 200 << 10, "closed 1 nothing was acknowledged for 5s while 200 KB wait on control"},
		{link.Bulk, 60 << 10, ""},
	} {
		p := newParty(3, LAN())
		p.openAll(t)
		p.SetProfile(0, LAN(), Profile{Loss: 1})
		clear(p.events)
		must(t, p.Host().SendMessage(p.now, 1, c.stream, make([]byte, c.waiting)))
		p.run(4900 * ms)
		p.expect(t, p.Host())
		p.run(4 * time.Second)
		if c.reason == "" {
			p.expect(t, p.Host())
			continue
		}
		p.expect(t, p.Host(), c.reason)
		if n := p.Host().Stats().Stuck; n != 1 {
			t.Errorf("%d peers were counted", n)
		}
	}
}

// TestPeerOnALineThatLosesHalfStays tests honest peers: their acknowledgements are lost as well, and an early part can
// be missing for seconds while later ones arrive.
func TestPeerOnALineThatLosesHalfStays(t *testing.T) {
	half := Profile{Delay: 400 * ms, Jitter: 100 * ms, Loss: 0.5}
	for seed := range uint64(8) {
		p := newParty(seed, half)
		p.openAll(t)
		clear(p.events)
		arrived := 0
		p.onAny = func(_ *End, ev link.Event) {
			if ev.Kind == link.Message {
				arrived += len(ev.Data)
			}
			if ev.Kind == link.Closed {
				t.Errorf("seed %d: %s", seed, ev.Reason)
			}
		}
		const sent = 1 << 20
		must(t, p.Host().SendMessage(p.now, 1, link.Bulk, make([]byte, sent)))
		for end := p.now + 5*time.Minute; arrived < sent && p.now < end && !t.Failed(); {
			p.step()
		}
		if arrived != sent {
			t.Fatalf("seed %d: %d bytes arrived of %d", seed, arrived, sent)
		}
	}
}
