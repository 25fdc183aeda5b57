package clocksync

import (
	"errors"
	"fmt"
	"hash/fnv"
	"testing"
	"time"
)

func TestSyncOverLines(t *testing.T) {
	for _, tc := range []struct {
		name      string
		low, high time.Duration
		allowed   time.Duration // the error after the first 15 s
	}{
		{"no delay", 0, 0, 0},
		{"constant", 40 * ms, 40 * ms, 0},
		{"lan", ms / 5, ms, ms / 5},
		{"average", 30 * ms, 60 * ms, 5 * ms},
		{"bad", 100 * ms, 200 * ms, 15 * ms},
		{"awful", 200 * ms, 400 * ms, 35 * ms},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rng := seeded(1)
			l := line{clock: New(Options{}), host: shifted(1234567 * time.Microsecond), every: 200 * ms,
				out: uniform(rng, tc.low, tc.high), back: uniform(rng, tc.low, tc.high)}
			l.worst(t, 0, 15*time.Second)
			if got := l.worst(t, 15*time.Second, 3*time.Minute); got > tc.allowed {
				t.Errorf("host time is wrong by %v, want at most %v", got, tc.allowed)
			}
			st := l.clock.Stats()
			if st.Jumps+st.Holds+st.Steps+st.Samples.Outliers != 0 {
				t.Errorf("a steady line made the clock jump: %+v", st)
			}
			if st.RTT != l.clock.RTT() {
				t.Errorf("RTT %+v isn't that of Stats %+v", l.clock.RTT(), st.RTT)
			}
			if st.RTT.Median < 2*tc.low || st.RTT.P99 > 2*tc.high || st.RTT.P99 < st.RTT.Median {
				t.Errorf("round trips out of bounds: %+v", st.RTT)
			}
		})
	}
}

// On a line whose directions differ, the host time is wrong by at most half the
// difference. The present is still right: an input that is sent now arrives at its time.
func TestAsymmetricLine(t *testing.T) {
	for _, tc := range []struct{ out, back time.Duration }{
		{20 * ms, 20 * ms}, {80 * ms, 20 * ms}, {20 * ms, 80 * ms}, {0, 150 * ms},
	} {
		l := line{clock: New(Options{}), host: shifted(time.Hour), every: 100 * ms, out: fixed(tc.out), back: fixed(tc.back)}
		l.run(t, 0, 20*time.Second, func(at, host, present time.Duration) {
			if !l.clock.Synced() {
				return
			}
			if wrong := host - l.host(at); wrong != (tc.out-tc.back)/2 {
				t.Fatalf("%v out, %v back: host time wrong by %v, want %v", tc.out, tc.back, wrong, (tc.out-tc.back)/2)
			}
			if arrives := l.host(at + tc.out); present != arrives {
				t.Fatalf("%v out, %v back: present %v, but an input arrives at %v", tc.out, tc.back, present, arrives)
			}
		})
	}
}

// Half of the inputs should come late and half early: that is what the lead aims at.
func TestHalfOfTheInputsAreLate(t *testing.T) {
	rng := seeded(7)
	l := line{clock: New(Options{}), host: shifted(0), every: 200 * ms,
		out: uniform(rng, 30*ms, 60*ms), back: uniform(rng, 30*ms, 60*ms)}
	late, all := 0, 0
	l.run(t, 0, 5*time.Minute, func(at, _, present time.Duration) {
		if at < 10*time.Second {
			return
		}
		all++
		if l.host(at+l.out()) > present {
			late++
		}
	})
	if share := float64(late) / float64(all); share < 0.40 || share > 0.60 {
		t.Errorf("%.0f %% of the inputs come late, want about half", 100*share)
	}
}

