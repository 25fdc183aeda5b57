package timeline_test

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// tally counts what the hooks of many matches did.
type tally struct {
	actions    map[string]int // by kind
	givenUp    int            // ticks that were given up as too much work
	takenBack  int            // rewinds that were taken back, because they were too much work
	cut        int            // rewinds that ended early, because a predicted tick was too much work
	slices     int            // of rewinds that were left
	left       int            // rewinds that were left until after the next tick
	undone     int            // hooks that made the interpreter fail
	parted     int            // calls of hooks for a joint that ended
	pressed    int            // calls of hooks with presses
	sighted    int            // poses that asSeen took from a sight
	faded      int            // calls with a repeated number that has faded
	aux        int            // changes of aux fields
	stats      int            // actions about the states of players
	caused     int            // provenance steps of objects that differed
	hostEvents [world.SuspendEvent + 1]int
	called     int // calls of functions that ran
	failed     int // host events that failed
	paused     int // pauses of hooks
	again      int // of these, pauses of hooks that had been paused and ran again
	rang       int // functions of timers that ran
	sensed     int // calls of onTrigger between two bodies of which none is dynamic
	wound      int // timers of another object that one starts, stops or asks for
	levels     int // that began after the first
	rings      int // objects that were let go, because two attached each other
	summed     int // sums of a number of an object to which another one adds in the same order, one after the other
	seated     int // players who were given an object that nobody owned
}

// rarely are the kinds of actions that tie, break and fail.
var rarely = []string{"tie", "tie", "pull", "attach", "attach", "embrace", "embrace", "detach", "cue", "cue", "crash", "crash", "list", "list", "walk", "toil", "level", "seat", "seat", "reset"}

// errCrash is the error of a hook that made the interpreter fail. What the hook did is undone.
var errCrash = errors.New("the interpreter failed")

// guarded runs a hook, and undoes what it did if it crashed.
func (c *busyCall) guarded(h world.Hook, run func() error) error {
	mark := c.w.Calls().Mark()
	err := run()
	if !errors.Is(err, errCrash) {
		return err
	}
	c.did.undone++
	c.w.Calls().Undo(mark)
	return &world.ScriptError{File: "busy.lua", Line: 1, Hook: h, Message: err.Error(), Panic: true}
}

// doRarely does the actions of rarely to the object id, seen in slot at of s.
func (c *busyCall) doRarely(d *action, slot int, id world.ObjectID, s *world.State, at int) error {
	switch d.what {
	case "tie":
		return c.tie(d, slot, id, s.Body(at))
	case "pull":
		tied := world.ObjectID(c.own(slot, "tied"))
		if _, holds := c.w.SeeJoint(tied); !holds {
			return c.set(c.id, "tied", 0)
		}
		if d.every%2 == 0 {
			return c.w.Do(world.Op{Target: tied, Kind: world.Remove})
		}
		return c.w.Do(world.Op{Target: tied, Kind: world.SetMotor, A: d.amount, B: 20})
	case "attach":
		return ignored(c.w.Attach(c.id, id, 0.9, d.amount/3))
	case "embrace": // while others attach this one, in the same order
		return ignored(c.w.Attach(id, c.id, 0.9, d.amount/3))
	case "detach":
		return c.w.Detach(id)
	case "cue":
		return c.w.Cue("boom", world.CueTo(d.every%3), world.CueWhen(d.every%2), float64(d.every%3), []world.CueField{{Name: "mood", Number: float64(c.own(slot, "mood"))}})
	case "crash":
		if c.own(slot, "mood")%4 == 1 {
			_ = c.w.Cue("undone", world.CueAll, world.CuePredicted, 0, nil)
			return errCrash
		}
		return nil
	case "list":
		return c.list(d, id)
	case "walk":
		bumps, err := c.w.MoveAndSlide(d.amount/4, 0.1)
		if err != nil {
			return ignored(err)
		}
		return c.set(c.id, "mood", (c.own(slot, "mood")*3+uint64(len(bumps)))%1013)
	case "level":
		return c.climb(d, slot)
	case "seat":
		return c.seat(d, slot, int(s.Objects[at].Class))
	case "reset":
		_, err := world.LineupOf(c.w).ResetStats()
		return err
	case "toil":
		c.w.Calls().Spend(slot, 10)
		return c.set(c.id, "mood", (c.own(slot, "mood")+uint64(c.w.Calls().Spent(slot)))%1013)
	}
	return nil
}

