package scripts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// readLevels reads the main level, and each [level.NAME].
func (g *Game) readLevels(top *table) {
	s := &g.Bundle.Setup
	main := world.Level{Name: world.MainLevel, Width: s.Width, Height: s.Height}
	arena := top.sub("arena")
	g.readLevel(&main, arena, top)
	arena.done()
	s.Width, s.Height, s.Walls, s.Spawns = main.Width, main.Height, main.Walls, main.Spawns
	levels := top.sub("level")
	for _, name := range levels.keys() {
		t := levels.sub(name)
		l := world.Level{Name: name, Width: main.Width, Height: main.Height}
		switch {
		case name == world.MainLevel:
			levels.wrong(name,
				"is the name of the level that [arena], [[wall]] and [[spawn]] declare: choose another one")
			continue
		case name == "" || len(name) > world.MaxLevelName:
			levels.wrong(name, "is a name of %d bytes: a level needs 1 to %d", len(name), world.MaxLevelName)
			continue
		}
		g.readLevel(&l, t, t)
		t.done()
		s.Levels = append(s.Levels, l)
	}
}

// readLevel reads a level: its size, which may have walls around it, from one table, and each wall and each spawn from
// another one.
func (g *Game) readLevel(l *world.Level, size, lists *table) {
	size.number("width", &l.Width, 1, maxLevel, " m")
	size.number("height", &l.Height, 1, maxLevel, " m")
	var around bool
	var like world.Wall // the defaults of walls
	size.flag("walls", &around)
	size.number("wall_friction", &like.Friction, 0, maxFriction, "")
	size.number("wall_restitution", &like.Restitution, 0, 1, "")
	if around {
		l.Walls = enclose(l.Width, l.Height, like)
	}
	for _, t := range lists.list("wall") {
		l.Walls = append(l.Walls, readWall(t, like))
	}
	total, most := len(l.Walls), g.Bundle.Setup.MostObjects()
	for _, t := range lists.list("spawn") {
		sp := readSpawn(t)
		if total < most && total+sp.Count >= most {
			t.wrong("count", "= %d: makes %d objects, with the walls and the [[spawn]]s above; the room holds %d",
				sp.Count, total+sp.Count, most-1)
		}
		total += sp.Count
		l.Spawns = append(l.Spawns, sp)
	}
}

const wallSize = "a wall is x, y (its centre), w and h (its full size), in metres"

func readWall(t *table, w world.Wall) world.Wall {
	t.number("x", &w.X, -maxLevel, maxLevel, " m")
	t.number("y", &w.Y, -maxLevel, maxLevel, " m")
	t.number("w", &w.W, minWall, maxLevel, " m")
	t.number("h", &w.H, minWall, maxLevel, " m")
	t.need("w", wallSize)
	t.need("h", wallSize)
	t.number("angle", &w.Angle, -2*math.Pi, 2*math.Pi, " radians")
	t.number("friction", &w.Friction, 0, maxFriction, "")
	t.number("restitution", &w.Restitution, 0, 1, "")
	t.done()
	return w
}

// enclose returns four walls whose inner edges are those of the arena.
func enclose(width, height float64, like world.Wall) []world.Wall {
	at := func(x, y, w, h float64) world.Wall {
		like.X, like.Y, like.W, like.H = x, y, w, h
		return like
	}
	x, y := (width+wallThick)/2, (height+wallThick)/2
	return []world.Wall{
		at(0, y, width+2*wallThick, wallThick),
		at(0, -y, width+2*wallThick, wallThick),
		at(x, 0, wallThick, height),
		at(-x, 0, wallThick, height),
	}
}

func readSpawn(t *table) world.Spawn {
	sp := world.Spawn{Count: 1}
	switch ok := t.str("class", &sp.Class); {
	case !ok:
		t.need("class", "which objects? [[spawn]] has class, count, x, y, w, h, speed, fields")
	case world.BuiltIn(sp.Class):
		t.wrong("class", "= %q: cannot be spawned; a wall is declared with [[wall]]", sp.Class)
	case sp.Class == "":
		t.wrong("class", "is empty")
	}
	t.whole("count", &sp.Count, 0, world.MaxObjects)
	t.number("x", &sp.X, -maxLevel/2, maxLevel/2, " m")
	t.number("y", &sp.Y, -maxLevel/2, maxLevel/2, " m")
	t.number("w", &sp.W, 0, maxLevel, " m")
	t.number("h", &sp.H, 0, maxLevel, " m")
	t.number("speed", &sp.Speed, 0, maxSpeed, " m/s")
	sp.Fields = readFields(t.sub("fields"))
	t.done()
	return sp
}

