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
