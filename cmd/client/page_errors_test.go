package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// TestPageForgetsPausesThatAreOver: the page does not say "paused until" of a hook that the host says is not paused any
// more. A client that is ahead of its host finds a pause before the host tells of it.
func TestPageForgetsPausesThatAreOver(t *testing.T) {
	var l errorList
	told := func(until world.Tick) {
		l.told(room.Problems{Failed: []wire.Failure{
			{Tick: 40, Until: until, Class: "Ship", Hook: "tick", Place: "ship.lua:3", Message: "no"}}})
	}
	l.add(47, world.Fault{Class: "Ship", Hook: world.OnTick, Until: 107,
		Err: &world.ScriptError{File: "ship.lua", Line: 3, Message: "no"}})
	for i, until := range []world.Tick{0, 107, 0} {
		told(until)
		want := []world.Tick{107, 107, 0}[i]
		if list := l.list(); len(list) != 1 || list[0].Until != want {
			t.Errorf("told %d, it shows %+v, want until %d", until, list, want)
		}
	}
}

// TestPageShowsAMistakeOnce: a hook that had written something before it failed, and in another tick had not, is one
// entry: the newest of what the client has found.
func TestPageShowsAMistakeOnce(t *testing.T) {
	var l errorList
	failed := &world.ScriptError{File: "ship.lua", Line: 3, Message: "no it"}
	wrote := *failed
	wrote.Wrote = true
	for i, err := range []error{failed, &wrote, failed} {
		l.add(world.Tick(47+i), world.Fault{Class: "Ship", Hook: world.OnTick, Err: err})
		l.told(room.Problems{Failed: []wire.Failure{
			{Tick: 40, Class: "Ship", Hook: "tick", Place: "ship.lua:3", Message: []string{wrote.Full(), failed.Full()}[i%2]}}})
		want := []string{failed.Full(), wrote.Full()}[i%2]
		if list := l.list(); len(list) != 1 || list[0].Message != want {
			t.Errorf("failure %d: it shows %+v, want %q", i, list, want)
		}
	}
}

// TestPageKeepsPausesOfOtherScripts: the client has found that a hook is paused under other scripts, too, when the host
// tells of the first failure there, in the place of a pause under those of before.
func TestPageKeepsPausesOfOtherScripts(t *testing.T) {
	var l errorList
	f := wire.Failure{Tick: 40, Until: 100, Class: "Ship", Hook: "tick", Place: "ship.lua:3", Message: "no"}
	l.told(room.Problems{Failed: []wire.Failure{f}})
	l.forget(50)
	l.add(58, world.Fault{Class: "Ship", Hook: world.OnTick, Until: 118,
		Err: &world.ScriptError{File: "ship.lua", Line: 3, Message: "no"}})
	f.Tick, f.Until = 51, 0
	l.told(room.Problems{Failed: []wire.Failure{f}})
	if list := l.list(); len(list) != 1 || list[0].Until != 118 {
		t.Errorf("it shows %+v, want until 118", list)
	}
}

// TestPageShowsErrorsOfViewScripts: an error of view.lua is shown until another one is loaded. The first of a new one may
// come before the tick from which the scripts are in force is over.
func TestPageShowsErrorsOfViewScripts(t *testing.T) {
	var f feed
	shown := func(want int) {
		t.Helper()
		if list := f.wrong.list(); len(list) != want {
			t.Errorf("it shows %+v, want %d", list, want)
		}
	}
	f.viewError("hud", &world.ScriptError{File: "view.lua", Line: 3, Message: "no"})
	shown(1)
	f.viewOver()
	f.viewError("hud", &world.ScriptError{File: "view.lua", Line: 4, Message: "no"})
	f.reloaded(100)
	shown(1)
	f.viewOver()
	shown(0)
}

