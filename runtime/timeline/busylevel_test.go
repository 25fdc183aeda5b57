package timeline_test

import (
	"slices"

	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// drawLevels gives a setup levels, and sometimes changes the main one, so that a bundle switch changes the level in force.
func drawLevels(t *rapid.T, s world.Setup) world.Setup {
	s.Walls, s.Spawns = slices.Clone(s.Walls), slices.Clone(s.Spawns)
	if rapid.Bool().Draw(t, "moved") {
		s.Walls[1].X += 0.5
	}
	if rapid.IntRange(0, 3).Draw(t, "spawned") == 0 {
		s.Spawns[0].Count++
	}
	for _, name := range rapid.Permutation([]string{"cave", "roof"}).Draw(t, "levels")[:rapid.IntRange(0, 2).Draw(t, "of")] {
		l := world.Level{Name: name, Width: 8, Height: 8, Walls: []world.Wall{{Y: -4, W: 8, H: 1}, {X: rapid.Float64Range(-3, 3).Draw(t, "x"), W: 0.5, H: 3}}}
		for _, sp := range s.Spawns {
			if rapid.Bool().Draw(t, "kept") {
				sp.Count = rapid.IntRange(1, 2).Draw(t, "count")
				l.Spawns = append(l.Spawns, sp)
			}
		}
		s.Levels = append(s.Levels, l)
	}
	return s
}

// climb asks for a level, not in every tick. In others it notes the size of that in force.
func (c *busyCall) climb(d *action, slot int) error {
	names := c.schema.Setup.LevelNames()
	if uint64(c.w.State().Tick)%8 != d.every {
		return c.set(c.id, "mood", (c.own(slot, "mood")+uint64(world.LevelsOf(c.w).InForce().Width))%1013)
	}
	return world.LevelsOf(c.w).Change(names[int(d.amount*d.amount*10)%len(names)])
}

// begun counts the levels that have begun. What the match knows of a level depends on its size.
func (c *busyCall) begun(slot int) error {
	if c.w.State().Tick > 1 {
		c.did.levels++
	}
	l := world.LevelsOf(c.w).InForce()
	return c.set(c.id, "mood", (c.own(slot, "mood")+uint64(l.Width)+uint64(len(l.Name)))%1013)
}
