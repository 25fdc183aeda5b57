package scripts

import (
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Bounds of settings in game.toml that neither bundle nor world sets.
const (
	maxName     = 64              // bytes
	maxRepeat   = 5 * time.Second // a missing input repeats the last one
	maxGrace    = time.Hour       // a leaver's objects stay
	maxGravity  = 1e3             // m/s2
	maxLevel    = 1e5             // metres, from the centre and from side to side
	minWall     = 0.01            // metres, the least side
	maxSpin     = 1e3             // rad/s
	maxSpeed    = 1e3             // m/s
	wallThick   = 1               // metres, of the walls around the arena
	maxFriction = 10
)

// config reads game.toml. The Game is complete only if no problem was found.
func (r *folder) config() *Game {
	g := &Game{Bundle: bundle.New("")}
	text, ok := r.read(gameTOML)
	if !ok {
		return g
	}
	fail := func(line int, format string, args ...any) { r.fail(gameTOML, line, format, args...) }
	values, ok := parse(text, fail)
	if !ok {
		return g
	}
	g.lines = locate(text)
	top := &table{values: values, lines: g.lines, fail: fail}
	g.read(top)
	if len(r.problems) == 0 {
		if err := g.Bundle.Check(); err != nil {
			fail(1, "%v", err)
		}
	}
	return g
}

func (g *Game) read(top *table) {
	g.readName(top)
	s, rules := &g.Bundle.Setup, &g.Bundle.Rules
	top.whole("tick_rate", &s.TickRate, 20, 128)
	seed := int64(s.Seed)
	top.integer("seed", &seed, 0, math.MaxInt64, "")
	s.Seed = uint64(seed)
	history := top.sub("history")
	history.milliseconds("max_rewind", &rules.MaxRewind, 0, 2*time.Second)
	history.milliseconds("max_seen", &rules.MaxSeen, 0, 5*time.Second)
	history.whole("rewind_work", &rules.RewindWork, 1, 1000)
	history.done()
	g.readPeople(top)
	limits := top.sub("limits")
	if limits.whole("objects", &s.Objects, 16, world.MaxObjects); s.Objects == world.MaxObjects {
		s.Objects = 0
	}
	limits.done()
	net := top.sub("net")
	net.whole("port", &g.Port, 1, 65535)
	net.whole("http", &g.HTTP, 1, 65535)
	net.done()
	phys := top.sub("physics")
	phys.whole("substeps", &s.Substeps, 1, 16)
	readSleep(phys, &s.SleepAfter)
	phys.pair("gravity", &s.GravityX, &s.GravityY, -maxGravity, maxGravity, " m/s2")
	phys.done()
	g.readArena(top)
	g.readSpawns(top)
	g.readCorrect(top)
	shots := &g.Bundle.Rules.Snapshots
	snapshots := top.sub("snapshots")
	snapshots.whole("rate", &shots.Rate, bundle.MinSnapshotRate, bundle.MaxSnapshotRate)
	snapshots.whole("bytes", &shots.Bytes, bundle.MinSnapshotBytes, bundle.MaxSnapshotBytes)
	snapshots.number("range", &shots.Range, 0, world.MaxRange, " m")
	g.readLayerRanges(snapshots.sub("layers"), shots)
	snapshots.done()
	g.readInterpolation(top.sub("interpolation"))
	top.done()
}

// readInterpolation reads [interpolation]: how clients draw the objects of snapshots.
func (g *Game) readInterpolation(t *table) {
	r := &g.Bundle.Rules.Snapshots.Interpolation
	t.milliseconds("most", &r.Most, 0, bundle.MaxInterpolation)
	t.milliseconds("least", &r.Least, 0, r.Most)
	t.milliseconds("first", &r.First, 0, bundle.MaxInterpolation)
	t.milliseconds("extrapolate", &r.Extrapolate, 0, bundle.MaxInterpolation)
	t.done()
}

// readLayerRanges reads [snapshots.layers]: a distance for each layer.
func (g *Game) readLayerRanges(t *table, shots *bundle.SnapshotRules) {
	for _, name := range t.keys() {
		r := bundle.LayerRange{Layer: name}
		t.number(name, &r.Range, 0, world.MaxRange, " m")
		shots.Layers = append(shots.Layers, r)
		g.layerLines = append(g.layerLines, t.line(name))
	}
}

// readSleep reads physics.sleep: true, false, or seconds.
func readSleep(phys *table, into *float64) {
	v, ok := phys.get("sleep")
	if !ok {
		return
	}
	if on, isFlag := v.(bool); isFlag {
		*into = 0
		if on {
			*into = world.DefaultSleep
		}
		return
	}
	phys.number("sleep", into, 0, world.MaxSleepAfter, " s")
}

func (g *Game) readName(top *table) {
	switch ok := top.str("name", &g.Bundle.Game); {
	case !ok:
		top.need("name", `the game's, as in name = "arena"`)
	case g.Bundle.Game == "" || len(g.Bundle.Game) > maxName:
		top.wrong("name", "has %d bytes: must be 1 to %d", len(g.Bundle.Game), maxName)
	case strings.ContainsFunc(g.Bundle.Game, func(r rune) bool { return !unicode.IsPrint(r) }):
		top.wrong("name", "= %q: has characters that cannot be shown", g.Bundle.Game)
	}
}

// readPeople reads [input] and [players].
func (g *Game) readPeople(top *table) {
	s, rules := &g.Bundle.Setup, &g.Bundle.Rules
	repeat, grace := 250*time.Millisecond, 30*time.Second
	input := top.sub("input")
	input.milliseconds("repeat", &repeat, 0, maxRepeat)
	input.milliseconds("max_ahead", &rules.MaxAhead, time.Millisecond, 5*time.Second)
	input.milliseconds("lead", &rules.Lead, -rules.MaxRewind, rules.MaxAhead)
	input.whole("redundancy", &rules.Redundancy, 1, bundle.MaxRedundancy)
	again := "first"
	if input.str("again", &again) && again != "first" && again != "newest" {
		input.wrong("again", "= %q: must be \"first\" or \"newest\": which of a player's inputs for the same tick counts", again)
	}
	rules.Newest = again == "newest"
	input.done()
	players := top.sub("players")
	players.whole("max", &rules.MaxPlayers, 1, world.MaxPlayers)
	players.milliseconds("grace", &grace, 0, maxGrace)
	players.done()
	s.RepeatInputTicks, s.GraceTicks = ticks(repeat, s.TickRate), ticks(grace, s.TickRate)
}

// ticks returns a time as a number of ticks, rounded up.
func ticks(d time.Duration, rate int) world.Tick {
	return world.Tick((d.Milliseconds()*int64(rate) + 999) / 1000)
}

// readArena reads [arena], which may have walls around it, and each [[wall]].
func (g *Game) readArena(top *table) {
	s := &g.Bundle.Setup
	arena := top.sub("arena")
	arena.number("width", &s.Width, 1, maxLevel, " m")
	arena.number("height", &s.Height, 1, maxLevel, " m")
	var around bool
	var like world.Wall // the defaults of walls
	arena.flag("walls", &around)
	arena.number("wall_friction", &like.Friction, 0, maxFriction, "")
	arena.number("wall_restitution", &like.Restitution, 0, 1, "")
	arena.done()
	if around {
		s.Walls = enclose(s.Width, s.Height, like)
	}
	for _, t := range top.list("wall") {
		s.Walls = append(s.Walls, readWall(t, like))
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

func (g *Game) readSpawns(top *table) {
	s := &g.Bundle.Setup
	total := len(s.Walls)
	for _, t := range top.list("spawn") {
		sp := readSpawn(t)
		if most := s.MostObjects(); total < most && total+sp.Count >= most {
			t.wrong("count", "= %d: makes %d objects, with the walls and the [[spawn]]s above; the room holds %d", sp.Count, total+sp.Count, most-1)
		}
		total += sp.Count
		s.Spawns = append(s.Spawns, sp)
		g.spawnLines = append(g.spawnLines, t.line("class"))
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

func (g *Game) readCorrect(top *table) {
	c := &g.Bundle.Rules.Correct
	correct := top.sub("correct")
	correct.number("position", &c.Position, 0, maxLevel, " m")
	correct.number("angle", &c.Angle, 0, math.Pi, " radians")
	correct.number("velocity", &c.Velocity, 0, maxSpeed, " m/s")
	correct.number("angular_velocity", &c.AngularVelocity, 0, maxSpin, " rad/s")
	correct.done()
}