// TestPageShowsErrorsOfAskedFunctions: an error of a function that shows a field is on the page, once, until other
// scripts are in force. The host may tell of the same one of another function that is asked.
func TestPageShowsErrorsOfAskedFunctions(t *testing.T) {
	var f feed
	err := &world.ScriptError{File: "ship.lua", Line: 3, Message: "Ship.bumps: no", Class: "Ship"}
	f.askedError(40, "show", err)
	f.askedError(50, "show", err)
	f.problems(room.Problems{Failed: []wire.Failure{
		{Tick: 45, Hook: "show", Place: "ship.lua:3", Message: "Ship.bumps: no"}}})
	list := f.wrong.list()
	want := pageError{Kind: "failed", Place: "ship.lua:3", Message: "Ship.bumps: no", Hook: "show", Tick: 50}
	if len(list) != 1 || list[0] != want {
		t.Errorf("it shows %+v", list)
	}
	f.problems(room.Problems{})
	if f.reloaded(60); len(f.wrong.list()) != 0 {
		t.Errorf("under other scripts, it shows %+v", f.wrong.list())
	}
}

// TestPageShowsLikelyMistakes: those in saved scripts, but for a line that has failed, which says more.
func TestPageShowsLikelyMistakes(t *testing.T) {
	var l errorList
	p := room.Problems{Warned: []string{"ship.lua:3:7: Ship has no field pwr", "ship.lua:13:2: boat.png is not in assets"}}
	for failed, want := range []string{"ship.lua:3:7 ship.lua:13:2", "ship.lua:13:2 ship.lua:3"} {
		if failed > 0 {
			p.Failed = []wire.Failure{{Tick: 9, Class: "Ship", Hook: "tick", Place: "ship.lua:3", Message: "no"}}
		}
		l.told(p)
		var places []string
		for _, e := range l.list() {
			places = append(places, e.Place)
		}
		if got := strings.Join(places, " "); got != want {
			t.Errorf("it shows %s, want %s", got, want)
		}
	}
}

// TestPageNamesHowManyObjects: a pause that the client has found by itself has the count of the host, which knows all
// objects, and the object that is not among them.
func TestPageNamesHowManyObjects(t *testing.T) {
	var l errorList
	l.add(47, world.Fault{Object: 2, Class: "Ship", Hook: world.OnTick, Until: 107,
		Err: &world.ScriptError{File: "ship.lua", Line: 3, Message: "no"}})
	f := wire.Failure{Tick: 47, Object: 1, Others: 4, Until: 107, Class: "Ship", Hook: "tick", Place: "ship.lua:3", Message: "no"}
	for _, others := range []uint32{4, 6, 0} {
		f.Others = others
		l.told(room.Problems{Failed: []wire.Failure{f}})
		if list := l.list(); len(list) != 1 || list[0].Others != others || list[0].Object != f.Object.String() {
			t.Errorf("told of %d others, it shows %+v", others, list)
		}
	}
}

// TestPageShowsEachMistake: there is an entry for each mistake of each file, and none for one that is mended.
func TestPageShowsEachMistake(t *testing.T) {
	var l errorList
	for _, refused := range [][]string{{"ship.lua:2: no a", "rock.lua:1: no b", "and 2 more"}, {"rock.lua:1: no b"}, nil} {
		l.told(room.Problems{Refused: refused})
		var got []string
		for _, e := range l.list() {
			got = append(got, strings.TrimPrefix(e.Place+": "+e.Message, ": "))
			if e.Kind != "refused" {
				t.Errorf("%+v", e)
			}
		}
		if !slices.Equal(got, refused) {
			t.Errorf("told %q, it shows %q", refused, got)
		}
	}
}

// TestPageForgetsTheRoomBefore: a client that is back, perhaps in another room whose ticks begin anew, shows what is wrong
// there, and what the player has lost.
func TestPageForgetsTheRoomBefore(t *testing.T) {
	var l errorList
	fault := world.Fault{Class: "Ship", Hook: world.OnTick, Err: &world.ScriptError{File: "ship.lua", Line: 3, Message: "no"}}
	l.add(16669, fault)
	l.told(room.Problems{Failed: []wire.Failure{{Tick: 16669, Class: "Rock", Hook: "tick", Place: "rock.lua:1", Message: "no"}}})
	l.lost = "the ship"
	if n := len(l.list()); n != 3 {
		t.Errorf("%d before", n)
	}
	if list := l.list(); !l.restart() || l.restart() || len(l.list()) != 1 || l.list()[0].Kind != "lost" {
		t.Errorf("of %+v there is still %+v", list, l.list())
	}
}