// ignored drops an error that a script could not have foreseen.
func ignored(err error) error {
	if errors.Is(err, world.ErrBody) || errors.Is(err, physics.ErrJoint) || errors.Is(err, world.ErrRemoved) {
		return nil
	}
	return err
}

// tie ties the object to another with a joint that may break, or, if it has no
// body, to the world.
func (c *busyCall) tie(d *action, slot int, id world.ObjectID, other *physics.Body) error {
	self := *c.w.State().Body(slot)
	if _, holds := c.w.SeeJoint(world.ObjectID(c.own(slot, "tied"))); holds || self.Key == 0 {
		return nil
	}
	j := physics.NewJoint(0, physics.Hinge, &self, nil, physics.Vec{X: self.X + 1, Y: self.Y})
	switch {
	case other.Key == 0 || id == c.id:
	case d.every%2 == 0:
		j = physics.NewDistance(0, &self, other, self.Position(), other.Position())
		j.Flags, j.Max = physics.JointLimits, j.Length
	default:
		j = physics.NewJoint(0, physics.Weld, &self, other, other.Position())
	}
	j.BreakForce = 5 + math.Abs(d.amount)*20
	at, err := c.w.Tie(j)
	if err != nil {
		return ignored(err)
	}
	return c.set(c.id, "tied", uint64(c.w.State().Objects[at].ID))
}

// list changes a list of an object: its items or its length.
func (c *busyCall) list(d *action, id world.ObjectID) error {
	s, slot, ok := c.w.See(id)
	if !ok {
		return nil
	}
	field, n := c.field(s, slot, "#list")
	if field < 0 {
		return nil // a joint
	}
	op := world.Op{Target: id, Field: field, Kind: world.InsertItem, Word: uint64(d.every)}
	switch {
	case n >= 3:
		op.Kind = world.ClearItems
	case d.every%3 == 0 && n > 0:
		op.Kind = world.RemoveItem
	case d.every%3 == 1 && n > 0:
		op.Kind, op.Item = world.SetItem, 1
	}
	err := c.w.Do(op)
	if errors.Is(err, world.ErrNoItem) {
		return nil
	}
	return err
}

// missing says which actions, and which of their effects, were too rare in a number of matches.
// A small number of matches need not have them all.
func (n *tally) missing(matches int) string {
	if matches < 100 {
		return ""
	}
	for _, what := range append(slices.Clone(whats), rarely...) {
		if n.actions[what] < matches {
			return fmt.Sprintf("%d actions %q in %d matches", n.actions[what], what, matches)
		}
	}
	for kind := world.OwnershipEvent; kind <= world.SuspendEvent; kind++ {
		least := matches
		if kind == world.SuspendEvent { // few matches have any, because most of a match is quiet after one
			least = matches / 50
		}
		if kind.ByHost() && n.hostEvents[kind] < least {
			return fmt.Sprintf("%d host events %q in %d matches", n.hostEvents[kind], kind, matches)
		}
	}
	if n.takenBack+n.cut < matches/2 {
		return fmt.Sprintf("in %d matches %d rewinds were taken back, and %d cut short", matches, n.takenBack, n.cut)
	}
	if n.cut > 0 && (n.slices < matches/4 || n.left < matches/8) { // a host leaves none
		return fmt.Sprintf("in %d matches %d slices of rewinds were left, %d until after the next tick", matches, n.slices, n.left)
	}
	if n.givenUp < matches {
		return fmt.Sprintf("in %d matches %d ticks were given up", matches, n.givenUp)
	}
	if n.called < matches || n.failed < matches {
		return fmt.Sprintf("in %d matches %d calls of functions, and %d host events that failed", matches, n.called, n.failed)
	}
	if n.paused < matches || n.again < matches/4 {
		return fmt.Sprintf("in %d matches %d pauses of hooks, %d of them after an earlier one", matches, n.paused, n.again)
	}
	if n.rings < matches/10 {
		return fmt.Sprintf("in %d matches %d pairs of objects attached each other", matches, n.rings)
	}
	if n.undone < matches || n.parted < matches || n.pressed < matches || n.faded < matches || n.caused < matches || n.stats < matches || n.rang < matches || n.sensed < matches/4 || n.wound < matches || n.levels < matches || n.seated < matches || n.summed < matches/4 {
		return fmt.Sprintf("in %d matches %d hooks undone, %d calls for joints that ended, %d with presses, %d with faded numbers, %d provenance steps, %d actions about states of players, %d timers, %d of others, %d kinematic bodies in sensors, %d levels, %d objects given to players, %d sums by two objects", matches, n.undone, n.parted, n.pressed, n.faded, n.caused, n.stats, n.rang, n.wound, n.sensed, n.levels, n.seated, n.summed)
	}
	return ""
}

