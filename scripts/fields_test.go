package scripts_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// chest has a field of each kind, and notes what onSpawn got.
const chest = `Chest = object "Chest" {
  state = { hp = 10, open = false, name = str(8), inside = ref(), hits = list("number", 4),
            slot = record { kind = str(4), count = 1, marks = list("number", 2) }, packs = list(record { n = 7, big = false }, 3), got = -1 },
  aux = { team = 0 },
}
function Chest:onSpawn(args)
  if args then self.got = args.hp + args.hits[2] end
end
`

// withChest returns a game with that chest and this game.toml.
func withChest(toml string) fstest.MapFS {
	return fstest.MapFS{"game.toml": lua("name = 'a'\n" + toml), "chest.lua": lua(chest)}
}

// TestSpawnsSetFields: objects of a [[spawn]] begin with its fields, which onSpawn gets as it gets
// those of the host program; parts that it does not name are at their defaults.
func TestSpawnsSetFields(t *testing.T) {
	g, err := scripts.Load(withChest(`
[[spawn]]
class = "Chest"
count = 2
[spawn.fields]
hp = 30
open = true
name = "oak"
team = 2.5
hits = [4, 5]
slot = { kind = "gold", marks = [8] }
[[spawn.fields.packs]]
big = true
[[spawn.fields.packs]]
n = 9
[[spawn]]
class = "Chest"
`), "")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := bundle.Parse(g.Bundle.Encode()) // as a client gets it
	if err != nil {
		t.Fatal(err)
	}
	script, err := luabind.Compile(parsed.Files, parsed.Setup)
	if err != nil {
		t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{Check: true})
	tl.Step()
	state, got := tl.At(1), ""
	ci, _ := script.Schema().ClassByName("Chest")
	for _, slot := range state.Run {
		if state.Objects[slot].Class != uint16(ci) {
			continue
		}
		got += "\n"
		for name, v := range world.NewFieldReader(&script.Schema().Classes[ci], state.Row(int(slot))).All {
			got += fmt.Sprintf("%s=%v ", name, v)
		}
	}
	const filled = "\ngot=35 hits[1]=4 hits[2]=5 hp=30 inside=0000000000000000 name=\"oak\" open=true packs[1].big=true packs[1].n=7 packs[2].big=false packs[2].n=9 slot.count=1 slot.kind=\"gold\" slot.marks[1]=8 team=2.5 "
	const plain = "\ngot=-1 hp=10 inside=0000000000000000 name=\"\" open=false slot.count=1 slot.kind=\"\" team=0 "
	if want := filled + filled + plain; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSpawnFieldErrors(t *testing.T) {
	for _, c := range []struct {
		toml string
		line int
		want string
	}{
		{"[[spawn]]\nclass = 'Chest'\nfields = { hpp = 3 }", 4, `spawn[1].fields: no such field: class Chest has no "hpp"; it has got, hits, hp, inside`},
		{"[[spawn]]\nclass = 'Chest'\n[[spawn]]\nclass = 'Chest'\n[spawn.fields]\nopen = true\nhp = 'x'", 8, `spawn[2].fields: bad value: Chest.hp is a number, not "x"`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hits = [1, 2, 3,\n4, 5]", 4, `spawn[1].fields: bad value: Chest.hits holds at most 4 items, not 5`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hits = [1,\n true]", 5, `Chest.hits[2] is a number, not true`},
		{"[[spawn]]\nclass = 'Chest'\nfields.slot = { kind = 'g',\n\n cont = 1 }", 6, `no such field: Chest.slot is a record, and has no "slot.cont"; it has slot.count, slot.kind and slot.marks`},
		{"[[spawn]]\nclass = 'Chest'\nfields.slot = 5", 4, `bad value: Chest.slot is a record, not 5`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hits = 5", 4, `bad value: Chest.hits is a list of numbers, not 5`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hp = [5, 6]", 4, `bad value: Chest.hp is a number, not a list`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hp.x = 5", 4, `no such field: Chest.hp is a number, and has no "hp.x"`},
		{"[[spawn]]\nclass = 'Chest'\nfields.name = 'longer than 8'", 4, `Chest.name holds at most 8 bytes, not 13`},
		{"[[spawn]]\nclass = 'Chest'\nfields.inside = 5", 4, `spawn[1].fields: Chest.inside is a ref and cannot be set here, because no object exists yet; set it in Chest:onSpawn, or in onStart of game.lua`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hp = 9007199254740993", 4, `spawn[1].fields.hp = 9007199254740993: scripts have no such number`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hp = 2024-01-01", 4, `spawn[1].fields.hp = ...: no field holds a date or time`},
		{"[[spawn]]\nclass = 'Chest'\n[spawn.fields]\n'hits[1]' = 3", 4, `spawn[1].fields "hits[1]" is no field's name: write a list as [1, 2]`},
		{"[[spawn]]\nclass = 'Chest'\nfields = 3", 4, `spawn[1].fields = 3: must be a table`},
		{"[[spawn]]\nclass = 'Chest'\nfields.hits = [" + strings.Repeat("1,", 300) + "]", 4, `spawn[1].fields has 301 values; an object takes at most 300`},
	} {
		g, err := scripts.Load(withChest(c.toml), "")
		if err == nil {
			_, err = g.Compile(luabind.Compile)
		}
		got := complaints(err)
		if want := fmt.Sprintf("game.toml:%d: ", c.line); len(got) != 1 || !strings.HasPrefix(got[0], want) || !strings.Contains(got[0], c.want) {
			t.Errorf("%s\n got  %q\n want %s%s", c.toml, got, want, c.want)
		}
	}
}
