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

// Defaults of settings in game.toml that bundles keep in ticks.
const (
	defaultRepeat = 250 * time.Millisecond
	defaultGrace  = 30 * time.Second
)

// config reads game.toml. The Game is complete only if no problem was found.
func (r *folder) config() *Game {
	text, ok := r.read(gameTOML)
	if !ok {
		return &Game{Bundle: bundle.New("")}
	}
	return r.configure(text)
}

// configure reads the text of a game.toml.
func (r *folder) configure(text string) *Game {
	g := &Game{Bundle: bundle.New("")}
	fail := func(line int, format string, args ...any) { r.fail(gameTOML, line, format, args...) }
	values, ok := parse(text, fail)
	if !ok {
		return g
	}
	g.settings, g.lines = values, locate(text)
	top := newTable("", values, g.lines, fail)
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
	readAPI(top, g.Bundle)
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
	rules.CatchUp = rules.CatchUpLimit()
	limits.milliseconds("catch_up", &rules.CatchUp, bundle.MinCatchUp, bundle.MaxCatchUp)
	if rules.CatchUp == bundle.DefaultCatchUp {
		rules.CatchUp = 0
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
	g.readLevels(top)
	g.readCorrect(top)
	shots := &g.Bundle.Rules.Snapshots
	snapshots := top.sub("snapshots")
	snapshots.whole("rate", &shots.Rate, bundle.MinSnapshotRate, bundle.MaxSnapshotRate)
	snapshots.whole("bytes", &shots.Bytes, bundle.MinSnapshotBytes, bundle.MaxSnapshotBytes)
	snapshots.number("range", &shots.Range, 0, world.MaxRange, " m")
	g.readLayerRanges(snapshots.sub("layers"), &shots.Layers)
	snapshots.done()
	near := &g.Bundle.Rules.Prediction
	prediction := top.sub("prediction")
	prediction.number("range", &near.Range, 0, world.MaxRange, " m")
	g.readLayerRanges(prediction.sub("layers"), &near.Layers)
	prediction.done()
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

// readLayerRanges reads [snapshots.layers] or [prediction.layers]: a distance for each layer.
func (g *Game) readLayerRanges(t *table, into *[]bundle.LayerRange) {
	for _, name := range t.keys() {
		r := bundle.LayerRange{Layer: name}
		t.number(name, &r.Range, 0, world.MaxRange, " m")
		*into = append(*into, r)
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

// readAPI reads the version of the API that the game was written for. A bundle leaves the first one out.
func readAPI(top *table, b *bundle.Bundle) {
	version := 1
	top.whole("api", &version, 1, math.MaxInt32)
	switch {
	case version > bundle.APIVersion:
		top.wrong("api", "= %d: this program has version %d of the API: use a newer program", version,
			bundle.APIVersion)
	case version > 1:
		b.API = version
	}
}

// readPeople reads [input] and [players].
func (g *Game) readPeople(top *table) {
	s, rules := &g.Bundle.Setup, &g.Bundle.Rules
	repeat, grace := defaultRepeat, defaultGrace
	input := top.sub("input")
	input.milliseconds("repeat", &repeat, 0, maxRepeat)
	input.milliseconds("max_ahead", &rules.MaxAhead, time.Millisecond, 5*time.Second)
	input.milliseconds("lead", &rules.Lead, -rules.MaxRewind, rules.MaxAhead)
	input.whole("redundancy", &rules.Redundancy, 1, bundle.MaxRedundancy)
	again := "first"
	if input.str("again", &again) && again != "first" && again != "newest" {
		input.wrong("again",
			"= %q: must be \"first\" or \"newest\": which of a player's inputs for the same tick counts", again)
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

func (g *Game) readCorrect(top *table) {
	c := &g.Bundle.Rules.Correct
	correct := top.sub("correct")
	correct.number("position", &c.Position, 0, maxLevel, " m")
	correct.number("angle", &c.Angle, 0, math.Pi, " radians")
	correct.number("velocity", &c.Velocity, 0, maxSpeed, " m/s")
	correct.number("angular_velocity", &c.AngularVelocity, 0, maxSpin, " rad/s")
	correct.done()
}
