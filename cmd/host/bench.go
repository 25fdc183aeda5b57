package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// scene is a standard world to measure: loose bodies and 64 Lua ships of the
// arena, in a square with walls.
type scene struct {
	name    string
	loose   int
	side    float64 // of the square, metres: the smaller, the more touch
	gravity float64
}

var scenes = []scene{
	{"arena-10", 1000, 142, 0},
	{"arena-40", 1000, 59, 0},
	{"arena-73", 1000, 42, 0},
	{"pile", 1000, 60, -10},
	{"bodies-2000", 1936, 100, 0},
}

// What every scene has in common.
const (
	benchPlayers = 64
	benchWarmup  = 120 // ticks before measuring
)

// maxDepth is how late inputs may be in a measurement, in ticks.
const maxDepth = 128

// depths returns how many ticks late inputs are: the requested number, or the two
// standard ones for 0.
func depths(asked int) []int {
	if asked == 0 {
		return []int{16, 24}
	}
	return []int{asked}
}

// result is the measurement of a scene with a number of late players.
type result struct {
	Scene         string            `json:"scene"`
	Objects       int               `json:"objects"`
	Players       int               `json:"players"`
	LatePlayers   int               `json:"late_players"`
	Depth         int               `json:"depth_ticks"`
	Ticks         int               `json:"ticks"`
	Touching      float64           `json:"touching"` // share of the bodies that touch another
	Forward       stats.Percentiles `json:"forward_ms"`
	Full          stats.Percentiles `json:"full_ms"`
	Partial       stats.Percentiles `json:"partial_ms"`
	ObjectsReRun  int               `json:"objects_rerun"`
	ObjectsInFull int               `json:"objects_full"`
	TicksReRun    int               `json:"ticks_rerun"`
	FullFallback  int               `json:"full_fallback_ticks"` // of them: everything was simulated again
	Mismatches    int               `json:"mismatches"`
	HistoryBytes  int               `json:"history_bytes"`
	AllocsPerTick float64           `json:"allocs_per_tick"`
	Hash          string            `json:"hash"`
}

// bench measures the standard scenes: a tick forward, and in every tick a rewind
// for late inputs.
func bench(ctx context.Context, args []string) error {
	fs := cli.NewFlags("host bench",
		"[flags]\n\nMeasures the standard scenes: a tick forward, and in every tick a rewind for late\ninputs, in "+
			"part and in full. Example:\n\n  host bench -scene arena-10\n\nScenes whose names begin with net- play "+
			"matches over simulated connections and\nmeasure what players feel: hits, jumps, cues, delays and bytes.")
	asJSON := fs.Bool("json", false, "print JSON")
	only := fs.String("scene", "", "measure only the scene of this `NAME`")
	depth := fs.Int("depth", 0, "late inputs are `N` ticks late (default: 16, then 24)")
	ticks := fs.Int("ticks", 600, "measure `N` ticks")
	var play netOptions
	play.flags(fs)
	words, err := fs.Parse(args)
	if err != nil {
		return err
	}
	if err := cli.AtMost(0, words); err != nil {
		return err
	}
	if *depth < 0 || *depth > maxDepth {
		return cli.Fail(cli.Usage, fmt.Errorf("-depth %d: must be 1 to %d", *depth, maxDepth))
	}
	if *ticks < 1 {
		return cli.Fail(cli.Usage, fmt.Errorf("-ticks %d: must be at least 1", *ticks))
	}
	if strings.HasPrefix(*only, netScenes) {
		return play.measure(ctx, *only, *asJSON)
	}
	var results []result
	var names []string
	for _, sc := range scenes {
		names = append(names, sc.name)
		if *only != "" && *only != sc.name {
			continue
		}
		for _, late := range []int{1, 4, benchPlayers} {
			for _, d := range depths(*depth) {
				r, err := sc.measure(ctx, late, d, *ticks)
				if err != nil {
					return err
				}
				results = append(results, r)
				if !*asJSON {
					r.print()
				}
			}
		}
	}
	if len(results) == 0 {
		return cli.Fail(
			cli.Usage,
			fmt.Errorf(
				"-scene %s: no such scene; there are %s, and scenes whose names begin with %s (-scene %s: all of "+
					"those)", *only,
				world.Listed(names), netScenes, netScenes),
		)
	}
	if *asJSON {
		return json.NewEncoder(os.Stdout).Encode(results)
	}
	return nil
}

