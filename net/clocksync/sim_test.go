package clocksync

import (
	"math/rand/v2"
	"slices"
	"time"
)

const ms = time.Millisecond

// line is a client pinging a host over a simulated line. All in virtual time: at
// is the client's clock, host tells the host's clock at that moment.
type line struct {
	clock *Clock
	host  func(at time.Duration) time.Duration
	out   func() time.Duration // delay from client to host
	back  func() time.Duration
	every time.Duration // between pings

	next    time.Duration
	pending []answer // in order of receipt
	last    [2]time.Duration
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

type answer struct{ sent, host, received time.Duration }

// fixed returns a delay that never changes.
func fixed(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// uniform returns a delay between two bounds.
func uniform(rng *rand.Rand, low, high time.Duration) func() time.Duration {
	return func() time.Duration { return low + time.Duration(rng.Int64N(int64(high-low)+1)) }
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5eed)) }

// frame brings the line to a moment: sends pings, takes answers, and reads the
// clock, which must not go backward.
func (l *line) frame(t failer, at time.Duration) (host, present time.Duration) {
	t.Helper()
	for l.next <= at {
		there := l.next + l.out()
		l.pending = append(l.pending, answer{l.next, l.host(there), there + l.back()})
		slices.SortStableFunc(l.pending, func(a, b answer) int { return int(a.received - b.received) })
		l.next += l.every
	}
	for len(l.pending) > 0 && l.pending[0].received <= at {
		a := l.pending[0]
		l.pending = l.pending[1:]
		if err := l.clock.Sample(a.sent, a.host, a.received); err != nil {
			t.Fatalf("at %v: %v", at, err)
		}
	}
	host, present = l.clock.HostTime(at), l.clock.Present(at)
	if host < l.last[0] || present < l.last[1] {
		t.Fatalf("at %v: time ran backward: host %v -> %v, present %v -> %v", at, l.last[0], host, l.last[1], present)
	}
	if l.clock.Synced() && l.clock.opts.Margin >= 0 && present < host {
		t.Fatalf("at %v: present %v is before the host's time %v", at, present, host)
	}
	l.last = [2]time.Duration{host, present}
	return host, present
}

// run calls visit for each frame of 1/60 s.
func (l *line) run(t failer, from, to time.Duration, visit func(at, host, present time.Duration)) {
	t.Helper()
	for at := from; at < to; at += time.Second / 60 {
		host, present := l.frame(t, at)
		visit(at, host, present)
	}
}

// worst returns the greatest error of the host time in a span.
func (l *line) worst(t failer, from, to time.Duration) (most time.Duration) {
	t.Helper()
	l.run(t, from, to, func(at, host, _ time.Duration) {
		most = max(most, (host - l.host(at)).Abs())
	})
	return most
}

func shifted(by time.Duration) func(time.Duration) time.Duration {
	return func(at time.Duration) time.Duration { return at + by }
}
