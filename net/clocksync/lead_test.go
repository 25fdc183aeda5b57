package clocksync

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// player is a line on which inputs go out too: one a 60th of a second, for the time
// that Present gives. The host says how early each came.
type player struct {
	line
	inputs  []sentInput // in order of arrival
	reports []sentInput // in order of receipt
	early   []time.Duration
	delay   time.Duration // of inputs
	lead    time.Duration
	jumps   uint64 // of the lead
}

// sentInput is one input: for a time, heard of by the other end at another.
type sentInput struct{ input, early, at time.Duration }

func byArrival(a, b sentInput) int { return int(a.at - b.at) }

// play runs for a span and returns how early inputs arrived in it, sorted. The lead must
// not change faster than it may.
func (p *player) play(t failer, from, to time.Duration) []time.Duration {
	t.Helper()
	p.early = p.early[:0]
	p.run(t, from, to, func(at, _, present time.Duration) {
		for len(p.inputs) > 0 && p.inputs[0].at <= at {
			i := p.inputs[0]
			p.inputs = p.inputs[1:]
			early := i.input - p.host(i.at)
			p.early = append(p.early, early)
			p.reports = append(p.reports, sentInput{i.input, early.Truncate(ms), i.at + p.back()})
			slices.SortStableFunc(p.reports, byArrival)
		}
		for len(p.reports) > 0 && p.reports[0].at <= at {
			p.clock.InputArrived(p.reports[0].input, p.reports[0].early)
			p.reports = p.reports[1:]
		}
		if p.clock.Synced() {
			p.inputs = append(p.inputs, sentInput{input: present + p.delay, at: at + p.out()})
			slices.SortStableFunc(p.inputs, byArrival)
		}
		st := p.clock.Stats()
		if d := (st.Lead - p.lead).Abs(); p.lead != 0 && st.Grown+st.Holds == p.jumps && d > time.Second/60/50+1 {
			t.Fatalf("at %v: the lead went from %v to %v in a frame, and nobody was late", at, p.lead, st.Lead)
		}
		p.lead, p.jumps = st.Lead, st.Grown+st.Holds
	})
	slices.Sort(p.early)
	return p.early
}

func median(sorted []time.Duration) time.Duration { return sorted[len(sorted)/2] }

// TestLeadFollowsALineThatChanges: when a line gets worse, inputs are on time again
// within a second; when it gets better, they do not stay early.
func TestLeadFollowsALineThatChanges(t *testing.T) {
	for _, margin := range []time.Duration{4 * ms, 50 * ms, -100 * ms} {
		delay := 30 * ms
		way := func() time.Duration { return delay }
		p := player{line: line{clock: New(Options{Margin: margin}), host: shifted(time.Minute), every: 100 * ms, out: way, back: way}}
		near := func(when string, early time.Duration) {
			t.Helper()
			if off := early - margin; off.Abs() > 6*ms {
				t.Errorf("margin %v, %s: inputs come %v early", margin, when, early)
			}
		}
		p.play(t, 0, 5*time.Second)
		near("at first", median(p.play(t, 5*time.Second, 6*time.Second)))
		delay = 150 * ms
		p.play(t, 6*time.Second, 7*time.Second)
		near("a second after it got worse", median(p.play(t, 7*time.Second, 8*time.Second)))
		if g := p.clock.Stats().Grown; g == 0 {
			t.Error("the lead never grew at once")
		}
		p.play(t, 8*time.Second, 20*time.Second)
		near("later", median(p.play(t, 20*time.Second, 21*time.Second)))
		delay = 30 * ms
		p.play(t, 21*time.Second, 30*time.Second)
		near("after it got better", median(p.play(t, 30*time.Second, 31*time.Second)))
	}
}