// A clock that runs 200 parts per million fast is followed for an hour.
func TestDriftIsFollowed(t *testing.T) {
	for _, tc := range []struct {
		name               string
		ppm                int64
		low, high, allowed time.Duration
	}{
		{"lan", 200, ms / 5, ms, 3 * ms / 2},
		{"average", 200, 30 * ms, 60 * ms, 10 * ms},
		{"average, slow", -200, 30 * ms, 60 * ms, 10 * ms},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rng := seeded(3)
			l := line{clock: New(Options{}), every: 500 * ms, out: uniform(rng, tc.low, tc.high), back: uniform(rng, tc.low, tc.high),
				host: func(at time.Duration) time.Duration { return time.Hour + at + time.Duration(int64(at)/1e6*tc.ppm) }}
			l.worst(t, 0, 20*time.Second)
			if got := l.worst(t, 20*time.Second, time.Hour); got > tc.allowed {
				t.Errorf("after an hour the host time was wrong by %v at worst, want at most %v", got, tc.allowed)
			}
			if st := l.clock.Stats(); st.Jumps+st.Holds+st.Steps != 0 {
				t.Errorf("the drift was not slewed: %+v", st)
			}
		})
	}
}

// A host too slow for its tick rate is followed as well, with pings often enough.
func TestSlowHostIsFollowed(t *testing.T) {
	rng := seeded(4)
	l := line{clock: New(Options{}), every: 100 * ms, out: uniform(rng, 30*ms, 60*ms), back: uniform(rng, 30*ms, 60*ms),
		host: func(at time.Duration) time.Duration { return at - at/66 }} // 1.5 % slow
	l.worst(t, 0, 10*time.Second)
	if got := l.worst(t, 10*time.Second, 2*time.Minute); got > 20*ms {
		t.Errorf("host time wrong by %v", got)
	}
}

// While the host pauses its time stands still. The client's never runs back, and
// is right again soon after.
func TestPausedHost(t *testing.T) {
	const from, length = 20 * time.Second, 5 * time.Second
	rng := seeded(5)
	l := line{clock: New(Options{}), every: 200 * ms, out: uniform(rng, 30*ms, 60*ms), back: uniform(rng, 30*ms, 60*ms),
		host: func(at time.Duration) time.Duration { return at - min(max(at-from, 0), length) }}
	l.worst(t, 0, from)
	if got := l.worst(t, from, from+length); got > 1500*ms {
		t.Errorf("in the pause the client ran ahead by %v", got)
	}
	l.worst(t, from+length, from+length+3*time.Second)
	if got := l.worst(t, from+length+3*time.Second, from+length+60*time.Second); got > 60*ms {
		t.Errorf("after the pause the host time is still wrong by %v", got)
	}
	if st := l.clock.Stats(); st.Holds == 0 || st.Steps == 0 {
		t.Errorf("the pause was not seen: %+v", st)
	}
}

// If the host's time jumps forward (a match that was restored elsewhere), the client's
// time jumps, too.
func TestHostJumpsForward(t *testing.T) {
	l := line{clock: New(Options{}), every: 200 * ms, out: fixed(20 * ms), back: fixed(20 * ms),
		host: func(at time.Duration) time.Duration {
			if at > 20*time.Second {
				return at + time.Minute
			}
			return at
		}}
	l.worst(t, 0, 22*time.Second)
	if got := l.worst(t, 22*time.Second, 30*time.Second); got != 0 {
		t.Errorf("host time wrong by %v after its jump", got)
	}
	if st := l.clock.Stats(); st.Jumps != 1 || st.Steps != 1 {
		t.Errorf("got %d jumps and %d steps, want 1 of each", st.Jumps, st.Steps)
	}
}

// Single answers that take far too long, or carry a time from a stalled host,
// don't move the clock.
func TestSpikesAreIgnored(t *testing.T) {
	n := 0
	l := line{clock: New(Options{}), host: shifted(time.Minute), every: 200 * ms, out: fixed(25 * ms), back: func() time.Duration {
		if n++; n%5 == 0 {
			return 700 * ms
		}
		return 25 * ms
	}}
	l.worst(t, 0, 3*time.Second)
	if got := l.worst(t, 3*time.Second, time.Minute); got > ms/100 {
		t.Errorf("spikes moved the clock by %v", got)
	}

	l = line{clock: New(Options{}), every: 200 * ms, out: fixed(25 * ms), back: fixed(25 * ms), host: func(at time.Duration) time.Duration {
		if at > time.Second && at%(2*time.Second) == 25*ms { // every tenth stamp is 400 ms old
			at -= 400 * ms
		}
		return at + time.Minute
	}}
	l.run(t, 0, time.Minute, func(at, host, _ time.Duration) {
		if l.clock.Synced() && at > 3*time.Second && host != at+time.Minute {
			t.Fatalf("at %v a stale stamp moved the clock by %v", at, host-at-time.Minute)
		}
	})
	if st := l.clock.Stats(); st.Samples.Outliers == 0 || st.Steps != 0 {
		t.Errorf("the stale stamps were not put aside: %+v", st)
	}
}

