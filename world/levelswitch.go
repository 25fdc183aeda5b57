package world

import "slices"

// levelSwitch is what a bundle switch does to the level in force. It replaces the walls if their declaration
// differs. It replaces the objects of a class that nobody owns if the class's entries in the level differ, or if the
// level is lost.
type levelSwitch struct {
	old, new Level
	number   int  // of the new one
	lost     bool // the old level is not in the new bundle, whose main level begins
	walls    bool // the walls are replaced
}

// levelSwitchOf compares the level that is in force in a state with that of another schema.
func levelSwitchOf(s *State, from, to *Schema) levelSwitch {
	var l levelSwitch
	l.old, _ = from.Setup.level(levelOf(s, from))
	l.number = max(slices.Index(to.Setup.LevelNames(), l.old.Name), 0)
	l.new, _ = to.Setup.level(l.number)
	l.lost = l.new.Name != l.old.Name
	l.walls = !slices.Equal(l.old.Walls, l.new.Walls)
	return l
}

// replaces reports whether the objects of a class that nobody owns are replaced.
func (l *levelSwitch) replaces(class string) bool {
	if class == WallClass {
		return l.walls
	}
	old, now := l.old.spawnsOf(class), l.new.spawnsOf(class)
	return l.lost && len(old)+len(now) > 0 || !slices.EqualFunc(old, now, sameSpawn)
}

// spawnsOf returns the entries of a class.
func (l *Level) spawnsOf(class string) (list []Spawn) {
	for _, sp := range l.Spawns {
		if sp.Class == class {
			list = append(list, sp)
		}
	}
	return list
}

func sameSpawn(a, b Spawn) bool {
	return a.Class == b.Class && a.Count == b.Count && a.X == b.X && a.Y == b.Y && a.W == b.W && a.H == b.H &&
		a.Speed == b.Speed &&
		slices.Equal(a.Fields, b.Fields)
}

// wallsFurther returns by how much the numbers of the walls that stay are higher than before.
func (l *levelSwitch) wallsFurther(from, to *Schema) int {
	return to.Setup.firstWall(l.new.Name) - from.Setup.firstWall(l.old.Name)
}

// MigrateLevel spawns the walls and the objects of the level that a bundle switch declares in another way than the
// bundle before, after Migrate has removed those before. from and before are the schema and the state before the
// switch. spawned is as in SpawnLevel. If the level in force is not in the new bundle, lost is true, and the main one
// begins.
func (w *World) MigrateLevel(from *Schema, before *State, spawned func(slot int, e *Event)) (lost bool) {
	game, ok := w.Match()
	if !ok {
		return false
	}
	l := levelSwitchOf(before, from, w.Schema())
	if !slices.Equal(from.Setup.LevelNames(), w.Schema().Setup.LevelNames()) {
		w.setLevel(game, l.number) // and no other one is to come: its number may be that of another level now
	}
	if l.walls {
		w.spawnWalls(game, l.new)
	}
	w.spawnObjects(
		game,
		slices.DeleteFunc(slices.Clone(l.new.Spawns), func(sp Spawn) bool { return !l.replaces(sp.Class) }),
		spawned,
	)
	return l.lost
}
