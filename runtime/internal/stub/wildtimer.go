package stub

import (
	"errors"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// giveTimers gives classes timers. A bundle switch keeps the timer pulse, and stops the others.
func giveTimers(classes []world.Class, other bool) {
	for i := range classes {
		c := &classes[i]
		if !slices.Contains([]string{"Ship", "Racer", "Crate", "Walker", "Glider"}, c.Name) {
			continue
		}
		c.Timers = []string{"flare", "pulse"}
		if other {
			c.Timers = []string{"glow", "pulse"}
		}
		c.Hooks |= 1 << world.OnTimer
	}
}

// wind starts, sometimes, a timer of an object, which may be another than the acting one, or stops it.
func wind(w world.Actor, id world.ObjectID) error {
	s, slot, ok := w.See(id)
	if !ok || w.Random() < 0.5 {
		return nil
	}
	t, i := world.TimersOf(w, id), slices.Index(w.Schema().Classes[s.Objects[slot].Class].Timers, "pulse")
	if i < 0 {
		return nil
	}
	if left, running := t.Left(i); running && left > 0.1 {
		return t.Stop(i)
	}
	if err := t.Start(1-i, w.Random()/4, false); err != nil {
		return err
	}
	return t.Start(i, w.Random()/2, true)
}

// rings is what the timer of an object does: it pushes or moves the object, may spawn a bullet, and may fail.
func rings(w world.Actor, slot, timer int) error {
	id, b, name := w.State().Objects[slot].ID, w.State().Body(slot), w.Class(slot).Timers[timer]
	if w.Random() < 0.1 {
		return errors.New("the timer failed")
	}
	if name == "pulse" && w.Random() < 0.2 {
		return world.TimersOf(w, id).Stop(timer)
	}
	if name == "glow" {
		_, err := w.Spawn("Bullet", world.Placement{Pose: physics.Pose{X: b.X, Y: b.Y + 1}})
		return err
	}
	if w.Schema().Defs[b.Def].Type == physics.Dynamic {
		return w.Do(world.Op{Target: id, Kind: world.AddImpulse, A: w.Random() - 0.5, B: math.Abs(w.Random() - 0.5)})
	}
	return w.Do(world.Op{Target: id, Kind: world.SetDirection, A: w.Random()})
}

// timerRuns reports whether a timer of an object runs.
func timerRuns(c *world.Class, row world.Row) bool {
	for i := len(c.Declared()); i < len(c.Fields); i++ {
		for _, name := range c.Timers {
			if c.Fields[i].Name == "timer "+name && row.Word(&c.Fields[i]) != 0 {
				return true
			}
		}
	}
	return false
}
