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

// wind starts or stops a timer of the acting object.
func (c *busyCall) wind(d *action, slot int) error {
	timers := c.w.Class(slot).Timers
	if len(timers) == 0 {
		return nil
	}
	i := int(d.every) % len(timers)
	left, running := world.TimersOf(c.w).Left(i)
	switch {
	case running && left > 0.15:
		return world.TimersOf(c.w).Stop(i)
	case running:
		return c.set(c.id, "mood", (c.own(slot, "mood")+uint64(left*60))%1013)
	}
	return world.TimersOf(c.w).Start(i, float64(d.every)/20, d.amount < 0)
}

// rang is what the function of each timer does, besides the actions that are drawn.
func (c *busyCall) rang(slot, timer int) error {
	c.did.rang++
	return c.set(c.id, "mood", (c.own(slot, "mood")+uint64(timer)+1)%1013)
}
