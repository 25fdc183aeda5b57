package main

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// TestLossesOfAnEarlierRoom: a player lost their object with its class. In the room that starts then onJoin fails, which
// is why they have none now, although the class is there.
func TestLossesOfAnEarlierRoom(t *testing.T) {
	schema := func(text string) *world.Schema {
		script, err := luabind.Compile([]world.Source{{Name: "game.lua", Text: text}}, bundle.DefaultSetup())
		if err != nil {
			t.Fatal(err)
		}
		return script.Schema()
	}
	const declared = `Ship = object "Ship" {}`
	ships, none := schema(declared), schema("")
	ship, _ := ships.ClassByName("Ship")
	var l losses
	state := func(tick world.Tick, ships int) *world.State {
		s := &world.State{Tick: tick}
		for i := range ships {
			s.Objects, s.Run = append(s.Objects, world.Object{ID: world.ObjectID(i + 1), Owner: 1, Class: uint16(ship)}), append(s.Run, int32(i))
		}
		return s
	}
	look := func(schema *world.Schema, s *world.State, from world.Tick, want string) {
		t.Helper()
		l.look(1, schema, s, from)
		if !strings.HasPrefix(l.said, want) || (want == "") != (l.said == "") {
			t.Errorf("tick %d: said %q, want %q", s.Tick, l.said, want)
		}
	}
	look(ships, state(900, 1), 0, "")
	look(none, state(1000, 0), 1000, "the class Ship is not declared any more")
	look(schema(declared), state(1100, 0), 1100, "the class Ship is declared again")
	l.again(true)
	look(ships, state(3, 0), 0, "the class Ship is declared again") // until it is known better
	l.failed = []wire.Failure{{Tick: 13, Hook: world.OnJoin.String(), Place: "game.lua:18"}}
	look(ships, state(14, 0), 0, "you have no object: onJoin failed (game.lua:18, tick 13)")
	l.failed = nil
	look(schema(declared), state(90, 0), 60, "you have no object: onJoin failed (game.lua:18, tick 13) under the scripts of before")
	l.again(true)
	look(ships, state(5, 1), 0, "")
}
