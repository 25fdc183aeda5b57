package timeline_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// A shot is a ray of a hook into the past, and what it hit.
type shot struct {
	at     world.Tick // of the hook
	view   world.ViewTime
	angle  float64
	hit    world.RayHit
	struck bool
}

// shooting is a Script with balls that fly about between walls, and a gun that shoots in each tick.
type shooting struct {
	schema *world.Schema
	shots  []shot
}

func newShooting(t testing.TB) *shooting {
	def := physics.Def{Type: physics.Dynamic, Shape: physics.BoxShape(1.2, 0.5), Density: 1, Restitution: 0.9}
	classes := []world.Class{{Name: "Ball", Seen: &world.SeenRules{}, Hooks: 1 << world.OnTick, Body: &world.BodySpec{Def: def}}, {Name: "Gun", Hooks: 1 << world.OnTick},
		{Name: "Rock", Body: &world.BodySpec{Def: def}}}
	setup := bundle.DefaultSetup()
	setup.Walls = []world.Wall{{X: 9, W: 1, H: 18}, {X: -9, W: 1, H: 18}, {Y: 9, W: 18, H: 1}, {Y: -9, W: 18, H: 1}}
	setup.Spawns = []world.Spawn{{Class: "Ball", Count: 12, W: 14, H: 14, Speed: 9}, {Class: "Gun", Count: 1}}
	schema, err := world.NewSchema(classes, setup)
	if err != nil {
		t.Fatal(err)
	}
	return &shooting{schema: schema}
}

func (s *shooting) Schema() *world.Schema { return s.schema }

func (s *shooting) Call(a world.Actor, _ world.Hook, slot int, _ *world.Args) error {
	now := a.State()
	if id := now.Objects[slot].ID; now.Body(slot).Key != 0 {
		return a.Do(world.Op{Target: id, Kind: world.AddTorque, A: float64(now.Tick%5) - 2})
	}
	n := uint16(now.Tick)
	view := world.ViewTime{Back: world.MinViewBack + n*37%(20*world.ViewParts), All: true}
	shot := shot{at: now.Tick, view: view, angle: float64(n) * 0.7}
	a.BeginAsSeen(view, nil)
	shot.hit, shot.struck = fire(a.Queries(), shot.angle)
	a.EndAsSeen()
	s.shots = append(s.shots, shot)
	return nil
}

func fire(q world.Queries, angle float64) (world.RayHit, bool) {
	return q.Raycast(0, 0, 20*math.Cos(angle), 20*math.Sin(angle), math.MaxUint64)
}

// TestReadBetweenHitsAsAShotDoes: a ray at a tick and a part hits exactly what a shot of that view
// time hits in a hook.
func TestReadBetweenHitsAsAShotDoes(t *testing.T) {
	script := newShooting(t)
	tl := timeline.New(script, timeline.Options{States: 200, PoseHistory: 60, Check: true})
	for range 180 {
		tl.Step()
	}
	balls, whole := 0, 0
	for _, s := range script.shots {
		tick, part, ok := s.view.Around(s.at)
		if !ok {
			continue
		}
		err := tl.Past().ReadBetween(tick, part, func(r world.Reader) {
			if hit, struck := fire(r.Queries(), s.angle); hit != s.hit || struck != s.struck || r.Tick() != tick {
				t.Errorf("tick %d looks %v back: the shot hits %v, the ray %v at tick %d", s.at, s.view.Back, s.hit, hit, r.Tick())
			}
			if slot, ok := r.Find(s.hit.Object); ok && r.Class(slot).Name == "Ball" {
				balls++
			}
		})
		if err != nil {
			t.Error(err)
		}
		if part == world.ViewParts {
			whole++
		}
	}
	if balls < 40 || whole == 0 || len(script.shots) < 170 {
		t.Errorf("%d balls were hit by %d shots, %d of them at whole ticks", balls, len(script.shots), whole)
	}
}

