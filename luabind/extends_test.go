package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// enemies are classes that extend each other; the file of the class that the others extend is the last by name.
var enemies = []string{
	"boss.lua", `
Boss = object "Boss" { extends = Enemy, state = { rage = 1, hp = 50 }, objProps = { power = 9 }, body = { density = 5 }, look = { color = "#f00" } }
function Boss:tick() Enemy.tick(self) self.rage = self.rage + self.objProps.power + self.objProps.reach end
Last = object "Last" { extends = Boss, order = 1 }
`, "enemy.lua", `
Enemy = object "Enemy" { input = { Fire = "bool" }, state = { hp = 10, hits = list("number", 2) }, objProps = { power = 1, reach = 2 },
  body = { shape = { circle = 0.5 }, density = 1 }, look = { shape = "circle", color = "#00f" } }
function Enemy:tick() self:hurt(self.objProps.power) end
function Enemy:hurt(n) self.hp = self.hp - n end
function Enemy:applyInput(input) if input.Fire then self:hurt(1) end end
X = object "X" { state = { n = 0 } }
`}

func TestExtends(t *testing.T) {
	s := start(t, append([]string{"game.lua", `
function tick()
  local out = {}
  for _, e in ipairs(objects("Enemy")) do out[#out + 1] = e.class .. e.hp .. (e:is("Boss") and e.rage or "") end
  print(table.concat(out, " "), #objects("Boss"), #objects("Last"), objects("Last")[1]:is("Enemy"), objects("Enemy")[1]:is("Boss"))
  print(nearest("Enemy", 100, 0).class, nearest("Boss", 100, 0).class)
end`}, enemies...)...)
	for i, class := range []string{"Enemy", "Boss", "Last"} {
		slot := s.spawn(class)
		s.w.Now.Body(slot).X = float64(i)
	}
	s.order()
	for _, slot := range s.w.Now.Run {
		if err := s.call(world.OnTick, int(slot), world.Args{}); err != nil {
			t.Fatal(err)
		}
	}
	s.order()
	game, _ := s.w.Match()
	if err := s.call(world.OnGameTick, game, world.Args{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.lines, "; "); got != "game.lua:5: Enemy9 Boss4112 Last4112\t2\t1\ttrue\tfalse; game.lua:6: Last\tLast" {
		t.Errorf("%q", got)
	}
	s.w.End()
	for class, n := range map[string]int{"Enemy": 3, "Boss": 2, "Last": 1, "X": 0} {
		if ids, err := s.w.Reader().Objects(class, nil); len(ids) != n || err != nil {
			t.Errorf("Reader.Objects of %s: %v, %v", class, ids, err)
		}
	}
	schema := s.vm.Schema()
	i, _ := schema.ClassByName("Last")
	c := &schema.Classes[i]
	if c.Body.Def.Density != 5 || c.Body.Def.Shape.Radius != 0.5 || c.Look.Color != "#f00" || c.Look.Shape != "circle" || c.Order != 1 || !c.Steered() {
		t.Errorf("%+v %+v %+v", c, c.Body, c.Look)
	}
}

func TestExtendsRefused(t *testing.T) {
	for _, c := range [][2]string{
		{`B = object "B" { extends = A }`, "a.lua:1: A is not defined"},
		{`B = object "B" { extends = "A" }`, "a.lua:1: B.extends must be a class: Enemy = object \"Enemy\" { ... }, and then extends = Enemy; it is a string"},
		{`B = object "B" { extends = {} }`, "it is a table"},
		{"B = object \"B\" {\n  extends = A }\nA = object \"A\" {}", "a.lua:2: B.extends is nil; extend a class that is declared above"},
		{"B = object \"B\" { extends = A }\nA = object \"A\" { extends = B }", "a.lua:1: B.extends is nil"},
		{`B = object "B" { extends = nil }`, "a.lua:1: B.extends is nil"},
		{`A = object "A" { state = { n = 1 } }  B = object "B" { extends = A, aux = { n = 2 } }`, "B.aux.n: the field is declared in state and in aux"},
		{`A = object "A" {} function A:n() end  B = object "B" { extends = A, state = { n = 2 } }`, "B has a field and a method named n"},
		{`A = object "A" { state = { n = 1 } } X = object "X" {} function X:tick() self:is("Y") end function X:is() end`, "X:is: the name is reserved"},
	} {
		_, err := NewProgram(bundle("a.lua", c[0]), testSetup)
		if err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, not %q", c[0], err, c[1])
		}
	}
}

// TestExtendsAttached: an inherited method that attaches its object counts for the class that inherits it.
func TestExtendsAttached(t *testing.T) {
	p, err := NewProgram(bundle("a.lua", `
A = object "A" { body = { shape = { circle = 1 } } }
function A:tick() self:attach(objects("C")[1]) end
B = object "B" { extends = A }
C = object "C" { body = { shape = { circle = 1 } } }`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"A": true, "B": true, "C": false} {
		if i, _ := p.Schema().ClassByName(name); p.Schema().Classes[i].Body.Carried != want {
			t.Errorf("%s: carried is not %v", name, want)
		}
	}
}

// TestExtendsPlayed tests that fillTeams counts, and takeOver gives, the objects of classes that extend the one that
// they are asked for, as objects lists them, and what the hook has spawned.
func TestExtendsPlayed(t *testing.T) {
	s := start(t, "game.lua", `
function tick()
  fillTeams("Enemy", 3)
  print(#objects("Enemy"), #objects("Boss"))
  local o = takeOver(1, "Enemy")
  while o do print(o.class) o = takeOver(1, "Enemy") end
end
Enemy = object "Enemy" { state = { hp = 9 } }
Boss = object "Boss" { extends = Enemy }`)
	s.spawn("Boss")
	s.spawn("Boss")
	s.order()
	s.w.Now.Players = append(s.w.Now.Players, world.Player{ID: 1})
	game, _ := s.w.Match()
	for range 2 {
		if err := s.call(world.OnGameTick, game, world.Args{}); err != nil {
			t.Fatal(err)
		}
		s.w.EndOrder()
		s.w.End()
		s.w.Begin()
		s.w.BeginOrder()
	}
	if got := strings.Join(s.lines, "; "); got != "game.lua:4: 2\t2; game.lua:6: Boss; game.lua:6: Boss; game.lua:6: Enemy; game.lua:4: 3\t2" {
		t.Errorf("%q", got)
	}
}
