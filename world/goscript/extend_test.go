package goscript_test

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// familyInLua has the rules of family in Lua.
const familyInLua = `
Enemy = object "Enemy" { input = { Fire = "bool" }, body = { shape = { circle = 0.5 }, linear_damping = 1 },
  state = { hp = { "number", default = 10, min = 0, max = 100 }, hits = list("number", 2), name = str(8, "foe"), by = ref() } }
function Enemy:think() return { Fire = tickNumber() % 2 == 0 } end
function Enemy:applyInput(input) if input.Fire then self.hp = self.hp - 1 self:applyImpulse(0.1, 0) end end
function Enemy:tick()
  if #self.hits == 2 then table.remove(self.hits, 1) end
  if tickNumber() % 7 == 0 then self.hits = {} end
  table.insert(self.hits, self.hp)
  self.hits[1] = self.hits[1] + 0.5
  if tickNumber() % 5 == 0 then after(0.05, "roar") end
end
function Enemy:roar() self.hp = self.hp + 30 self.name = "roars" end
Boss = object "Boss" { extends = Enemy, state = { rage = 1, hp = { "number", default = 50, min = 0, max = 500 } },
  body = { density = 5 } }
function Boss:tick() Enemy.tick(self) self.rage = self.rage + 1 self.hp = self.hp + 25 end
Last = object "Last" { extends = Boss, state = { alpha = 0 }, aux = { beta = 3 }, order = 1 }
function Last:roar() self.alpha = self.alpha + 1 end
`

const familyMatchInLua = `
game { state = { seen = 0 } }
function onStart()
  spawn("Enemy", { x = 1 }) spawn("Boss", { x = 2, hp = 300 }) spawn("Last", { x = 3, alpha = 2, name = "last" })
end
function tick()
  for i, e in ipairs(objects("Enemy")) do
    game.seen = game.seen * 3 + (e:is("Boss") and 2 or 0) + (e:is("Last") and 1 or 0)
    if e:is("Boss") then e.rage = e.rage + i end
    e.hp = e.hp + 0.25
    e.by = nearest("Enemy", 9, 0)
  end
  game.seen = (game.seen + #objects("Boss") * 5 + #objects("Last")) % 1000
end
`

// family is a game with classes that extend each other.
type family struct {
	*goscript.Game
	enemy, boss, last           *goscript.Class
	hp, rage, alpha, seen, item goscript.Number
	hits                        goscript.List
	name                        goscript.Text
	by                          goscript.Ref
	fire                        goscript.Button
	roar                        goscript.Timer
}

func newFamily() *family {
	g := &family{Game: goscript.NewGame("family", "1")}
	body := goscript.Dynamic(physics.CircleShape(0.5))
	body.Def.LinearDamping = 1
	g.enemy = g.Class(world.Class{Name: "Enemy", Body: body})
	g.boss = g.Extend(g.enemy, "Boss", func(c *world.Class) { c.Body.Def.Density = 5 })
	g.last = g.Extend(g.boss, "Last", func(c *world.Class) { c.Order = 1 })
	g.rage, g.alpha = g.boss.Number("rage", 1), g.last.Number("alpha", 0)
	g.boss.Number("hp", 50).Range(0, 500)
	g.last.Aux().Number("beta", 3)
	g.fire = g.enemy.Button("Fire")
	g.hp, g.name, g.by = g.enemy.Number("hp", 10).Range(0, 100), g.enemy.Text("name", 8, "foe"), g.enemy.Ref("by")
	g.hits = g.enemy.List("hits", 2)
	g.item, g.seen = g.hits.Number("", 0), g.Number("seen", 0)
	g.roar = g.enemy.Timer("roar", func(_ goscript.Actor, self goscript.Object) {
		g.hp.Add(self, 30)
		g.name.Set(self, "roars")
	})
	g.last.Timer("roar", func(_ goscript.Actor, self goscript.Object) { g.alpha.Add(self, 1) })
	g.enemy.Think = func(a goscript.Actor, _ goscript.Object) (in world.Input) {
		if a.Tick()%2 == 0 {
			g.fire.Press(&in, 1)
		}
		return in
	}
	g.enemy.ApplyInput = func(_ goscript.Actor, self goscript.Object, in *world.Input) {
		if g.fire.Down(in) {
			g.hp.Add(self, -1)
			self.Body().ApplyImpulse(0.1, 0)
		}
	}
	g.enemy.Tick = g.fights
	g.boss.Tick = func(a goscript.Actor, self goscript.Object) {
		g.enemy.Tick(a, self)
		g.rage.Add(self, 1)
		g.hp.Add(self, 25)
	}
	g.GameHooks = goscript.GameHooks{OnStart: g.begins, Tick: g.counts}
	return g
}

func (g *family) fights(a goscript.Actor, self goscript.Object) {
	if g.hits.Len(self) == 2 {
		g.hits.Remove(self, 0)
	}
	if a.Tick()%7 == 0 {
		g.hits.Clear(self)
	}
	g.hits.Append(self, g.item.As(g.hp.Get(self)))
	g.item.At(0).Add(self, 0.5)
	if a.Tick()%5 == 0 {
		g.roar.After(a, 0.05)
	}
}

func (g *family) begins(a goscript.Actor) {
	a.Spawn(g.enemy, goscript.At(1, 0))
	a.Spawn(g.boss, goscript.At(2, 0), g.hp.As(300))
	a.Spawn(g.last, goscript.At(3, 0), g.alpha.As(2), g.name.As("last"))
}

