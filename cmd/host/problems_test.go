package main

import (
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// TestProblemsAreListedOnce: a hook that fails again, and is paused for longer each time, is one problem of the inspector:
// the newest.
func TestProblemsAreListedOnce(t *testing.T) {
	p := &problems{folder: "mine"}
	fails := func(tick, until world.Tick, object world.ObjectID, line int) {
		p.Failed(tick, world.Fault{Object: object, Class: "Ship", Hook: world.OnTick, Until: until,
			Err: &world.ScriptError{File: "ship.lua", Line: line, Message: "no such thing"}})
	}
	fails(40, 0, 7, 3)
	fails(41, 0, 8, 3)
	fails(42, 0, 7, 5)
	fails(47, 107, 7, 3)
	fails(107, 227, 8, 3)
	list := p.List(nil)
	if len(list) != 2 || list[0].Text != "mine/ship.lua:5: no such thing" || list[1].Text != "mine/ship.lua:3: no such thing" || list[1].Until != 227 {
		t.Errorf("%+v", list)
	}
	list = p.List([]wire.Failure{{Tick: 47, Class: "Ship", Hook: "tick", Place: "ship.lua:3", Message: "no such thing"}})
	if len(list) != 2 || list[1].Until != 0 {
		t.Errorf("when the host says that no pause lasts: %+v", list)
	}
}

// TestProblemsThatAreAlikeAreListedOnce: a failure with another number in its text, or of a hook that had written
// something before, is the same problem. The host tells of it by the name of the timer's function that failed.
func TestProblemsThatAreAlikeAreListedOnce(t *testing.T) {
	p := &problems{folder: "mine"}
	for i, message := range []string{"boom 1", "boom 2"} {
		p.Failed(world.Tick(40+i), world.Fault{Object: 7, Class: "Flag", Hook: world.OnTimer, Timer: "ping", Until: 60,
			Err: &world.ScriptError{File: "flag.lua", Line: 3, Message: message, Wrote: i == 0}})
	}
	p.Failed(42, world.Fault{Object: 7, Class: "Flag", Hook: world.OnTimer, Timer: "pong", Until: 60,
		Err: &world.ScriptError{File: "flag.lua", Line: 4, Message: "boom 3"}})
	list := p.List([]wire.Failure{{Tick: 40, Class: "Flag", Hook: "ping", Place: "flag.lua:3", Message: "boom 1"}})
	if len(list) != 2 || list[0].Text != "mine/flag.lua:3: boom 2" || list[0].Hook != "ping" || list[0].Until != 0 ||
		list[1].Until != 60 {
		t.Errorf("%+v", list)
	}
}
