package simtest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// edit replaces text in a script of the arena. It returns the bundle and the line of
// the new text.
func edit(t *testing.T, file, old, text string) (*bundle.Bundle, int) {
	t.Helper()
	b := arena(t)
	for i := range b.Files {
		f := &b.Files[i]
		if at := strings.Index(f.Text, old); f.Name == file && at >= 0 {
			f.Text = strings.Replace(f.Text, old, text, 1)
			return b, 1 + strings.Count(f.Text[:at], "\n")
		}
	}
	t.Fatalf("%s has no %q", file, old)
	return nil, 0
}

// TestReplayUnderEditedScripts replays a match of the arena under scripts that were
// changed in one place, and expects that the divergence names that place.
func TestReplayUnderEditedScripts(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 2, Profile: memlink.Average(), Bundle: arena(t), Compile: compile,
		Controls: chasers(t), Host: func(c *host.Config) { c.Verify = false }})
	sim.Run(6 * time.Second)
	data := sim.Replay()
	for _, c := range []struct {
		name, file, old, text string
		field, was, is        string // "": no divergence
	}{
		{"nothing", "ship.lua", "-- Forces stay", "-- Forces remain", "", "", ""},
		{"a field more", "ship.lua", "state    = { bumps = 0 },", "state    = { bumps = 0, laps = 7, alive = true },", "", "", ""},
		{"inputs in another order", "ship.lua", `TurnLeft = "bool", TurnRight = "bool"`, `TurnRight = "bool", TurnLeft = "bool"`, "", "", ""},
		{"another value", "ship.lua", "self.bumps = self.bumps + 1", "self.bumps = self.bumps + 2", "bumps", "bumps = 1", "bumps = 2"},
		{"another force", "ship.lua", "self:setDirectionalForce(self:getDirection(), push)", "self:setDirectionalForce(self:getDirection(), push * 2)",
			"body.x", "setDirectionalForce", "setDirectionalForce"},
		{"a call less", "ship.lua", "self:setTorque(turn * props.torque_power)", "local unused = 0", "body.", "setTorque", ""},
		{"an error", "ship.lua", "self:setTorque(turn * props.torque_power)", `error("boom")`, "faults.applyInput", "", "boom"},
		{"another body", "ship.lua", "density = 1", "density = 2", "body.", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, line := edit(t, c.file, c.old, c.text)
			script, err := compile(b.Files, b.Setup)
			if err != nil {
				t.Fatal(err)
			}
			r, err := sim.OpenReplay(data)
			if err != nil {
				t.Fatal(err)
			}
			o, ticks, err := r.Against(script, r.Last())
			if err != nil || (o == nil) != (c.field == "") {
				t.Fatalf("%+v, %v", o, err)
			}
			if o == nil {
				if ticks != int(r.Last()) {
					t.Errorf("%d of %d ticks compared", ticks, r.Last())
				}
				return
			}
			if !strings.HasPrefix(o.Field, c.field) || o.Class != "Ship" || o.Tick != world.Tick(ticks) || o.Was == o.Is {
				t.Errorf("%+v", o)
			}
			checkCause(t, "before", o.Before, c.was, c.file, line)
			checkCause(t, "after", o.After, c.is, c.file, line)
		})
	}
}

func checkCause(t *testing.T, when string, c *timeline.Effect, text, file string, line int) {
	t.Helper()
	switch {
	case text == "" && c == nil:
	case c == nil || !strings.Contains(c.Text, text) || c.String() != fmt.Sprintf("%s:%d: %s", file, line, c.Text):
		t.Errorf("%s: %v, want %s:%d: ...%s", when, c, file, line, text)
	}
}

// TestEditedScriptsReplaceTheNewestBundle tests that the ticks before the newest bundle
// took effect do not change.
func TestEditedScriptsReplaceTheNewestBundle(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 4, Clients: 2, Profile: memlink.LAN(), Bundle: arena(t), Compile: compile, Controls: chasers(t)})
	sim.Run(2 * time.Second)
	b, _ := edit(t, "ship.lua", "thrust_power = 16", "thrust_power = 17")
	script, err := compile(b.Files, b.Setup)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := sim.Host.Switch(b, script)
	if err != nil {
		t.Fatal(err)
	}
	sim.Run(2 * time.Second)
	r, err := sim.OpenReplay(sim.Replay())
	if err != nil {
		t.Fatal(err)
	}
	same, err := compile(b.Files, b.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if o, _, err := r.Against(same, r.Last()); o != nil || err != nil {
		t.Errorf("its own scripts: %+v, %v", o, err)
	}
	old, err := compile(arena(t).Files, b.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if o, _, err := r.Against(old, r.Last()); err != nil || o == nil || o.Tick < at || o.Tick > at+60 || o.After == nil {
		t.Errorf("the scripts before, in their place: %+v, %v; they took effect at tick %d", o, err, at)
	}
	slow := b.Setup
	slow.TickRate = 30
	other, err := compile(b.Files, slow)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Against(other, r.Last()); !errors.Is(err, bundle.ErrInvalid) {
		t.Errorf("another tick rate: %v", err)
	}
}
