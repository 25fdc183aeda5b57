package luabind

import (
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

const beforeSwitch = `
Ship = object "Ship" { state = { fuel = 40, name = str(8, "ada"), target = ref(), armed = true } }
function Ship:onSpawn() self.target = self end
game { state = { round = 3 } }
`

// switchTo switches a scene to other scripts, as a tick of the Timeline does, and returns the
// errors of the migrate hooks.
func (s *testScene) switchTo(parts ...string) (errs []string) {
	s.t.Helper()
	prog, err := NewProgram(bundle(parts...), testSetup)
	if err != nil {
		s.t.Fatal(err)
	}
	from := s.w.Schema()
	s.vm = prog.NewVM()
	before := s.w.Migrate(prog.Schema(), 2)
	s.w.BeginOrder()
	for _, slot := range slices.Clone(s.w.Now.Run) {
		at, ok := before.Find(s.w.Now.Objects[slot].ID)
		if !ok {
			s.t.Fatal("an object is new")
		}
		a := world.Args{From: &from.Classes[before.Objects[at].Class], Old: before.Row(at)}
		if err := s.call(world.OnMigrate, int(slot), a); err != nil {
			errs = append(errs, err.Error())
		}
	}
	s.order()
	return errs
}

func TestMigrateFillsNewFieldsFromOldOnes(t *testing.T) {
	s := start(t, "a.lua", beforeSwitch)
	id := s.w.Now.Objects[s.spawn("Ship")].ID
	errs := s.switchTo("game.lua", `
game { state = { rounds = 0 } }
function migrate(old) game.rounds = old.round + 1 print(old.nothing) end
`, "ship.lua", `
Ship = object "Ship" { state = { energy = 0, name = str(8), target = ref(), armed = false } }
function Ship:migrate(old)
  self.energy = old.fuel * 10
  self.name = old.name .. "!"
  print(old.target == self, old.armed, self.armed, old.energy)
end`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	slot, _ := s.w.Now.Find(id)
	if got := s.field(slot, "energy"); got != 400 {
		t.Errorf("energy = %v", got)
	}
	game, _ := s.w.Match()
	if got := s.field(game, "rounds"); got != 4 {
		t.Errorf("rounds = %v", got)
	}
	if got := strings.Join(s.lines, "\n"); !strings.Contains(got, "true\ttrue\ttrue\tnil") {
		t.Errorf("printed %q", got)
	}
}

// TestMigrateReadsOnlyItsObject: migrate cannot reach other objects.
func TestMigrateReadsOnlyItsObject(t *testing.T) {
	for body, want := range map[string]string{
		`objects("Ship")`:             "only its own object",
		`spawn("Ship", {})`:           "only its own object",
		`nearest("Ship", 0, 0)`:       "only its own object",
		`print(old.target.energy)`:    "only its own object",
		`old.target.energy = 1`:       "only its own object",
		`game.x = 1`:                  "only its own object",
		`old.fuel = 1`:                "read-only",
		`self.energy = old.fuel.x.y`:  "attempt to index a number value (field 'fuel') with key 'x'",
		`while true do end`:           "budget",
		`self.energy = old.fuel - 40`: "",
	} {
		s := start(t, "a.lua", strings.Replace(beforeSwitch, "self.target = self", "self.target = objects('Ship')[1]", 1))
		s.spawn("Ship")
		s.spawn("Ship")
		errs := s.switchTo("ship.lua", "game { state = { x = 0 } }\nShip = object \"Ship\" { state = { energy = 7, target = ref() } }\nfunction Ship:migrate(old) if old.target then "+body+" end end")
		if (len(errs) == 0) != (want == "") || want != "" && !strings.Contains(errs[0], want) {
			t.Errorf("%s: %q, want %q", body, errs, want)
		}
	}
}

// TestMigrateReadsListsAndRecords: old lists and records are read-only tables.
func TestMigrateReadsListsAndRecords(t *testing.T) {
	s := start(t, "a.lua", `Ship = object "Ship" { state = { n = 0, hits = list("number", 4), slot = record { kind = str(8), count = 2 },
  slots = list(record { x = 1, names = str(4) }, 3) } }
function Ship:onSpawn()
  self.hits = { 5, 6, 7 }
  self.slot.kind = "ore"
  self.slots = { { x = 3 }, { x = 4, names = "b" } }
end`)
	id := s.w.Now.Objects[s.spawn("Ship")].ID
	errs := s.switchTo("ship.lua", `Ship = object "Ship" { state = { sum = 0, kind = str(8) } }
function Ship:migrate(old)
  for _, h in ipairs(old.hits) do self.sum = self.sum + h end
  self.sum = self.sum + #old.slots * 100 + old.slots[2].x * 1000 + old.slot.count * 10000
  self.kind = old.slot.kind .. old.slots[2].names
end`)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	slot, _ := s.w.Now.Find(id)
	if got := s.field(slot, "sum"); got != 18+200+4000+20000 {
		t.Errorf("sum = %v", got)
	}
	f, _ := s.w.Class(slot).Field("kind")
	if got := world.StringField(s.w.Now.Row(slot), f); got != "oreb" {
		t.Errorf("kind = %q", got)
	}
}
