package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	goruntime "runtime"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/runtime"
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
	benchDepth   = 16  // ticks that late inputs come late
	benchSettle  = 120 // ticks before measuring
)

// result is one line of the measurement: a scene with a number of late players.
type result struct {
	Scene         string              `json:"scene"`
	Objects       int                 `json:"objects"`
	Players       int                 `json:"players"`
	LatePlayers   int                 `json:"late_players"`
	Depth         int                 `json:"depth_ticks"`
	Ticks         int                 `json:"ticks"`
	Touching      float64             `json:"touching"` // share of the bodies that touch another
	Forward       runtime.Percentiles `json:"forward_ms"`
	Full          runtime.Percentiles `json:"full_ms"`
	ObjectsReRun  int                 `json:"objects_rerun"`
	ObjectsInFull int                 `json:"objects_full"`
	Mismatches    int                 `json:"mismatches"`
	HistoryBytes  int                 `json:"history_bytes"`
	AllocsPerTick float64             `json:"allocs_per_tick"`
	Hash          string              `json:"hash"`
}

// bench measures the standard scenes: a tick forward, and a rewind in every
// tick for inputs that come 16 ticks late.
func bench(ctx context.Context, args []string) error {
	fs := cli.NewFlags("host bench", "[-json] [-scene NAME] [-ticks N]")
	asJSON := fs.Bool("json", false, "print JSON")
	only := fs.String("scene", "", "only the scene of this `NAME`")
	ticks := fs.Int("ticks", 600, "measure `N` ticks")
	words, err := fs.Parse(args)
	if err != nil {
		return err
	}
	if err := cli.AtMost(0, words); err != nil {
		return err
	}
	if *ticks < 1 {
		return cli.Fail(cli.Usage, fmt.Errorf("-ticks %d: must be at least 1", *ticks))
	}
	var results []result
	var names []string
	for _, sc := range scenes {
		names = append(names, sc.name)
		if *only != "" && *only != sc.name {
			continue
		}
		for _, late := range []int{1, 4, benchPlayers} {
			r, err := sc.measure(ctx, late, *ticks)
			if err != nil {
				return err
			}
			results = append(results, r)
			if !*asJSON {
				r.print()
			}
		}
	}
	if len(results) == 0 {
		return cli.Fail(cli.Usage, fmt.Errorf("-scene %s: no such scene; there are %v", *only, names))
	}
	if *asJSON {
		return json.NewEncoder(os.Stdout).Encode(results)
	}
	return nil
}

func (r *result) print() {
	fmt.Printf("%-12s %5d objects, %2.0f %% touching, %2d late players: tick %.3f/%.3f ms, %d ticks again %.2f/%.2f ms (p50/p99), %.1f allocs a tick, %s\n",
		r.Scene, r.Objects, 100*r.Touching, r.LatePlayers, r.Forward.P50, r.Forward.P99, r.Depth, r.Full.P50, r.Full.P99, r.AllocsPerTick, r.Hash)
}

// bundle is the scene as a game.
func (sc *scene) bundle() (*runtime.Bundle, error) {
	fsys, _ := scripts.Builtin("arena")
	game, err := scripts.Load(fsys, "arena")
	if err != nil {
		return nil, err
	}
	b := game.Bundle
	s := &b.Setup
	s.Width, s.Height, s.GravityY = sc.side, sc.side, sc.gravity
	side, half := sc.side+2, sc.side/2+0.5
	s.Walls = []world.Wall{{Y: half, W: side, H: 1}, {Y: -half, W: side, H: 1}, {X: half, W: 1, H: side}, {X: -half, W: 1, H: side}}
	s.Spawns = []world.Spawn{
		{Class: "Crate", Count: sc.loose / 2, W: sc.side - 2, H: sc.side - 2, Speed: 1},
		{Class: "Ball", Count: sc.loose - sc.loose/2, W: sc.side - 2, H: sc.side - 2, Speed: 1},
	}
	return b, nil
}

// start makes the scene, lets 64 players join and everything settle.
func (sc *scene) start() (*runtime.Timeline, []world.Object, error) {
	b, err := sc.bundle()
	if err != nil {
		return nil, nil, err
	}
	script, err := compile(b.Files, b.Setup)
	if err != nil {
		return nil, nil, err
	}
	tl := runtime.NewTimeline(script, benchDepth+64)
	for p := 1; p <= benchPlayers; p++ {
		if _, err := tl.Insert(world.Event{Tick: 2, Kind: world.JoinEvent, Player: world.PlayerID(p)}); err != nil {
			return nil, nil, err
		}
	}
	for range benchSettle {
		tl.Step()
	}
	var ships []world.Object
	s := tl.At(tl.Now())
	for _, slot := range s.Run {
		if s.Objects[slot].Owner != 0 {
			ships = append(ships, s.Objects[slot])
		}
	}
	return tl, ships, nil
}

// measure times ticks of the scene, each with a rewind for the inputs of some
// players that come late.
func (sc *scene) measure(ctx context.Context, late, ticks int) (result, error) {
	tl, ships, err := sc.start()
	if err != nil {
		return result{}, err
	}
	var forward, full runtime.Series
	r := result{Scene: sc.name, Players: len(ships), LatePlayers: late, Depth: benchDepth, Ticks: ticks}
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	for n := range ticks {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		forward.Add(timed(tl.Step))
		for i, ship := range ships {
			t := tl.Now() + 1
			if i < late {
				t = tl.Now() - benchDepth + 1
			}
			e := world.Event{Tick: t, Kind: world.InputEvent, Player: ship.Owner, Object: ship.ID, Bundle: 1, Input: benchInput(n, i)}
			if _, err := tl.Insert(e); err != nil {
				return r, err
			}
		}
		var did runtime.Rewound
		full.Add(timed(func() { did = tl.Rewind() }))
		r.ObjectsReRun += did.Objects
		r.ObjectsInFull += did.Full
	}
	goruntime.ReadMemStats(&after)
	r.AllocsPerTick = float64(after.Mallocs-before.Mallocs) / float64(ticks)
	r.Mismatches = len(tl.Verify(0))
	s := tl.At(tl.Now())
	r.Objects, r.HistoryBytes, r.Hash = s.Len(), tl.Bytes(), fmt.Sprintf("%016x", s.Hash())
	r.Forward, r.Full, r.Touching = forward.Percentiles(), full.Percentiles(), touching(s)
	return r, nil
}

func timed(f func()) float64 {
	begin := time.Now()
	f()
	return float64(time.Since(begin)) / float64(time.Millisecond)
}

// benchInput changes every tick, so that every late input changes something.
func benchInput(tick, ship int) world.Input {
	return world.Input{Buttons: uint32(tick*7+ship*13)>>1&6 | uint32(tick&1)}
}

// touching is the share of the movable bodies that touch another one.
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
