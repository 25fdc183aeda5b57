package memlink

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

const (
	ms   = time.Millisecond
	tick = 16667 * time.Microsecond
)

// party is a network with its events written down.
type party struct {
	*Network
	now    time.Duration
	events map[*End][]string // what each end saw, as text
	onHost func(ev link.Event)
	onAny  func(e *End, ev link.Event)
}

func newParty(seed uint64, profiles ...Profile) *party {
	p := &party{Network: New(seed), events: map[*End][]string{}}
	p.Check(true)
	for _, profile := range profiles {
		p.Dial(profile, profile)
	}
	return p
}

// step moves on by a tick and polls the ends that are due.
func (p *party) step() {
	p.now += tick
	ends := []*End{p.Host()}
	for i := range p.Clients() {
		ends = append(ends, p.Client(i))
	}
	for _, e := range ends {
		if e.Due(p.now) > p.now {
			continue
		}
		e.Poll(p.now, func(ev link.Event) {
			p.events[e] = append(p.events[e], describe(ev))
			if p.onAny != nil {
				p.onAny(e, ev)
			}
			if e == p.Host() && p.onHost != nil {
				p.onHost(ev)
			}
		})
	}
}

func (p *party) run(d time.Duration) {
	for end := p.now + d; p.now < end; {
		p.step()
	}
}

func describe(ev link.Event) string {
	switch ev.Kind {
	case link.Opened:
		return fmt.Sprintf("opened %d", ev.Peer)
	case link.Datagram:
		return fmt.Sprintf("datagram %d %q", ev.Peer, ev.Data)
	case link.Message:
		return fmt.Sprintf("message %d %v %q", ev.Peer, ev.Stream, ev.Data)
	}
	return fmt.Sprintf("closed %d %s", ev.Peer, ev.Reason)
}

func (p *party) expect(t *testing.T, e *End, want ...string) {
	t.Helper()
	if got := strings.Join(p.events[e], "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got events\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	p.events[e] = nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openAll waits until every client has been let in.
func (p *party) openAll(t *testing.T) {
	t.Helper()
	for range 600 {
		open := p.Host().Stats().Peers == p.Clients()
		for i := range p.Clients() {
			open = open && p.Client(i).Stats().Peers == 1
		}
		if open {
			return
		}
		p.step()
	}
	t.Fatal("not all clients were let in within 10 s")
}
