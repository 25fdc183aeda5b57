package stub

import "github.com/hindcast/hindcast/world"

// GiveRooms gives a setup levels, or none, and changes what is in the main one. n says which, so that a bundle switch
// between two of them moves walls, changes how many objects there are, or drops the level in force.
func GiveRooms(s *world.Setup, n int) {
	pit := world.Level{
		Name:   "pit",
		Width:  14,
		Height: 14,
		Walls: []world.Wall{{
			Y: -6,
			W: 14,
			H: 1,
		}, {
			X: -6.5,
			W: 1,
			H: 12,
		}, {
			X: 6.5,
			W: 1,
			H: 12,
		}, {
			Y:     2,
			W:     4,
			H:     0.4,
			Angle: 0.3,
		}},
		Spawns: []world.Spawn{{
			Class: "Crate",
			Count: 3,
			Y:     4,
			W:     8,
		}, {
			Class: "Bullet",
			Count: 2,
			Y:     5,
			W:     6,
			Speed: 3,
		}},
	}
	yard := world.Level{
		Name:   "yard",
		Width:  22,
		Height: 22,
		Walls:  s.Walls,
		Spawns: []world.Spawn{{Class: "Crate", Count: 5, W: 12, H: 12, Speed: 2}},
	}
	s.Levels = [][]world.Level{{pit, yard}, {yard}, nil, {yard, pit}}[n%4]
	s.Walls, s.Spawns = append([]world.Wall(nil), s.Walls...), append([]world.Spawn(nil), s.Spawns...)
	s.Walls[n%3].Friction = float64(n%2) / 2
	s.Spawns[0].Count = 3 + n%3/2
}

// moveOn begins another level, now and then: a ship asks for it that fires in a certain tick.
func moveOn(w world.Actor) error {
	setup := &w.Schema().Setup
	levels, t, often := setup.LevelNames(), int(w.State().Tick), 2*setup.TickRate
	if len(levels) == 1 || t%often != 0 {
		return nil
	}
	return world.LevelsOf(w).Change(levels[t/often%len(levels)])
}