func (r *result) print() {
	fmt.Printf("%-12s %5d objects, %2.0f %% touching, %2d late players: tick %.3f/%.3f ms, %d ticks again: full "+
		"%.2f/%.2f ms, partial %.3f/%.3f ms (p50/p99), %.1f %% of the objects, %.1f %% of the ticks in full, %.1f "+
		"allocs a tick, %d mismatches, %s\n",
		r.Scene, r.Objects, 100*r.Touching, r.LatePlayers, r.Forward.P50, r.Forward.P99, r.Depth,
		r.Full.P50, r.Full.P99,
		r.Partial.P50, r.Partial.P99,
		100*float64(r.ObjectsReRun)/float64(max(r.ObjectsInFull, 1)),
		100*float64(r.FullFallback)/float64(max(r.TicksReRun, 1)), r.AllocsPerTick, r.Mismatches, r.Hash)
}

// bundle makes a game of the scene.
func (sc *scene) bundle() (*bundle.Bundle, error) {
	fsys, _ := scripts.Builtin("arena")
	game, err := scripts.Load(fsys, "arena")
	if err != nil {
		return nil, err
	}
	b := game.Bundle
	s := &b.Setup
	s.Width, s.Height, s.GravityY = sc.side, sc.side, sc.gravity
	side, half := sc.side+2, sc.side/2+0.5
	s.Walls = []world.Wall{
		{Y: half, W: side, H: 1},
		{Y: -half, W: side, H: 1},
		{X: half, W: 1, H: side},
		{X: -half, W: 1, H: side},
	}
	s.Spawns = []world.Spawn{
		{Class: "Crate", Count: sc.loose / 2, W: sc.side - 2, H: sc.side - 2, Speed: 1},
		{Class: "Ball", Count: sc.loose - sc.loose/2, W: sc.side - 2, H: sc.side - 2, Speed: 1},
	}
	return b, nil
}

// start makes the scene, and runs it until 64 players have joined and the bodies
// have come to rest.
func (sc *scene) start() (*timeline.Timeline, []world.Object, error) {
	b, err := sc.bundle()
	if err != nil {
		return nil, nil, err
	}
	script, err := luabind.Compile(b.Files, b.Setup)
	if err != nil {
		return nil, nil, err
	}
	tl := timeline.New(script, timeline.Options{States: maxDepth + 2})
	for p := 1; p <= benchPlayers; p++ {
		if _, err := tl.Insert(world.Event{
			Tick:   2,
			Kind:   world.JoinEvent,
			Player: world.PlayerID(p),
		}, timeline.Origin{}); err != nil {
			return nil, nil, err
		}
	}
	for range benchWarmup {
		tl.Step()
	}
	var ships []world.Object
	s, classes := tl.At(tl.Now()), tl.Schema(tl.Now()).Classes
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner != 0 && len(classes[o.Class].Inputs) > 0 {
			ships = append(ships, *o)
		}
	}
	return tl, ships, nil
}

