package simtest_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// edited returns the arena with a changed ship.lua.
func edited(t *testing.T, edit func(ship string) string) *bundle.Bundle {
	t.Helper()
	b := *arena(t)
	for i, f := range b.Files {
		if f.Name == "ship.lua" {
			b.Files[i].Text = edit(f.Text)
		}
	}
	return &b
}

// swap switches the room to a bundle.
func swap(t *testing.T, sim *simtest.Sim, b *bundle.Bundle) (world.Tick, error) {
	t.Helper()
	script, err := compile(b.Files, b.Setup)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := sim.Host.Switch(b, script)
	return at, err
}

// restless presses different keys in every tick, so that every late input changes
// something.
type restless struct{}

func (restless) Input(r world.Reader, _ int) world.Input {
	return world.Input{Buttons: uint32(r.Tick()) & 7}
}

// migrating returns the arena with a field that migrate fills.
func migrating(t *testing.T) *bundle.Bundle {
	return edited(t, func(ship string) string {
		return strings.Replace(ship, "bumps = 0 }", "bumps = 0, heat = 1 }", 1) +
			"\nfunction Ship:migrate(old) self.heat = old.bumps * 3 + random() end\n"
	})
}

// TestRewindAcrossASwitchMigratesAgain tests that a rewind across a switch gives the
// bits of a run in which no input was late.
func TestRewindAcrossASwitchMigratesAgain(t *testing.T) {
	t.Parallel()
	var scripts []world.Script
	for _, b := range []*bundle.Bundle{arena(t), migrating(t)} {
		script, err := compile(b.Files, b.Setup)
		if err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, script)
	}
	tl := timeline.New(scripts[0], timeline.Options{States: 64})
	tl.AddScript(2, scripts[1])
	insert := func(e world.Event) {
		if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	insert(world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	insert(world.Event{Tick: 30, Kind: world.BundleEvent, Bundle: 2})
	for range 40 {
		tl.Step()
	}
	var ship world.ObjectID
	s := tl.At(40)
	for _, slot := range s.Run {
		if s.Objects[slot].Owner == 1 {
			ship = s.Objects[slot].ID
		}
	}
	before := s.Hash()
	insert(world.Event{Tick: 25, Kind: world.InputEvent, Player: 1, Object: ship, Bundle: 1, Input: world.Input{Buttons: 7}})
	if r := tl.Rewind(); r.From != 25 || r.Ticks != 16 {
		t.Errorf("rewound %+v", r)
	}
	if tl.At(40).Hash() == before {
		t.Error("the late input changed nothing")
	}
	if d := tl.Verify(0); d != nil {
		t.Errorf("a run in full differs: %v", d)
	}
}

// TestMigratedStatesAgree tests migration on host and clients on awful lines.
func TestMigratedStatesAgree(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 22, Clients: draws.Pick(4, 6), Profile: memlink.Awful(), Bundle: arena(t), Compile: compile,
		Controls: func(int) client.Controls { return restless{} }})
	sim.Run(4 * time.Second)
	at, err := swap(t, sim, migrating(t))
	if err != nil {
		t.Fatal(err)
	}
	runUntil := func(t world.Tick) {
		for sim.Host.Now() < t {
			sim.Run(simtest.PollEvery)
		}
	}
	runUntil(at + 1)
	s, schema := sim.Host.State(), sim.Host.Schema()
	ci, _ := schema.ClassByName("Ship")
	heat, _ := schema.Classes[ci].Field("heat")
	for _, slot := range s.Run {
		if int(s.Objects[slot].Class) == ci && s.Row(int(slot)).Word(heat) == heat.Default[0] {
			t.Errorf("ship %v was not migrated", s.Objects[slot].ID)
		}
	}
	sim.Run(4 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
}

func TestFieldOfAnotherTypeIsRefused(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 22, Clients: 1, Profile: memlink.Off(), Bundle: arena(t), Compile: compile})
	sim.Run(time.Second)
	_, err := swap(t, sim, edited(t, func(ship string) string { return strings.Replace(ship, "bumps = 0 }", "bumps = true }", 1) }))
	if !errors.Is(err, bundle.ErrInvalid) || !strings.Contains(err.Error(), "Ship.bumps was a number and is a boolean") {
		t.Errorf("got %v", err)
	}
	sim.Run(3 * time.Second)
	if b := sim.Host.State().Bundle; b != 1 {
		t.Errorf("bundle %d is in force", b)
	}
}

