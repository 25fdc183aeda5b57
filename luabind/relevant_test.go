package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

func TestRelevant(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
		err  string
	}{
		{`return object.class == "Ball" and viewer.class == "Ship"`, true, ""},
		{`return object.hp`, true, ""},
		{`return nil`, false, ""},
		{``, false, ""},
		{`local x = viewer:getPosition() local ox = object:getPosition() return ox - x > 4`, true, ""},
		{`return nearest("Ball", viewer:getPosition()) == object and random() < 1`, true, ""},
		{`object.hp = 1`, false, "relevant can look"},
		{`object:remove()`, false, "relevant can look"},
		{`spawn("Ball") return true`, false, "relevant can look"},
		{`cue("x")`, false, "relevant can look"},
		{`while true do end`, false, "budget"},
		{`return object.nothing`, false, "has no field"},
	} {
		s := start(t, "ship.lua", shipLua+actors, "game.lua", "function relevant(viewer, object)\n"+c.body+"\nend")
		viewer, object := s.spawn("Ship"), s.spawn("Ball")
		s.w.Now.Body(object).X = 5
		s.w.BeginOrder()
		before := s.w.Now.Hash()
		got, err := s.vm.Relevant(s.reader(), viewer, object)
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "game.lua:2: ")) {
			t.Errorf("%s: %v, want %q", c.body, err, c.err)
		}
		if got != c.want || s.w.Now.Hash() != before {
			t.Errorf("%s: %v; the world is another: %v", c.body, got, s.w.Now.Hash() != before)
		}
		if err := s.call(world.OnTick, object, world.Args{}); err != nil {
			t.Errorf("%s: a hook after it: %v", c.body, err)
		}
	}
}

// TestPredicted: predicted is asked as relevant is, and belongs to game.lua.
func TestPredicted(t *testing.T) {
	s := start(t, "ship.lua", shipLua+actors, "game.lua", "function predicted(viewer, object)\nreturn viewer.class == 'Ship'\nend")
	ship, ball := s.spawn("Ship"), s.spawn("Ball")
	for _, c := range []struct {
		viewer, object int
		want           bool
	}{{ship, ball, true}, {ball, ship, false}} {
		if got, err := s.vm.Predicted(s.reader(), c.viewer, c.object); got != c.want || err != nil || !s.vm.HasPrediction() || s.vm.HasRelevancy() {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
	if _, err := NewProgram(bundle("ship.lua", "function predicted(viewer, object) return true end"), testSetup); err == nil || !strings.Contains(err.Error(), "ship.lua:1: predicted is a function of game.lua") {
		t.Error(err)
	}
	prog, err := NewProgram(bundle("a.lua", `A = object "A" { body = { shape = { circle = 1 } }, predict_range = 25 }`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	if i, _ := prog.Schema().ClassByName("A"); prog.Schema().Classes[i].Ranges.Predicted != 25 {
		t.Errorf("%+v", prog.Schema().Classes[i].Ranges)
	}
	for source, want := range map[string]string{
		`object "A" { predict_range = 25 }`: "predict_range: for a class with a body",
		`object "A" { body = { shape = { circle = 1 } }, lod = "interpolate", predict_range = 25 }`: "predict_range: for a class with a body",
		`object "A" { predict_range = -1 }`: "A.predict_range must be a distance in metres",
	} {
		if _, err := NewProgram(bundle("a.lua", source), testSetup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestRelevantBelongsToTheGame(t *testing.T) {
	if _, err := NewProgram(bundle("ship.lua", "function relevant(viewer, object) return true end"), testSetup); err == nil || !strings.Contains(err.Error(), "ship.lua:1: relevant is a function of game.lua") {
		t.Error(err)
	}
	if s := start(t, "ship.lua", shipLua); s.vm.HasRelevancy() {
		t.Error("there is a judge")
	}
	s := start(t, "ship.lua", shipLua+actors)
	if s.vm.HasRelevancy() {
		t.Error("there is a judge")
	}
	ship, ball := s.spawn("Ship"), s.spawn("Ball")
	if ok, err := s.vm.Relevant(s.reader(), ship, ball); !ok || err != nil {
		t.Error(ok, err)
	}
}

func TestThresholdsOfAClass(t *testing.T) {
	prog, err := NewProgram(bundle("a.lua", `A = object "A" { body = { shape = { circle = 1 } }, correct = { position = 0, angle = 0.5 } }`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	i, _ := prog.Schema().ClassByName("A")
	if c := prog.Schema().Classes[i]; c.Correct == nil || *c.Correct != (world.CorrectRules{Position: 0, Angle: 0.5, Velocity: -1, AngularVelocity: -1}) {
		t.Errorf("%+v", c.Correct)
	}
	const body = `body = { shape = { circle = 1 } }, `
	for source, want := range map[string]string{
		`object "A" { correct = { position = 1 } }`:              "a.lua:1: A.correct: the host corrects where objects are and how they move; the class needs a body",
		`object "A" { ` + body + `correct = 3 }`:                 "A.correct",
		`object "A" { ` + body + `correct = { positon = 1 } }`:   "unknown key correct.positon; there are position,",
		`object "A" { ` + body + `correct = { position = -1 } }`: "A.correct.position must be 0 to 100000 m",
		`object "A" { ` + body + `correct = { angle = 7 } }`:     "A.correct.angle must be 0 to 3.14159 radians",
		`object "A" { ` + body + `correct = { velocity = "x" }}`: "A.correct.velocity",
	} {
		if _, err := NewProgram(bundle("a.lua", source), testSetup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestRangeAndHidden(t *testing.T) {
	prog, err := NewProgram(bundle("a.lua", `A = object "A" { range = 20, hidden = true, lod = "interpolate" }`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	i, _ := prog.Schema().ClassByName("A")
	if c := prog.Schema().Classes[i]; c.Ranges.Relevant != 20 || !c.Ranges.Hidden {
		t.Errorf("%+v", c)
	}
	for source, want := range map[string]string{
		`object "A" { range = 0 }`:     "A.range must be a distance",
		`object "A" { range = "far" }`: "A.range is",
		`object "A" { range = 1e9 }`:   "at most 200000",
		`object "A" { hidden = true }`: `a.lua:1: A.hidden: all clients simulate this class, so nothing of it can be hidden; write lod = "interpolate"`,
		`object "A" { hidden = 1 }`:    "A.hidden must be true or false",
		`object "A" { hiden = true }`:  "hidden",
	} {
		if _, err := NewProgram(bundle("a.lua", source), testSetup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