// measure times ticks of the scene, each with a rewind for the late inputs of some
// players: in part on one Timeline and then, on another, in full.
func (sc *scene) measure(ctx context.Context, late, depth, ticks int) (result, error) {
	r := result{Scene: sc.name, LatePlayers: late, Depth: depth, Ticks: ticks}
	var forward, full, partial stats.Series
	var did timeline.Rewound
	mallocs, counted := uint64(0), 0
	tl, hashes, err := sc.play(ctx, late, depth, ticks, func(tl *timeline.Timeline, insert func(), n int) {
		count := n%checkEvery == checkEvery/2
		before := uint64(0)
		if count {
			before = countMallocs()
		}
		forward.Add(timed(func() { tl.Step() }))
		insert()
		partial.Add(timed(func() { did = tl.Rewind() }))
		if count {
			mallocs, counted = mallocs+countMallocs()-before, counted+1
		}
		r.ObjectsReRun += did.Objects
		r.ObjectsInFull += did.Full
		r.TicksReRun += did.Ran
		r.FullFallback += did.Whole.Sum()
	})
	if err != nil {
		return r, err
	}
	_, same, err := sc.play(ctx, late, depth, ticks, func(tl *timeline.Timeline, insert func(), _ int) {
		tl.Step()
		insert()
		full.Add(timed(func() { tl.RewindWhole() }))
	})
	for i := range same {
		if hashes[i] != same[i] {
			r.Mismatches++
		}
	}
	r.AllocsPerTick = float64(mallocs) / float64(max(counted, 1))
	s := tl.At(tl.Now())
	r.Objects, r.Players, r.HistoryBytes, r.Hash = s.Len(), benchPlayers, tl.Past().Bytes(), fmt.Sprintf("%016x",
		s.Hash())
	r.Forward, r.Full, r.Partial = forward.Percentiles(), full.Percentiles(), partial.Percentiles()
	r.Touching = touching(s)
	return r, err
}

// checkEvery is the number of ticks from one comparison of states, and count of
// allocations, to the next: both disturb the timing.
const checkEvery = 10

// play calls tick for each of so many ticks of the scene. It returns the hashes of
// the states that were simulated again in every checkEvery-th tick.
func (sc *scene) play(ctx context.Context, late, depth, ticks int,
	tick func(tl *timeline.Timeline, insert func(), n int)) (*timeline.Timeline, []uint64, error) {
	tl, ships, err := sc.start()
	if err != nil {
		return nil, nil, err
	}
	var hashes []uint64
	for n := range ticks {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		tick(tl, func() { insertInputs(tl, ships, late, depth, n) }, n)
		for t := tl.Now(); n%checkEvery == 0 && t+world.Tick(depth) > tl.Now(); t-- {
			hashes = append(hashes, tl.At(t).Hash())
		}
	}
	return tl, hashes, nil
}

// insertInputs inserts an input for every ship: those of late players for depth
// ticks ago, the others for the next tick.
func insertInputs(tl *timeline.Timeline, ships []world.Object, late, depth, n int) {
	for i, ship := range ships {
		t := tl.Now() + 1
		if i < late {
			t = tl.Now() - world.Tick(depth) + 1
		}
		e := world.Event{
			Tick:   t,
			Kind:   world.InputEvent,
			Player: ship.Owner,
			Object: ship.ID,
			Bundle: 1,
			Input:  benchInput(n, i),
		}
		if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
			panic(fmt.Sprintf("bench: %v", err)) // the ticks are within the history
		}
	}
}

func countMallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

func timed(f func()) float64 {
	begin := time.Now()
	f()
	return float64(time.Since(begin)) / float64(time.Millisecond)
}

// benchInput changes with every tick, so that every late input makes a difference.
func benchInput(tick, ship int) world.Input {
	return world.Input{Buttons: uint32(tick*7+ship*13)>>1&6 | uint32(tick&1)}
}

// touching returns the share of the movable bodies that touch another one.
func touching(s *world.State) float64 {
	touch, all := 0, 0
	var island []int32
	for _, slot := range s.Run {
		if s.Body(int(slot)).Key == 0 {
			continue
		}
		all++
		if island = s.Touching(int(slot), island[:0]); len(island) > 1 {
			touch++
		}
	}
	return float64(touch) / float64(max(all, 1))
}
