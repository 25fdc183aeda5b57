package runtime

import (
	"errors"
	"log/slog"
	"math"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// InterestCounts tells what it took to find out whom clients are told of.
type InterestCounts struct {
	Asked   int `json:"asked"`   // times that game.lua's relevant was asked
	Failed  int `json:"failed"`  // and failed
	Skipped int `json:"skipped"` // and was not asked, because a tick has room for so many
}

// Limits of what a host asks a RelevancyHook, which may be slow.
const (
	maxAsked    = 4096 // in a tick
	askedWithin = 15   // ticks that an answer holds, of objects that are no secret
)

// leaveFactor is how much further than its range an object has to go to be no
// longer told of: it must not come and go at the border.
const leaveFactor = 1.1

// interest decides whom clients are told of, of the objects that they do not
// simulate.
type interest struct {
	schema *world.Schema
	ranges []float64           // by class, metres; 0: no limit
	secret bool                // there is a Hidden class
	judge  world.RelevancyHook // nil: the game has no say
	asked  int                 // in this tick
	counts InterestCounts
	errors *errorLog
	log    *slog.Logger
}

// rule takes over what a bundle says.
func (n *interest) rule(script world.Script, rules *bundle.SnapshotRules) {
	schema := script.Schema()
	if n.schema == schema {
		return
	}
	n.schema, n.secret, n.judge = schema, false, nil
	if j, ok := script.(world.RelevancyHook); ok && j.HasRelevancy() {
		n.judge = j
	}
	n.ranges = n.ranges[:0]
	for i := range schema.Classes {
		n.ranges = append(n.ranges, rules.RangeOf(&schema.Classes[i]))
		n.secret = n.secret || schema.Classes[i].Hidden
	}
}

// all reports whether everybody is told of everything.
func (n *interest) all() bool {
	for _, r := range n.ranges {
		if r != 0 {
			return false
		}
	}
	return n.judge == nil && !n.secret
}

// outlook is what one client is told of.
type outlook struct {
	own   []int32   // the slots of his objects
	known []verdict // by slot
	slots []int32
}

// verdict is whether a client is told of an object.
type verdict struct {
	id    world.ObjectID
	told  bool
	asked world.Tick // when the hook gave its last answer; 0: never
	said  bool       // that answer
}

// pick gives those of slots, objects with a body, that a player is told of, in
// the same order. The slice is valid until the next call.
func (o *outlook) pick(n *interest, w *world.World, player world.PlayerID, slots []int32) []int32 {
	if n.all() {
		return slots
	}
	s := w.Now
	o.own, o.slots = o.own[:0], o.slots[:0]
	for _, slot := range s.Run { // the oldest object comes first
		if s.Objects[slot].Owner == player && s.Body(int(slot)).Key != 0 {
			o.own = append(o.own, slot)
		}
	}
	for len(o.known) < len(s.Objects) {
		o.known = append(o.known, verdict{})
	}
	for _, slot := range slots {
		v := &o.known[slot]
		if id := s.Objects[slot].ID; v.id != id {
			*v = verdict{id: id}
		}
		if v.told = o.tell(n, w, player, int(slot), v); v.told {
			o.slots = append(o.slots, slot)
		}
	}
	return o.slots
}

func (o *outlook) tell(n *interest, w *world.World, player world.PlayerID, slot int, v *verdict) bool {
	ob := &w.Now.Objects[slot]
	hidden, reach := n.schema.Classes[ob.Class].Hidden, n.ranges[ob.Class]
	switch {
	case ob.Owner == player:
		return true
	case len(o.own) == 0: // he looks on
		return !hidden
	case reach > 0 && !o.near(w.Now, slot, reach, v.told):
		return false
	case n.judge != nil:
		return o.ask(n, w, slot, v, hidden)
	}
	return !hidden || reach > 0
}

// near reports whether an object is in range of one of the player's.
func (o *outlook) near(s *world.State, slot int, reach float64, told bool) bool {
	if told {
		reach *= leaveFactor
	}
	at := s.Body(slot)
	for _, own := range o.own {
		if b := s.Body(int(own)); math.Hypot(b.X-at.X, b.Y-at.Y) <= reach {
			return true
		}
	}
	return false
}

// ask has the hook's answer: a fresh one of what is secret, else perhaps one
// of a moment ago. No answer is a no for what is secret, else a yes.
func (o *outlook) ask(n *interest, w *world.World, slot int, v *verdict, hidden bool) bool {
	now := w.Now.Tick
	if !hidden && v.asked != 0 && now < v.asked+askedWithin {
		return v.said
	}
	if n.asked >= maxAsked {
		n.counts.Skipped++
		return !hidden && (v.asked == 0 || v.said)
	}
	n.asked++
	n.counts.Asked++
	said, err := n.judge.Relevant(w, int(o.own[0]), slot)
	if err != nil {
		n.counts.Failed++
		n.complain(w, err)
		said = !hidden
	}
	v.asked, v.said = now, said
	return said
}

// report is nil in a game that has no say.
func (n *interest) report() *InterestCounts {
	if n.judge == nil {
		return nil
	}
	return &n.counts
}

// complain logs what went wrong with relevant, each kind once.
func (n *interest) complain(w *world.World, err error) {
	n.errors.once("relevant"+err.Error(), func() {
		text, folder := err.Error(), n.errors.folder
		if se := (*world.ScriptError)(nil); errors.As(err, &se) {
			text = se.In(folder)
		}
		n.log.Error(text, "tick", uint32(w.Now.Tick), "hook", "relevant")
	})
}
