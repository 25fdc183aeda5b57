package watchdog_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/watchdog"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

const ms = time.Millisecond

// spent is work of a class, of nobody's objects.
func spent(class string, work time.Duration) timeline.Spent {
	return timeline.Spent{Class: class, Work: work}
}

// tick is the work of a tick.
func tick(physics time.Duration, by ...timeline.Spent) *timeline.Work {
	w := &timeline.Work{Physics: physics, By: by}
	for _, s := range by {
		w.Hooks += s.Work
	}
	return w
}

// said writes suspects as CLASS[:OWNER][/inputs].
func said(suspects []watchdog.Suspect) (out string) {
	for i, s := range suspects {
		if i > 0 {
			out += " "
		}
		out += s.Class
		if s.Owner != 0 {
			out += fmt.Sprintf(":%d", s.Owner)
		}
		if s.Hooks != world.OtherHooks {
			out += "/" + s.Hooks.String()
		}
	}
	return out
}

func TestAllowance(t *testing.T) {
	for _, c := range []struct{ rate, want time.Duration }{{20, 200 * ms}, {50, 80 * ms}, {100, 50 * ms}} {
		if got := timeline.Allowed(time.Second / c.rate); got != c.want {
			t.Errorf("at %d Hz: %v, want %v", c.rate, got, c.want)
		}
	}
}

// TestSuspects has the first suspects of ticks of 20 ms, which may be 80 ms of work: the rest is to be at most 40 ms.
func TestSuspects(t *testing.T) {
	inputs := func(owner world.PlayerID, work time.Duration) timeline.Spent {
		return timeline.Spent{Class: "Ship", Owner: owner, Hooks: world.InputHooks, Work: work}
	}
	owned := func(owner world.PlayerID, work time.Duration) timeline.Spent {
		return timeline.Spent{Class: "Ship", Owner: owner, Work: work}
	}
	for _, c := range []struct {
		what string
		work *timeline.Work
		want string
	}{
		{"the class that did most", tick(0, spent("A", 20*ms), spent("B", 70*ms)), "B"},
		{"as many as are needed, the one that did most first", tick(0, spent("A", 30*ms), spent("B", 35*ms), spent("C", 20*ms)), "B A"},
		{"of equals the first name", tick(0, spent("B", 30*ms), spent("A", 30*ms), spent("C", 30*ms)), "A B"},
		{"the physics are a part of the rest", tick(30*ms, spent("A", 20*ms), spent("B", 40*ms)), "B A"},
		{"a player who did more than half of a class", tick(0, owned(1, 10*ms), owned(2, 80*ms), owned(3, 10*ms)), "Ship:2"},
		{"no player who did half of it", tick(0, owned(1, 45*ms), owned(2, 45*ms)), "Ship"},
		{"nobody is no player", tick(0, owned(0, 80*ms), owned(2, 10*ms)), "Ship"},
		{"the rest of the class, if that is too much", tick(0, owned(1, 60*ms), owned(2, 30*ms), owned(3, 25*ms)), "Ship:1 Ship:2"},
		{"inputs are spared", tick(0, inputs(1, 30*ms), spent("A", 25*ms), spent("B", 30*ms)), "B A"},
		{"and so is game.lua", tick(0, spent(world.GameClass, 35*ms), spent("B", 50*ms)), "B"},
		{"unless they alone are too much", tick(0, inputs(1, 5*ms), inputs(2, 70*ms), spent("A", 10*ms)), "Ship:2/inputs"},
		{"game.lua after inputs", tick(0, inputs(1, 5*ms), spent(world.GameClass, 80*ms), spent("A", 10*ms)), "Ship:1/inputs game"},
	} {
		d := watchdog.New(20 * ms)
		d.Begin()
		if got, _ := d.Exceeded(c.work); said(got) != c.want {
			t.Errorf("%s: %q, want %q", c.what, said(got), c.want)
		}
	}
}

