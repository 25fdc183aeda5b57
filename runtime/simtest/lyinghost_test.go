package simtest_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// lyingLine is a client's link to a host that lies: it changes, repeats, swaps and leaves out what the host has sent.
type lyingLine struct {
	link.Link
	rng   *rand.Rand
	share float64
	heard []link.Event // some of the events before
	lies  int
}

func (l *lyingLine) Poll(now time.Duration, f func(link.Event)) {
	l.Link.Poll(now, func(ev link.Event) {
		if ev.Kind != link.Datagram && ev.Kind != link.Message {
			f(ev)
			return
		}
		if len(l.heard) < 64 || l.rng.IntN(8) == 0 {
			kept := ev
			kept.Data = bytes.Clone(ev.Data)
			if len(l.heard) < 64 {
				l.heard = append(l.heard, kept)
			} else {
				l.heard[l.rng.IntN(64)] = kept
			}
		}
		share := l.share
		if ev.Kind == link.Message { // a malformed one ends the client
			share /= 10
		}
		if l.rng.Float64() >= share {
			f(ev)
			return
		}
		l.lies++
		ev.Data = bytes.Clone(ev.Data)
		switch l.rng.IntN(8) {
		case 0: // left out
		case 1:
			f(ev)
			f(ev)
		case 2:
			f(l.heard[l.rng.IntN(len(l.heard))])
		case 3:
			f(ev)
			f(l.heard[l.rng.IntN(len(l.heard))])
		case 4:
			ev.Data = ev.Data[:l.rng.IntN(len(ev.Data)+1)]
			f(ev)
		case 5: // a number that is as large as it can be
			at := l.rng.IntN(len(ev.Data))
			for i := at; i < min(at+1+l.rng.IntN(8), len(ev.Data)); i++ {
				ev.Data[i] = 0xff
			}
			f(ev)
		case 6: // a message of another kind
			ev.Data[0] = byte(l.rng.IntN(40))
			f(ev)
		default:
			for range 1 + l.rng.IntN(3) {
				ev.Data[l.rng.IntN(len(ev.Data))] ^= 1 << l.rng.IntN(8)
			}
			f(ev)
		}
	})
}

// TestClientsSurviveALyingHost: whatever a host sends, a client goes on, or ends with an error; it neither panics nor
// hangs. A client to which the same host is honest notices nothing.
func TestClientsSurviveALyingHost(t *testing.T) {
	t.Parallel()
	for _, seed := range draws.Seeds(draws.Pick(3, 40)) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			hearALiar(t, seed)
		})
	}
}

func hearALiar(t *testing.T, seed uint64) {
	const player, spectator, honest = 0, 1, 2
	text, liars := generatedWorld(seed), []*lyingLine{}
	b := shooterBundle(text)
	b.Files = worldFiles(text)
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 3, Profile: memlink.Average(),
		Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls { return &wanderer{uint64(i) + seed} },
		Client: func(i int, c *client.Config) {
			if i == spectator {
				c.Kind = client.Spectator
			}
			if i != honest {
				l := &lyingLine{Link: c.Link, rng: rand.New(rand.NewPCG(seed, uint64(i)))}
				c.Link, liars = l, append(liars, l)
			}
		}})
	var v room.View
	sim.Run(2 * time.Second)
	for part := range 6 {
		for _, l := range liars {
			l.share = []float64{0.01, 0.05, 0.3}[part%3]
		}
		for range 20 {
			sim.Run(4 * simtest.PollEvery)
			for _, c := range sim.Clients {
				c.View(&v)
			}
		}
	}
	for i, l := range liars {
		if l.lies == 0 {
			t.Errorf("client %d heard no lie", i)
		}
		t.Logf("client %d: %d lies, %v, %v, %+v", i, l.lies, sim.Clients[i].Status(), sim.Clients[i].Err(), sim.Report(i).Refused)
	}
	c := sim.Clients[honest]
	if r := sim.Report(honest); c.Err() != nil || c.Desync() != nil || r.Confirmed.Mismatched > 0 || r.Confirmed.Compared < 100 {
		t.Errorf("the client to which the host is honest: %v, %v, %+v", c.Err(), c.Desync(), r.Confirmed)
	}

}
