// Package watchdog decides what a host does about ticks that are too much work: how much a tick may do, and which hooks
// are suspended when it does more. It knows numbers only, and no clock: the same work gives the same decisions.
package watchdog

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// memory is for how long the work of hooks is remembered that do not run: longer than they are suspended.
const memory = 150 * time.Second

// Suspect is a part of the hooks that is to be suspended.
type Suspect struct {
	Class string // "": all classes
	Owner world.PlayerID
	Hooks world.HookGroup
	Work  time.Duration // that it did in the tick, as far as it is known
}

// Dog decides about the ticks of a room. Of each tick it is asked for the Allowance of the first attempt; each attempt
// then ends with Exceeded, which says what to suspend before the next one, or with Done. The attempts of a tick do two
// allowances of work together, and a physics step.
type Dog struct {
	allowance time.Duration
	memory    int // ticks for which it remembers work that it does not see
	attempts  int
	rewound   time.Duration // by the rewinds before the coming tick
	spent     time.Duration // by the rewinds of this tick, and by attempts that were given up
	// what the parts of a tick are known to take: in the last tick that was completed, if they took part in it, in
	// attempts of this one, or in those of ticks before. What does not run because it is suspended is as much work as
	// it was.
	known timeline.Work
	ticks int           // since known was made
	last  timeline.Work // of the last tick that was completed
}

// New returns a Dog for ticks of a length.
func New(tick time.Duration) Dog {
	return Dog{allowance: timeline.Allowed(tick), memory: int(memory / max(tick, 1))}
}

// Allowance returns how much work a tick may be.
func (d *Dog) Allowance() time.Duration { return d.allowance }

// Last returns the work of the last tick that was completed. It belongs to the Dog.
func (d *Dog) Last() *timeline.Work { return &d.last }

// Spent returns the work of the rewind of this tick, and of the attempts that were given up.
func (d *Dog) Spent() time.Duration { return d.spent }

// MostRewind returns how much work a rewind may be. More is given up, and undone, which takes as much again, and a
// whole tick: all that is an allowance, unless a tick alone is nearly as much.
func (d *Dog) MostRewind() time.Duration { return max((d.allowance-d.last.Sum())/2, d.allowance/8) }

// MayRewind reports whether there may be a rewind before the coming tick: the first one, and more while they leave what
// the tick needs, even if the next one is given up.
func (d *Dog) MayRewind() bool {
	return d.rewound == 0 || d.rewound+2*d.MostRewind()+d.last.Sum() <= d.allowance*5/4
}

// Rewound notes the work of a rewind before the coming tick.
func (d *Dog) Rewound(work time.Duration) { d.rewound += work }

// Begin begins a tick and returns what its first attempt may do: what the rewinds and one more attempt leave of two
// allowances.
func (d *Dog) Begin() timeline.Allowance {
	d.attempts, d.spent, d.rewound = 0, d.rewound, 0
	work := min(d.allowance, max(2*d.allowance-d.spent-d.allowance/4, d.allowance/4))
	return timeline.Allowance{Work: work, Physics: d.last.Physics, Mostly: true}
}

// Exceeded returns the hooks that are to be suspended, because an attempt did more than it was allowed to do, and what
// the next attempt may do. First it suspends those that did most, until the rest is half an allowance. If that does not
// help, it suspends all hooks but those that apply players' inputs and those of game.lua, and in the end all.
func (d *Dog) Exceeded(w *timeline.Work) (suspects []Suspect, next timeline.Allowance) {
	if d.attempts == 0 {
		d.remember()
	}
	d.attempts++
	d.spent += w.Sum()
	d.known.Physics = max(d.known.Physics, w.Physics)
	for _, s := range w.By {
		if known := d.part(s); known.Work < s.Work {
			known.Work = s.Work
		}
	}
	left := 2*d.allowance - d.spent - d.known.Physics
	next = timeline.Allowance{Work: min(left+d.known.Physics, d.allowance*3/4), Physics: d.known.Physics}
	switch {
	case d.attempts == 1: // a rewind, or a hook that could not be interrupted, may have left nothing
		next.Work = max(next.Work, d.allowance/4+d.known.Physics)
		if suspects = choose(&d.known, d.allowance/2); len(suspects) > 0 {
			return suspects, next
		}
	case d.attempts == 2 && left >= d.allowance/8:
		next.Work = left + d.known.Physics
		return []Suspect{{Hooks: world.OtherHooks, Work: w.Hooks}}, next
	}
	return []Suspect{{Hooks: world.AllHooks, Work: w.Hooks}}, timeline.Allowance{}
}