// TestBundleChangesTheOrder tests that the hooks of a tick run in the orders of the
// scripts in force, also in the tick of the switch.
func TestBundleChangesTheOrder(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 23, Clients: 2, Profile: memlink.Bad(), Bundle: arena(t), Compile: compile, Controls: chasers(t)})
	sim.Run(2 * time.Second)
	for _, order := range []string{"order = 3,", "order = -7,", ""} {
		at, err := swap(t, sim, edited(t, func(ship string) string {
			return strings.Replace(ship, "  objProps ", order+"\n  objProps ", 1) + "\nMine = object \"Mine\" { " + strings.Replace(order, "7", "5", 1) + " }\n"
		}))
		if err != nil {
			t.Fatal(err)
		}
		for sim.Host.Now() < at+30 {
			sim.Run(simtest.PollEvery)
		}
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// TestJoiningUnderReloads: somebody saves a script, or view.lua, every 2.5 s. A client is in the room within 3 s, a player
// with their object. Nobody holds for scripts.
func TestJoiningUnderReloads(t *testing.T) {
	onLines(t, "awful", func(t *testing.T, line memlink.Profile) {
		for _, kind := range []client.Kind{client.Spectator, client.Predictor} {
			for seed := range uint64(draws.Pick(2, 24)) {
				joins := joinUnderReloads(t, line, kind, seed+1, func(n int) *bundle.Bundle { return savedArena(t, n) })
				t.Logf("%v, seed %d: %+v", kind, seed+1, joins)
				if joins.took > 3*time.Second || joins.held > 0 || joins.heldOld > 0 {
					t.Errorf("%v, seed %d: %+v", kind, seed+1, joins)
				}
				// A bundle is 4.4 kB when it is packed, and the keyframe 7.5 kB.
				if joins.bytes > 16_000 {
					t.Errorf("%v, seed %d: %d bytes on streams", kind, seed+1, joins.bytes)
				}
			}
		}
	})
}

// savedArena returns the arena after it was saved n times: each third time it is view.lua that changes.
func savedArena(t *testing.T, n int) *bundle.Bundle {
	t.Helper()
	b := edited(t, func(ship string) string { return fmt.Sprintf("%s\n-- %d", ship, n-(n+1)/3) })
	for i := range b.Files {
		if b.Files[i].Name == world.ViewFile {
			b.Files[i].Text += fmt.Sprintf("\n-- %d", (n+1)/3)
		}
	}
	return b
}

// TestJoiningALargeGameUnderReloads: a game of 20 kB, which is twice the largest that is built in, arrives unasked in as
// little time as a small one. One that is too large for that arrives once, however often it is saved meanwhile, and the
// client asks for no bundle again.
func TestJoiningALargeGameUnderReloads(t *testing.T) {
	for _, c := range []struct {
		name        string
		noise       int // bytes, which cannot be packed
		took        time.Duration
		bytes       int64 // on streams
		draws, full uint64
	}{
		{"unasked", 16 << 10, 3 * time.Second, 34 << 10, 1, 6},
		{"asked", 34 << 10, 6 * time.Second, 56 << 10, 1, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			onLines(t, "awful", func(t *testing.T, line memlink.Profile) {
				noise := rand.NewChaCha8([32]byte{9})
				text := make([]byte, c.noise)
				_, _ = noise.Read(text)
				large := world.Source{Name: "large.lua", Text: "-- " + hex.EncodeToString(text)}
				for _, kind := range []client.Kind{client.Spectator, client.Predictor} {
					for seed := range draws.Pick(c.draws, c.full) {
						joins := joinUnderReloads(t, line, kind, seed+1, func(n int) *bundle.Bundle {
							b := savedArena(t, n)
							b.Files = append(slices.Clone(b.Files), large)
							return b
						})
						t.Logf("%v, seed %d: %+v", kind, seed+1, joins)
						if joins.took > c.took || joins.held > 0 || joins.heldOld > 0 || joins.bytes > c.bytes {
							t.Errorf("%v, seed %d: %+v", kind, seed+1, joins)
						}
					}
				}
			})
		})
	}
}

// joinResult says how a client joined.
type joinResult struct {
	took          time.Duration // until it plays; a player, until they have their object
	bytes         int64         // on streams until then
	held, heldOld int           // ticks: of the client, if it simulates, and of a player who was there before
}

func joinUnderReloads(
	t *testing.T, line memlink.Profile, kind client.Kind, seed uint64, saved func(n int) *bundle.Bundle,
) (r joinResult) {
	t.Helper()
	sim := simtest.New(t, simtest.Options{Seed: seed, Clients: 2, Profile: line, Bundle: saved(0), Compile: compile,
		Controls: func(int) client.Controls { return restless{} },
		Client: func(i int, c *client.Config) {
			if c.Verify = false; i == 2 {
				c.Kind = kind
			}
		}})
	saves, next := 0, 10*time.Second
	until := func(done func() bool) {
		for !done() {
			if sim.Now >= next {
				saves++
				next += 2500 * time.Millisecond
				if _, err := swap(t, sim, saved(saves)); err != nil {
					t.Fatal(err)
				}
			}
			sim.Run(4 * simtest.PollEvery)
		}
	}
	at := draws.Pick(13*time.Second, 17*time.Second) + time.Duration(seed)*400*time.Millisecond
	until(func() bool { return sim.Now >= at })
	c, from := sim.Join(), sim.Now
	until(func() bool {
		joined := c.Playing() && (kind != client.Predictor || ownsSomething(c))
		return joined || sim.Now > from+time.Minute
	})
	r.took, r.bytes = sim.Now-from, sim.Report(2).Bytes["messages_in"]
	held, end := sim.Report(2).Held, sim.Now+draws.Pick(6*time.Second, 10*time.Second)
	until(func() bool { return sim.Now >= end })
	r.held, r.heldOld = sim.Report(2).Held-held, sim.Report(0).Held
	if c.Err() != nil {
		t.Error(c.Err())
	}
	return r
}

// ownsSomething reports whether there is an object of a client's player at its present.
func ownsSomething(c *client.Client) bool {
	s := c.State()
	return slices.ContainsFunc(s.Run, func(slot int32) bool { return s.Objects[slot].Owner == c.Player() })
}
