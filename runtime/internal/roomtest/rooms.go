// Package roomtest has rooms for tests of a host and clients together, and links that lie, stall or are played by hand.
package roomtest

import (
	"bytes"
	"testing"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// Wanderers returns the controls of player i, which wander by a seed of their own.
func Wanderers(i int) client.Controls { return &stub.Wanderer{Seed: uint64(i)} }

// Options returns the options of a match of the stub game on lines of one profile.
func Options(seed uint64, clients int, line memlink.Profile) simtest.Options {
	return simtest.Options{
		Seed:     seed,
		Clients:  clients,
		Profile:  line,
		Bundle:   stub.Game(),
		Compile:  stub.Compile,
		Controls: Wanderers,
	}
}

// OwnShip returns the first object that a player owns.
func OwnShip(t *testing.T, sim *simtest.Sim, p world.PlayerID) world.ObjectID {
	t.Helper()
	return OwnObject(t, sim, p, "Ship")
}

// OwnObject returns an object of a class that a player owns.
func OwnObject(t *testing.T, sim *simtest.Sim, p world.PlayerID, class string) world.ObjectID {
	t.Helper()
	s := sim.Host.State()
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == p && sim.Host.Schema().Classes[o.Class].Name == class {
			return s.Objects[slot].ID
		}
	}
	t.Fatalf("player %d owns no %s", p, class)
	return 0
}

// RunTo runs a match until its host has simulated tick t.
func RunTo(sim *simtest.Sim, t world.Tick) {
	for sim.Host.Now() < t {
		sim.Run(simtest.PollEvery)
	}
}

// CheckHost checks that every input has an outcome, and that hooks failed exactly if the script makes
// them fail.
func CheckHost(t *testing.T, sim *simtest.Sim, fails bool) {
	t.Helper()
	r := sim.Host.Report(sim.Now)
	in := r.Inputs
	sum := in.OnTime + in.EarlyHeld + in.LateRewound + in.Duplicate + in.DroppedOld + in.Refused
	if sum != in.Received {
		t.Errorf("inputs don't add up: %+v", in)
	}
	if (r.ScriptErrors > 0) != fails || sim.Failed() != nil {
		t.Errorf("%d script errors; the host: %v", r.ScriptErrors, sim.Failed())
	}
}

// Sound returns the content of a sound of a size.
func Sound(size int, fill byte) []byte {
	return append([]byte("OggS"), bytes.Repeat([]byte{fill}, size-4)...)
}

// SetOf returns a set of assets.
func SetOf(t *testing.T, files map[string][]byte) *asset.Set {
	t.Helper()
	set, err := asset.NewSet(files)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// SwitchTo puts the same game with another text in force.
func SwitchTo(t *testing.T, sim *simtest.Sim, text string) (at world.Tick) {
	t.Helper()
	next := stub.Game()
	next.Files = []world.Source{{Name: "note.lua", Text: "-- " + text}}
	script, err := stub.Compile(next.Files, next.Setup)
	if err != nil {
		t.Fatal(err)
	}
	at, _, err = sim.Host.Switch(next, script)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