// TestReadBetweenChangesNothing: a match in which ticks are read at random, also within each other, has
// the same states as the same match without that.
func TestReadBetweenChangesNothing(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		m := stub.DrawMatch(t, 12)
		play := func(read func(tl *timeline.Timeline)) (hashes []uint64) {
			tl := timeline.New(stub.MustCompile(), timeline.Options{States: 64, PoseHistory: 30, Check: true})
			for tick := world.Tick(1); tick <= m.Ticks+12; tick++ {
				for _, i := range stub.Arriving(&m, tick) {
					stub.Insert(tl, m.Events[i])
				}
				tl.Rewind()
				tl.Step()
				if tick > 14 {
					tl.Release(tick - 14)
				}
				read(tl)
				hashes = append(hashes, tl.At(tl.Now()).Hash())
			}
			return hashes
		}
		without := play(func(*timeline.Timeline) {})
		reads := 0
		with := play(func(tl *timeline.Timeline) {
			for range rapid.IntRange(0, 2).Draw(t, "reads") {
				at := world.Tick(rapid.IntRange(0, int(tl.Now())+2).Draw(t, "tick"))
				part := rapid.Int64Range(0, world.ViewParts).Draw(t, "part")
				err := tl.Past().ReadBetween(at, part, func(r world.Reader) {
					reads++
					a := r.Actor()
					if err := a.Do(world.Op{Target: world.MatchID, Kind: world.Remove}); !errors.Is(err, world.ErrReadOnly) {
						t.Fatal(err)
					}
					_ = tl.Past().ReadBetween(tl.Now(), part, func(r world.Reader) { r.Queries().OverlapCircle(0, 0, 5, math.MaxUint64, nil) })
					if r.Tick() != at {
						t.Fatalf("tick %d is read as tick %d", at, r.Tick())
					}
				})
				if err != nil && !errors.Is(err, timeline.ErrAhead) && !errors.Is(err, timeline.ErrTooOld) {
					t.Fatal(err)
				}
			}
		})
		for i := range without {
			if without[i] != with[i] {
				t.Fatalf("tick %d is another one after %d reads", i+1, reads)
			}
		}
	})
}

// TestReadSaysWhatIsNotKept: of old ticks every fourth state is kept.
func TestReadSaysWhatIsNotKept(t *testing.T) {
	tl := timeline.New(newShooting(t), timeline.Options{States: 40, PoseHistory: 30, Check: true})
	for range 60 {
		tl.Step()
	}
	tl.Release(50)
	for _, c := range []struct {
		tick          world.Tick
		exact, at, to error // of Read, and of ReadBetween at and before the tick
	}{
		{61, timeline.ErrAhead, timeline.ErrAhead, timeline.ErrAhead}, {60, nil, nil, nil}, {51, nil, nil, nil}, {50, nil, nil, nil},
		{49, timeline.ErrThinned, nil, nil}, {48, nil, nil, nil}, {25, timeline.ErrThinned, nil, nil},
		{24, nil, nil, timeline.ErrTooOld}, {23, timeline.ErrTooOld, timeline.ErrTooOld, timeline.ErrTooOld}, {0, timeline.ErrTooOld, timeline.ErrTooOld, timeline.ErrTooOld},
	} {
		for what, got := range map[error]error{
			tl.Past().Read(c.tick, func(world.Reader) {}):                           c.exact,
			tl.Past().ReadBetween(c.tick, world.ViewParts, func(world.Reader) {}):   c.at,
			tl.Past().ReadBetween(c.tick, world.ViewParts-1, func(world.Reader) {}): c.to,
		} {
			if !errors.Is(what, got) {
				t.Errorf("tick %d: %v, want %v", c.tick, what, got)
			}
		}
	}
}

// A ball changed hands; earlier ticks still say whose it was.
func ExamplePast_ReadBetween() {
	ball := world.Class{Name: "Ball", Body: &world.BodySpec{Def: physics.NewDef(physics.Dynamic, physics.CircleShape(0.5))}}
	setup := bundle.DefaultSetup()
	setup.Spawns = []world.Spawn{{Class: "Ball", Count: 1}}
	schema, err := world.NewSchema([]world.Class{ball}, setup)
	if err != nil {
		fmt.Println(err)
		return
	}
	tl := timeline.New(still{schema}, timeline.Options{States: 64})
	tl.Step()
	id := tl.At(1).Objects[tl.At(1).Run[0]].ID
	if _, err := tl.Insert(world.Event{Tick: 2, Kind: world.OwnershipEvent, Object: id, Player: 1}, timeline.Origin{}); err != nil {
		fmt.Println(err)
	}
	for range 20 {
		tl.Step()
	}
	owner := func(r world.Reader) {
		at, err := r.Placement(id)
		fmt.Printf("tick %d: player %d, %v\n", r.Tick(), at.Owner, err)
	}
	fmt.Println(tl.Past().ReadBetween(1, world.ViewParts, owner), tl.Past().ReadBetween(10, world.ViewParts/2, owner))
	fmt.Println(tl.Past().ReadBetween(30, 0, owner))
	// Output:
	// tick 1: player 0, <nil>
	// tick 10: player 1, <nil>
	// <nil> <nil>
	// tick 30: not simulated yet: the last one is 21
}

// still is a Script without hooks.
type still struct{ schema *world.Schema }

func (s still) Schema() *world.Schema { return s.schema }

func (still) Call(world.Actor, world.Hook, int, *world.Args) error { return nil }
