package clocksync

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// Whatever is fed to it, neither time ever decreases, and each runs at most 2 %
// (the present 4 %: clock and lead) too fast unless a jump is counted.
func TestNeverBackward(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		c := New(Options{Window: rapid.IntRange(1, 64).Draw(t, "window"), MinSamples: rapid.IntRange(1, 8).Draw(t, "min")})
		at := time.Duration(0)
		var host, present time.Duration
		running := false
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			passed := time.Duration(rapid.Int64Range(0, int64(300*ms)).Draw(t, "passed"))
			at += passed
			if rapid.Bool().Draw(t, "sample") {
				rtt := min(at, time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "rtt")))
				_ = c.Sample(at-rtt, time.Duration(rapid.Int64Range(-1000, int64(20*time.Second)).Draw(t, "host")), at)
			}
			jumps := c.Stats().Jumps
			h, p := c.HostTime(at), c.Present(at)
			if h < host || p < present {
				t.Fatalf("at %v: host %v -> %v, present %v -> %v", at, host, h, present, p)
			}
			if running && c.Stats().Jumps == jumps && (h-host > passed+passed/50 || p-present > passed+passed/25) {
				t.Fatalf("at %v: in %v the host time ran %v and the present %v", at, passed, h-host, p-present)
			}
			running = running || c.Synced()
			host, present = h, p
			if c.HostTime(at-1) != h || c.Present(0) != p {
				t.Fatalf("at %v: asking for the past changed the answer", at)
			}
		}
	})
}

// On any line with even delays and a host that keeps its speed, the error stays
// within half the jitter, and within the bound that Stats names; both but for the
// drift that chance made the clock see.
func TestErrorWithinBound(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		low := time.Duration(rapid.Int64Range(0, int64(200*ms)).Draw(t, "low"))
		jitter := time.Duration(rapid.Int64Range(0, int64(200*ms)).Draw(t, "jitter"))
		l := line{clock: New(Options{}), host: shifted(time.Minute), every: 150 * ms,
			out: uniform(rng, low, low+jitter), back: uniform(rng, low, low+jitter)}
		worst := time.Duration(0)
		for at := time.Duration(0); at < 20*time.Second; at += 50 * ms {
			host, _ := l.frame(t, at)
			if !l.clock.Synced() {
				continue
			}
			// The shown time may still be on its way back from an earlier estimate.
			est := &l.clock.window.est
			worst = max(worst, est.driftOver(est.newest-est.at+maxAhead).Abs())
			if wrong := (host - l.host(at)).Abs(); wrong > jitter/2+worst+100 {
				t.Fatalf("at %v: wrong by %v with a jitter of %v and a drift of %v", at, wrong, jitter, worst)
			}
			if st := l.clock.Stats(); (st.Offset - time.Minute).Abs() > st.Bound+100 {
				t.Fatalf("offset %v is outside its bound %v", st.Offset-time.Minute, st.Bound)
			}
		}
	})
}

func BenchmarkSampleAndPresent(b *testing.B) {
	b.ReportAllocs()
	rng := seeded(1)
	c := New(Options{})
	var at time.Duration
	for b.Loop() {
		at += 200 * ms
		rtt := time.Duration(rng.Int64N(int64(60 * ms)))
		_ = c.Sample(at-rtt, at, at)
		c.Present(at)
	}
}

func TestNoAllocations(t *testing.T) {
	c := New(Options{})
	var at time.Duration
	if n := testing.AllocsPerRun(500, func() {
		at += 200 * ms
		_ = c.Sample(at-40*ms, at, at)
		c.Present(at)
	}); n != 0 {
		t.Errorf("%v allocations a sample, want none", n)
	}
}

// When says when Present reaches a time, to within 20 us: not before, so that a client that
// sleeps until then need not ask again, and not much later. Where the host's clock was set,
// a few questions lead there.
func TestWhenPresentReachesATime(t *testing.T) {
	sure := 0
	draws.Check(t, func(t *rapid.T) {
		c := New(Options{Window: rapid.IntRange(1, 64).Draw(t, "window"), MinSamples: rapid.IntRange(1, 8).Draw(t, "min")})
		at, offset := time.Duration(0), time.Second
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			at += time.Duration(rapid.Int64Range(0, int64(100*ms)).Draw(t, "passed"))
			switch rapid.IntRange(0, 8).Draw(t, "what") {
			case 0:
				offset += time.Duration(rapid.Int64Range(-int64(400*ms), int64(400*ms)).Draw(t, "set"))
			case 1:
				c.SetExtraLead(time.Duration(rapid.Int64Range(0, int64(50*ms)).Draw(t, "extra")))
			default:
				rtt := min(at, time.Duration(rapid.Int64Range(0, int64(80*ms)).Draw(t, "rtt")))
				_ = c.Sample(at-rtt, max(at-rtt/3+offset, 0), at)
			}
			present := c.Present(at)
			target := present + time.Duration(rapid.Int64Range(1, int64(200*ms)).Draw(t, "target"))
			when, ok := c.When(target, at)
			if ok != c.Synced() {
				t.Fatalf("at %v: ok is %v, and synced is %v", at, ok, c.Synced())
			}
			if !ok {
				continue
			}
			if wrong := at + c.window.offsetAt(at) - c.host; !c.holding && wrong.Abs() < c.opts.JumpLimit-10*ms {
				sure++
				atWhen, before := *c, *c
				if got := atWhen.Present(when); got < target {
					t.Fatalf("at %v: at %v the present is %v, want %v", at, when, got, target)
				}
				if early := when - 20*time.Microsecond; early > at && before.Present(early) >= target {
					t.Fatalf("at %v: the present has reached %v before %v", at, target, when)
				}
			}
			d, asked, now := *c, 0, at
			for ; d.Present(now) < target; asked++ {
				if now, _ = d.When(target, now); asked == 10 {
					t.Fatalf("at %v: the present is %v and not %v after %d questions", now, d.Present(now), target, asked)
				}
			}
		}
	})
	if sure == 0 {
		t.Error("no clock ran evenly")
	}
}