// After a silent line one answer alone isn't believed more than those before.
func TestSilenceKeepsSamples(t *testing.T) {
	c := New(Options{})
	for i := range 20 {
		at := time.Duration(i) * 100 * ms
		mustSample(t, c, at, at+10*ms, at+20*ms)
	}
	mustSample(t, c, time.Minute, time.Minute+10*ms, time.Minute+600*ms)
	if got := c.HostTime(time.Minute + 600*ms); got != time.Minute+600*ms {
		t.Errorf("host time %v after the silence, want %v", got, time.Minute+600*ms)
	}
	if st := c.Stats(); st.Samples.Kept != defaultMinSamples {
		t.Errorf("%d samples kept over the silence, want %d", st.Samples.Kept, defaultMinSamples)
	}
}

func TestSampleRefuses(t *testing.T) {
	c := New(Options{})
	mustSample(t, c, 100*ms, 500*ms, 140*ms)
	for _, tc := range []struct {
		name                 string
		sent, host, received time.Duration
		want                 error
	}{
		{"answered before it was asked", 200 * ms, 0, 199 * ms, ErrTime},
		{"received before the last", 100*ms + 1, 0, 139 * ms, ErrTime},
		{"negative", -1, 0, 200 * ms, ErrTime},
		{"negative host", 150 * ms, -1, 200 * ms, ErrTime},
		{"absurd host", 150 * ms, maxTime + 1, 200 * ms, ErrTime},
		{"longer than a minute", 150 * ms, 0, time.Minute + 151*ms, ErrTime},
		{"twice", 100 * ms, 500 * ms, 150 * ms, ErrDuplicate},
	} {
		before := c.Stats()
		if err := c.Sample(tc.sent, tc.host, tc.received); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, err, tc.want)
		}
		after := c.Stats()
		if before.Samples.Refused++; after != before {
			t.Errorf("%s: a refused sample changed the clock:\n%+v\n%+v", tc.name, before, after)
		}
	}
}

func TestNotSyncedShowsNothing(t *testing.T) {
	c := New(Options{})
	for i := range defaultMinSamples {
		at := time.Duration(i) * 100 * ms
		if c.Synced() || c.HostTime(at) != 0 || c.Present(at) != 0 {
			t.Fatalf("a time was shown after %d samples", i)
		}
		mustSample(t, c, at, at+time.Hour, at+20*ms)
	}
	if !c.Synced() || c.HostTime(500*ms) != time.Hour+490*ms || c.Present(500*ms) != time.Hour+500*ms {
		t.Errorf("synced %v, host %v, present %v", c.Synced(), c.HostTime(500*ms), c.Present(500*ms))
	}
}

// The same samples give the same times, on every machine: a simulated match needs that.
func TestGolden(t *testing.T) {
	rng := seeded(6)
	l := line{clock: New(Options{Margin: ms}), every: 150 * ms, out: uniform(rng, 30*ms, 90*ms), back: uniform(rng, 20*ms, 60*ms),
		host: func(at time.Duration) time.Duration {
			return at - at/500 - min(max(at-30*time.Second, 0), 2*time.Second)
		}}
	h := fnv.New64a()
	l.run(t, 0, 2*time.Minute, func(at, host, present time.Duration) { fmt.Fprintln(h, host, present) })
	const golden = "2c4d3e2193ca8bf9"
	if got := fmt.Sprintf("%016x", h.Sum64()); got != golden {
		t.Errorf("hash %s, want %s: the same samples no longer give the same times", got, golden)
	}
}

func mustSample(t testing.TB, c *Clock, sent, host, received time.Duration) {
	t.Helper()
	if err := c.Sample(sent, host, received); err != nil {
		t.Fatal(err)
	}
}