func (c *busyCall) do(d *action, slot int) error {
	c.did.actions[d.what]++
	switch d.what {
	case "spawn":
		return c.breed(d, slot)
	case "count":
		class, _ := c.schema.ClassByName(d.class)
		c.w.Calls().LimitWork(0)
		switch c.out = c.out[:0]; d.whom {
		case "circle", "box", "nearest", "ray":
			c.find(d, slot)
		default:
			c.out = c.w.Queries().OfClass(class, c.out)
		}
		return c.set(c.id, "mood", (c.own(slot, "mood")*3+uint64(len(c.out)+c.w.Calls().Work()))%1013)
	case "luck":
		if word := math.Float64bits(c.w.Random()); word>>20%2 == 0 {
			return c.set(c.id, "mood", word>>20)
		}
		return nil
	case "peer":
		return c.peer(d, slot)
	case "wind":
		return c.wind(d, slot)
	case "ripen":
		if c.args.Input.Buttons != 0 {
			return c.set(c.id, "brood", 2)
		}
		return nil
	}
	id := c.find(d, slot)
	s, at, ok := c.w.See(id)
	if !ok {
		return nil
	}
	return c.doTo(d, slot, id, s, at)
}

// peer looks for objects where a player's screen showed them.
func (c *busyCall) peer(d *action, slot int) error {
	seen := d.seen
	if in := c.args.Input.ViewTime; in != (world.ViewTime{}) {
		seen = in
	}
	c.w.BeginAsSeen(seen, c.args.Sight)
	id := c.find(d, slot)
	found := uint64(len(c.out))
	if s, at, ok := c.w.See(id); ok {
		found += uint64(id)%97 + square(c.w.SeenBody(id, s.Body(at)))
		if _, ok := c.args.Sight.Find(id); ok {
			c.did.sighted++
		}
	}
	c.w.EndAsSeen()
	return c.set(c.id, "mood", (c.own(slot, "mood")*5+found)%1019)
}