// withoutSpawns returns a setup whose levels spawn nothing.
func withoutSpawns(s world.Setup) world.Setup {
	s.Spawns, s.Levels = nil, slices.Clone(s.Levels)
	for i := range s.Levels {
		s.Levels[i].Spawns = nil
	}
	return s
}

// badSpawns returns what a schema says against each spawn: its class, or fields of it.
func (g *Game) badSpawns(schema *world.Schema) (out []*Problem) {
	s := &g.Bundle.Setup
	for _, name := range s.LevelNames() {
		list, l := "spawn", world.Level{}
		if name != world.MainLevel {
			list = join2(join2("level", name), "spawn")
		}
		l, _ = s.Level(name)
		for i := range l.Spawns {
			out = append(out, g.badSpawn(schema, &l.Spawns[i], element(list, i+1))...)
		}
	}
	return out
}

// badSpawn returns what a schema says against the spawn in the table at.
func (g *Game) badSpawn(schema *world.Schema, sp *world.Spawn, at string) (out []*Problem) {
	ci, ok := schema.ClassByName(sp.Class)
	if !ok {
		return append(out, g.unknownClass(schema, sp.Class, at+".class"))
	}
	fields, wrong := at+".fields", ""
	for _, v := range sp.Fields {
		name := strings.TrimPrefix(v.Name, "#")
		if rest, in := strings.CutPrefix(name, wrong); in && wrong != "" && strings.IndexAny(rest, ".[") == 0 {
			continue // a list has one problem, not one for each item
		}
		if err := checkSpawnField(&schema.Classes[ci], v); err != nil {
			wrong = name
			out = append(out, &Problem{File: world.InFolder(g.dir, gameTOML), Line: g.lineOfLeaf(fields, v.Name),
				Message: fmt.Sprintf("%s: %v", fields, err)})
		}
	}
	return out
}

func (g *Game) unknownClass(schema *world.Schema, class, at string) *Problem {
	var known []string
	for _, c := range schema.Classes {
		if !world.BuiltIn(c.Name) {
			known = append(known, c.Name)
		}
	}
	hint := fmt.Sprintf("there are %s", world.Listed(known))
	if like := nearest(class, known); like != "" {
		hint = "did you mean " + like + "?"
	}
	return &Problem{File: world.InFolder(g.dir, gameTOML), Line: max(g.lines[at], 1),
		Message: fmt.Sprintf("%s = %q: no script declares it; %s", at, class, hint)}
}

// levelsOf returns each [level.NAME]. It is the inverse of readLevels.
func levelsOf(s *world.Setup) values {
	out := values{}
	for i := range s.Levels {
		level, walls, spawns := levelOf(&s.Levels[i])
		level["wall"], level["spawn"] = walls, spawns
		out[s.Levels[i].Name] = level
	}
	return out
}

// levelOf returns the keys of a level: of its size, each wall that is not one of those around it, and each spawn.
func levelOf(l *world.Level) (size values, walls, spawns []values) {
	size = values{"width": l.Width, "height": l.Height}
	rest := l.Walls
	var like world.Wall
	if len(rest) >= 4 {
		first := world.Wall{Friction: rest[0].Friction, Restitution: rest[0].Restitution}
		around := enclose(l.Width, l.Height, first)
		if [4]world.Wall(around) == [4]world.Wall(rest) {
			like, rest = first, rest[4:]
			size["walls"], size["wall_friction"], size["wall_restitution"] = true, like.Friction, like.Restitution
			without(size, values{"wall_friction": 0.0, "wall_restitution": 0.0})
		}
	}
	for _, w := range rest {
		one := values{
			"x":           w.X,
			"y":           w.Y,
			"w":           w.W,
			"h":           w.H,
			"angle":       w.Angle,
			"friction":    w.Friction,
			"restitution": w.Restitution,
		}
		without(one, values{
			"x":           0.0,
			"y":           0.0,
			"angle":       0.0,
			"friction":    like.Friction,
			"restitution": like.Restitution,
		})
		walls = append(walls, one)
	}
	for _, sp := range l.Spawns {
		one := values{"class": sp.Class, "count": int64(sp.Count), "x": sp.X, "y": sp.Y, "w": sp.W, "h": sp.H,
			"speed":  sp.Speed,
			"fields": fieldsOf(sp.Fields)}
		without(one, values{"count": int64(1), "x": 0.0, "y": 0.0, "w": 0.0, "h": 0.0, "speed": 0.0})
		spawns = append(spawns, one)
	}
	return size, walls, spawns
}