// Done ends a tick. most is its work, with that of the attempts that were given up.
func (d *Dog) Done(w *timeline.Work) (most time.Duration) {
	d.ticks++
	d.last.Hooks, d.last.Physics, d.last.By = w.Hooks, w.Physics, append(d.last.By[:0], w.By...)
	return d.spent + w.Sum()
}

// remember makes known what is known before the first attempt has failed.
func (d *Dog) remember() {
	if d.ticks > d.memory {
		d.known.By = d.known.By[:0]
	}
	d.ticks, d.known.Physics = 0, d.last.Physics
	for _, s := range d.last.By {
		d.part(s).Work = s.Work
	}
}

// part returns what is known of a part of the hooks.
func (d *Dog) part(of timeline.Spent) *timeline.Spent {
	i := slices.IndexFunc(d.known.By, func(k timeline.Spent) bool {
		return k.Class == of.Class && k.Owner == of.Owner && k.Hooks == of.Hooks
	})
	if i < 0 {
		of.Work = 0
		d.known.By = append(d.known.By, of)
		i = len(d.known.By) - 1
	}
	return &d.known.By[i]
}

// choose returns the hooks without which a tick is at most so much work. What players do with their own objects, and
// then game.lua, are the last to go: they are suspended only if the tick would be too much without all others.
func choose(w *timeline.Work, limit time.Duration) (suspects []Suspect) {
	var others, inputs, game []timeline.Spent
	rest := w.Physics
	for _, s := range w.By {
		rest += s.Work
		switch {
		case s.Hooks == world.InputHooks:
			inputs = append(inputs, s)
		case s.Class == world.GameClass:
			game = append(game, s)
		default:
			others = append(others, s)
		}
	}
	least := rest - sum(others)
	for _, list := range [...][]timeline.Spent{inputs, game} {
		picked, saved := pick(list, least-limit)
		suspects, least, rest = append(suspects, picked...), least-saved, rest-saved
	}
	picked, _ := pick(others, rest-limit)
	return append(suspects, picked...)
}

func sum(list []timeline.Spent) (n time.Duration) {
	for _, s := range list {
		n += s.Work
	}
	return n
}

// pick returns what to suspend so that so much is saved, and how much it saves: the class that did most first, and of
// it only the objects of a player who did more than half of that.
func pick(list []timeline.Spent, save time.Duration) (suspects []Suspect, saved time.Duration) {
	for saved < save {
		s, ok := worst(list)
		if !ok {
			break
		}
		suspects, saved = append(suspects, s), saved+s.Work
		list = slices.DeleteFunc(list, func(l timeline.Spent) bool {
			return l.Class == s.Class && (s.Owner == 0 || l.Owner == s.Owner)
		})
	}
	return suspects, saved
}

// worst returns the class that did most, with its owner if one did more than half of that; ok is false if nothing was
// done.
func worst(list []timeline.Spent) (s Suspect, ok bool) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b timeline.Spent) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(b.Work, a.Work), cmp.Compare(a.Owner, b.Owner))
	})
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Class == list[from].Class {
			to++
		}
		class := list[from:to]
		of := Suspect{Class: class[0].Class, Hooks: class[0].Hooks, Work: sum(class)}
		if of.Work > s.Work {
			if s = of; class[0].Owner != 0 && 2*class[0].Work > of.Work {
				s.Owner, s.Work = class[0].Owner, class[0].Work
			}
		}
		from = to
	}
	return s, s.Work > 0
}