// TestLeadThatIsMuchTooLongEnds: while a host is slow, inputs come late and the lead grows. When the host is not any more,
// the time that the client simulates stands still once, and is not too far ahead for a minute.
func TestLeadThatIsMuchTooLongEnds(t *testing.T) {
	delay := 30 * ms
	way := func() time.Duration { return delay }
	p := player{line: line{clock: New(Options{}), host: shifted(time.Minute), every: 100 * ms, out: way, back: way}}
	p.play(t, 0, 5*time.Second)
	delay = 1200 * ms
	p.play(t, 5*time.Second, 15*time.Second)
	if lead := p.clock.Stats().Lead; lead < time.Second {
		t.Fatalf("the lead is %v on a line of %v", lead, delay)
	}
	delay = 30 * ms
	p.play(t, 15*time.Second, 20*time.Second)
	if early := median(p.play(t, 20*time.Second, 21*time.Second)); early.Abs() > 20*ms {
		t.Errorf("after 5 s, inputs come %v early", early)
	}
	if n := p.clock.Stats().Holds; n == 0 || n > 3 {
		t.Errorf("it stood still %d times", n)
	}
}

// TestInputsComeWhenTheyShould: on any line, and after any change of it, the median input
// arrives Margin early, within the limits of chance.
func TestInputsComeWhenTheyShould(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		margin := time.Duration(rapid.IntRange(-200, 100).Draw(t, "margin")) * ms
		var up, down, jitter time.Duration
		way := func(low *time.Duration) func() time.Duration {
			return func() time.Duration { return *low + time.Duration(rng.Int64N(int64(jitter)+1)) }
		}
		p := player{line: line{clock: New(Options{Margin: margin}), host: shifted(time.Minute), every: 100 * ms, out: way(&up), back: way(&down)}}
		at := time.Duration(0)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			up = time.Duration(rapid.IntRange(0, 200).Draw(t, "up")) * ms
			down = time.Duration(rapid.IntRange(0, 200).Draw(t, "down")) * ms
			jitter = time.Duration(rapid.IntRange(0, 80).Draw(t, "jitter")) * ms
			p.play(t, at, at+30*time.Second)
			at += 30 * time.Second
			got := median(p.play(t, at, at+4*time.Second))
			at += 4 * time.Second
			if off := (got - margin).Abs(); off > 10*ms+jitter/2 {
				t.Fatalf("up %v, down %v, jitter %v: inputs come %v early, want %v", up, down, jitter, got, margin)
			}
		}
	})
}

// TestFalseReportsKeepTheLeadInBounds: whatever the host reports, the lead stays within
// its bounds.
func TestFalseReportsKeepTheLeadInBounds(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		l := line{clock: New(Options{Margin: 4 * ms}), host: shifted(0), every: 100 * ms, out: fixed(30 * ms), back: fixed(30 * ms)}
		for at := time.Duration(0); at < 4*time.Second; at += 20 * ms {
			_, present := l.frame(t, at)
			l.clock.InputArrived(present, time.Duration(rapid.Int64().Draw(t, "early")))
			if lead := l.clock.Stats().Lead; lead < 0 || lead > maxLead+30*ms {
				t.Fatalf("lead %v", lead)
			}
		}
	})
}

// TestInputDelayShortensTheLead: with an input delay, inputs arrive as early as without, and the
// client is behind by the delay: behind the host if the delay is longer than the way. The delay may
// change meanwhile.
func TestInputDelayShortensTheLead(t *testing.T) {
	p := player{line: line{clock: New(Options{Margin: -time.Nanosecond}), host: shifted(time.Minute), every: 100 * ms, out: fixed(40 * ms), back: fixed(40 * ms)}}
	from := time.Duration(0)
	for _, delay := range []time.Duration{50 * ms, 0, 100 * ms, 30 * ms} {
		p.clock.SetInputDelay(delay)
		p.delay, p.lead = delay, 0
		p.play(t, from, from+15*time.Second)
		early := median(p.play(t, from+15*time.Second, from+16*time.Second))
		lead := p.clock.Stats().Lead
		t.Logf("delay %v: lead %v, inputs come %v early", delay, lead, early)
		if early.Abs() > 6*ms || (lead-(40*ms-delay)).Abs() > 6*ms {
			t.Errorf("delay %v: the lead is %v, inputs come %v early", delay, lead, early)
		}
		from += 16 * time.Second
	}
}
