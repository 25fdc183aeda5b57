package timeline_test

import (
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// drawTimers gives a class timers. A bundle switch keeps those of the same name.
func drawTimers(t *rapid.T, c *world.Class) {
	for _, name := range []string{"bake", "cool", "dry"} {
		if rapid.Bool().Draw(t, "timer") {
			c.Timers = append(c.Timers, name)
		}
	}
	if len(c.Timers) > 0 {
		c.Hooks |= 1 << world.OnTimer
	}
}

// wind starts or stops a timer of an object.
func (c *busyCall) wind(d *action, slot int) error {
	id := c.find(d, slot)
	s, at, ok := c.w.See(id)
	if !ok {
		return nil
	}
	names := c.schema.Classes[s.Objects[at].Class].Timers
	if len(names) == 0 {
		return nil
	}
	if id != c.id {
		c.did.wound++
	}
	i, timers := int(d.every)%len(names), world.TimersOf(c.w, id)
	left, running := timers.Left(i)
	switch {
	case running && left > 0.15:
		return timers.Stop(i)
	case running:
		return c.set(c.id, "mood", (c.own(slot, "mood")+uint64(left*60))%1013)
	}
	return timers.Start(i, float64(d.every)/20, d.amount < 0)
}

// rang is what the function of each timer does, besides the actions that are drawn.
func (c *busyCall) rang(slot, timer int) error {
	c.did.rang++
	return c.set(c.id, "mood", (c.own(slot, "mood")+uint64(timer)+1)%1013)
}