// doTo does a action to the object id, seen in slot at of s.
func (c *busyCall) doTo(d *action, slot int, id world.ObjectID, s *world.State, at int) error {
	op := world.Op{Target: id, A: d.amount, B: -d.amount / 2}
	_, mood := c.field(s, at, "mood")
	switch d.what {
	case "look":
		_, score := c.field(s, at, "score")
		seen := square(s.Body(at)) ^ mood>>3 ^ uint64(s.Objects[at].Owner) ^ score>>49
		return c.set(c.id, "mood", (c.own(slot, "mood")+seen)%1009)
	case "befriend":
		return c.set(c.id, "friend", uint64(id))
	case "mark":
		if err := c.sum(d, id, s, at); err != nil {
			return err
		}
		return c.set(id, "mood", (mood+uint64(d.every))%503)
	case "fail":
		if d.every%2 == 0 || c.own(slot, "mood")%3 == 0 { // again and again, until it is paused
			return fmt.Errorf("%w: about %s", errBusy, id)
		}
		return nil
	case "push":
		op.Kind = world.AddImpulse
	case "speed":
		op.Kind = world.SetVelocity
	case "force":
		op.Kind = world.SetForce
	case "place":
		op.Kind, op.A, op.B = world.SetPosition, math.Mod(s.Body(at).X+d.amount, 5), math.Mod(s.Body(at).Y+1, 5)
	case "give":
		op.Kind, op.Word = world.SetOwner, (mood+uint64(d.every))%4
	case "remove":
		if s.Objects[at].Owner != 0 && mood%5 != 0 {
			return nil // else there would soon be no object to steer
		}
		op.Kind = world.Remove
	default:
		return c.doRarely(d, slot, id, s, at)
	}
	return c.w.Do(op)
}

// sum computes with a number of an object, which is clamped and rounded.
func (c *busyCall) sum(d *action, id world.ObjectID, s *world.State, at int) error {
	kinds := []world.OpKind{world.AddWord, world.AddWord, world.MultiplyWord, world.DivideWord}
	by := []float64{1, -0.75, 1.5, 2}
	i, _ := c.field(s, at, "score")
	if i < 0 {
		return nil
	}
	if before := c.summed; before.of == id && before.tick == c.w.State().Tick && before.by != c.id {
		if _, asked := c.w.Asked(before.by, id, func(op *world.Op) bool { return op.Kind == world.AddWord }); asked {
			c.did.summed++
		}
	}
	c.summed = lastSum{id, c.id, c.w.State().Tick}
	n := d.every % uint64(len(kinds))
	return c.w.Do(world.Op{Target: id, Kind: kinds[n], Field: i, Word: world.NumberBits(by[n])})
}

// breed spawns an object that may spawn fewer than its parent may.
func (c *busyCall) breed(d *action, slot int) error {
	brood, b := c.own(slot, "brood"), *c.w.State().Body(slot)
	if brood == 0 || c.depth > maxBirths {
		return nil
	}
	if err := c.set(c.id, "brood", brood-1); err != nil {
		return err
	}
	if err := c.spawn(slot, d.class, world.Placement{Pose: physics.Pose{X: math.Mod(b.X+d.amount, 6), Y: math.Mod(b.Y, 6)}, Velocity: physics.Velocity{VX: d.amount * 3, VY: 1}}); err != nil {
		return err
	}
	return c.set(c.child, "brood", brood-1)
}

// placeOf returns the placement with which an object of a class can be spawned.
func placeOf(class string, p world.Placement) world.Placement {
	if class == bodiless {
		return world.Placement{Owner: p.Owner}
	}
	return p
}

func (c *busyCall) spawn(slot int, class string, p world.Placement) error {
	at, err := c.w.Spawn(class, placeOf(class, p))
	if err != nil {
		return err
	}
	c.child = c.w.State().Objects[at].ID
	if c.w.Class(at).Hooks.Has(world.OnSpawn) {
		if err := c.call(c.w, world.OnSpawn, at, &world.Args{}, c.depth+1); err != nil {
			c.w.Calls().Fault(at, world.OnSpawn, err)
		}
	}
	return nil
}

// mostBack is by how many ticks, at most, screens show the past in these matches.
const mostBack = 20

func drawSeen(t *rapid.T) world.ViewTime {
	most := rapid.SampledFrom([]uint16{4, 4, mostBack}).Draw(t, "most") // recent ticks may be simulated again, too
	return world.ViewTime{Back: rapid.Uint16Range(1, most*world.ViewParts).Draw(t, "back"), All: rapid.IntRange(0, 9).Draw(t, "all") > 0}
}

// seenRules returns the rules of a class that asSeen moves, or nil.
func seenRules(seen bool) *world.SeenRules {
	if !seen {
		return nil
	}
	return &world.SeenRules{}
}