func (g *family) counts(a goscript.Actor) {
	seen := g.seen.Get(a.Match())
	for i, e := range a.Objects(g.enemy) {
		seen *= 3
		if e.Is(g.boss) {
			seen += 2
			g.rage.Add(e, float64(i+1))
		}
		if e.Is(g.last) {
			seen++
		}
		g.hp.Add(e, 0.25)
		g.by.Set(e, a.Nearest(g.enemy, 9, 0, 1e6))
	}
	seen += float64(5*len(a.Objects(g.boss)) + len(a.Objects(g.last)))
	g.seen.Set(a.Match(), float64(int(seen)%1000))
}

// TestExtend: classes that extend others do the same in Go as in Lua: every tick has the same hash.
func TestExtend(t *testing.T) {
	g := newFamily()
	inGo := newRig(t, g.Game)
	script, err := luabind.Compile([]world.Source{{Name: "foes.lua", Text: familyInLua}, {Name: "game.lua", Text: familyMatchInLua}},
		roomOf(g.Game).Setup)
	if err != nil {
		t.Fatal(err)
	}
	inLua := &rig{}
	inLua.Timeline = timeline.New(script, timeline.Options{States: 64,
		Ran: func(w *world.World, _ *world.Trace) { inLua.faults = append(inLua.faults, w.Faults()...) }})
	for range 60 {
		inGo.run(1)
		inLua.run(1)
		for _, class := range []string{"Enemy", "Boss", "Last", world.GameClass} {
			if a, b := inGo.fields(class), inLua.fields(class); a != b {
				t.Fatalf("tick %d: %s in Go: %s\nin Lua: %s", inGo.Now(), class, a, b)
			}
		}
		if a, b := inGo.At(inGo.Now()).Hash(), inLua.At(inLua.Now()).Hash(); a != b {
			t.Fatalf("tick %d: hash %x in Go, %x in Lua", inGo.Now(), a, b)
		}
	}
	if all := append(inGo.errors(), inLua.errors()...); len(all) > 0 {
		t.Error(all)
	}
	for class, want := range map[string]string{"Enemy": `name="roars"`, "Boss": `name="roars"`, "Last": `name="last"`} {
		if got := inGo.fields(class); !strings.Contains(got, want) {
			t.Errorf("%s: %s, not with %s", class, got, want)
		}
	}
}

// TestExtendMistakes: what a class that extends another cannot declare.
func TestExtendMistakes(t *testing.T) {
	for want, declare := range map[string]func(g *goscript.Game, foe *goscript.Class){
		"Boss extends a class of another game, or none": func(g *goscript.Game, _ *goscript.Class) {
			g.Extend(goscript.NewGame("other", "1").Class(world.Class{Name: "Foe"}), "Boss", nil)
		},
		"Boss extends a class of another game, or none ": func(g *goscript.Game, _ *goscript.Class) { g.Extend(nil, "Boss", nil) },
		"class \"Foe\" is declared twice":                func(g *goscript.Game, foe *goscript.Class) { g.Extend(foe, "Foe", nil) },
		"Boss: a class that extends another is declared": func(g *goscript.Game, _ *goscript.Class) { g.Class(world.Class{Name: "Boss", Extends: "Foe"}) },
		"Boss.hp: the field of Foe is declared again, as": func(g *goscript.Game, foe *goscript.Class) {
			g.Extend(foe, "Boss", nil).Bool("hp", true)
		},
		"Boss: the field hits is declared twice": func(g *goscript.Game, foe *goscript.Class) {
			g.Extend(foe, "Boss", nil).List("hits", 3).Number("", 0)
		},
		"Boss: the field hp is declared twice, or as a record": func(g *goscript.Game, foe *goscript.Class) {
			g.Extend(foe, "Boss", nil).Number("hp.max", 0)
		},
		"Boss declares the input Fire of Foe again": func(g *goscript.Game, foe *goscript.Class) {
			g.Extend(foe, "Boss", nil).Button("Fire")
		},
	} {
		g := goscript.NewGame("bad", "1")
		foe := g.Class(world.Class{Name: "Foe"})
		foe.Number("hp", 1)
		foe.List("hits", 2).Number("", 0)
		foe.Button("Fire")
		declare(g, foe)
		_, err := goscript.Compile(g)([]world.Source{g.Source()}, roomOf(g).Setup)
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%s: got %v", want, err)
		}
	}
}

// TestExtendedInputs: the handles of inputs fit the classes that extend theirs, whatever these add.
func TestExtendedInputs(t *testing.T) {
	g := newFamily()
	alarm, aim := g.boss.Button("Alarm"), g.last.Axis("aim", -1, 1)
	script, err := goscript.Compile(g.Game)([]world.Source{g.Source()}, roomOf(g.Game).Setup)
	if err != nil {
		t.Fatal(err)
	}
	var in world.Input
	g.fire.Press(&in, 1)
	aim.Set(&in, 0.5)
	if in.Buttons != 1 || alarm.Down(&in) || in.Axes[0] != 0.5 {
		t.Errorf("%+v", in)
	}
	for class, want := range map[string]string{"Enemy": "Fire", "Boss": "Fire Alarm", "Last": "Fire Alarm aim"} {
		i, _ := script.Schema().ClassByName(class)
		var names []string
		for _, f := range script.Schema().Classes[i].Inputs {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s has the inputs %s, not %s", class, got, want)
		}
	}
}