// TestAttempts: a tick that is too much after the first suspects are suspended, too, loses all hooks but inputs and
// game.lua, and then all. The attempts may do two allowances together.
func TestAttempts(t *testing.T) {
	d := watchdog.New(20 * ms)
	if a := d.Begin(); a.Work != 80*ms || !a.Mostly {
		t.Errorf("%+v", a)
	}
	sum := 81 * ms
	who, a := d.Exceeded(tick(0, spent("A", 81*ms)))
	if said(who) != "A" || a.Work != 60*ms || a.Mostly {
		t.Errorf("%q, %+v", said(who), a)
	}
	sum += 61 * ms
	who, a = d.Exceeded(tick(0, spent("B", 61*ms)))
	if said(who) != "" || who[0].Hooks != world.OtherHooks || a.Work != 160*ms-sum {
		t.Errorf("%q, %+v", said(who), a)
	}
	if who, a = d.Exceeded(tick(0, spent("C", 19*ms))); said(who) != "/everything" || a.Work != 0 {
		t.Errorf("%q, %+v", said(who), a)
	}
	if d.Done(tick(5*ms)) != sum+24*ms {
		t.Errorf("all together is not %v", sum)
	}
	// It has learnt what A and B are: of the next tick it suspects all.
	d.Begin()
	if who, _ = d.Exceeded(tick(0, spent("A", 81*ms))); said(who) != "A B" {
		t.Errorf("%q", said(who))
	}
	// A tick in which they did little says that they are little, and after some minutes nothing is known.
	d.Done(tick(0, spent("B", ms)))
	d.Begin()
	if who, _ = d.Exceeded(tick(0, spent("C", 81*ms))); said(who) != "A C" {
		t.Errorf("%q", said(who))
	}
	for range 50 * 160 {
		d.Begin()
		d.Done(tick(0))
	}
	d.Begin()
	if who, _ = d.Exceeded(tick(0, spent("C", 81*ms))); said(who) != "C" {
		t.Errorf("%q", said(who))
	}
}

// TestLargePhysics: a physics step that leaves little room for another attempt leaves a quarter of an allowance for the
// hooks that are not to blame, and then none.
func TestLargePhysics(t *testing.T) {
	d := watchdog.New(20 * ms)
	d.Begin()
	who, next := d.Exceeded(tick(70*ms, spent("A", 75*ms)))
	if said(who) != "A" || next.Work-70*ms != d.Allowance()/4 {
		t.Errorf("%q, then %v", said(who), next.Work)
	}
	if who, _ := d.Exceeded(tick(70*ms, spent("B", 21*ms))); said(who) != "/everything" {
		t.Errorf("%q", said(who))
	}
	d.Done(tick(70 * ms))
	if a := d.Begin(); a.Physics != 70*ms {
		t.Errorf("%+v", a)
	}
}

// TestRewinds: whatever rewinds, ticks and attempts do, up to what they may do, is two allowances in a frame.
func TestRewinds(t *testing.T) {
	for last := time.Duration(0); last <= 80*ms; last += 8 * ms {
		for parts := range 4 { // rewinds before the one that is taken back
			d := watchdog.New(20 * ms)
			d.Begin()
			d.Done(tick(0, spent("A", last)))
			left := parts
			for d.MayRewind() {
				if left--; left < 0 {
					d.Rewound(2*d.MostRewind() + last)
					continue
				}
				d.Rewound(d.MostRewind() / 2)
			}
			a := d.Begin()
			if a.Work < 40*ms || parts == 0 && last <= 60*ms && a.Work < last {
				t.Errorf("after ticks of %v and %d rewinds, a tick may be %v", last, parts, a.Work)
			}
			work := tick(0, spent("A", a.Work))
			for range 3 {
				_, a = d.Exceeded(work)
				work = tick(0, spent("A", a.Work))
			}
			if sum := d.Done(tick(0)); sum > 160*ms {
				t.Errorf("after ticks of %v and %d rewinds, a frame was %v", last, parts, sum)
			}
		}
	}
}
