package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestCarriedClasses: the classes can be carried whose objects the text of any file attaches.
func TestCarriedClasses(t *testing.T) {
	const classes = `
Runner = object "Runner" { body = { shape = { circle = 0.5 } } }
Ball = object "Ball" { body = { shape = { circle = 0.2 } } }
Score = object "Score" { state = { n = 0 } }
`
	for text, want := range map[string]string{
		"": "",
		"function Ball:tick() self:attach(self) end":                            "Ball",
		"function Runner:tick() local f = function() self:attach(self) end end": "Runner",
		"function Runner:onContact(ball) ball:attach(self) end":                 "Runner Ball",
		"local function hold(self, by) self:attach(by) end":                     "Runner Ball",
		"function Ball:tick() local f = self.attach end":                        "Runner Ball",
		"local B = Ball function B:tick() self:attach(self) end":                "Runner Ball",
		"function Ball:tick() self:detach() end":                                "",
	} {
		s := start(t, "a.lua", classes+text)
		var carried []string
		for _, c := range s.w.Schema().Classes {
			if c.Body != nil && c.Body.Carried && c.Name != world.WallClass {
				carried = append(carried, c.Name)
			}
		}
		if got := strings.Join(carried, " "); got != want {
			t.Errorf("%s: carried are %q, want %q", text, got, want)
		}
	}
}

// TestCarriedClassesCostLittle: where a file attaches any object, the states have room for holds in all classes with bodies.
// Until something is carried, that is a pointer for each object.
func TestCarriedClassesCostLittle(t *testing.T) {
	const objects, states = 50, 10
	history := func(hook string) int {
		s := start(t, "a.lua", `
Runner = object "Runner" { body = { shape = { circle = 0.5 } } }
Crate = object "Crate" { body = { shape = { circle = 0.2 } }, state = { n = 0 } }
function Runner:onContact(other) `+hook+` end`)
		for range objects {
			s.spawn("Crate")
		}
		if c := s.w.Class(s.spawn("Crate")); c.Body.Carried != (hook != "") {
			t.Errorf("%q: %+v", hook, c.Body)
		}
		var m world.Memory
		for range states {
			s.tick()
			var past world.State
			past.CopyFrom(s.w.Now)
			m.AddState(&past)
		}
		return m.Bytes()
	}
	none, all := history(""), history("other:attach(self)")
	if most := none + 9*objects*states; all <= none || all > most {
		t.Errorf("%d states take %d bytes, without attach %d", states, all, none)
	}
}

// TestAttachByAComputedName: an error says how to write the call.
func TestAttachByAComputedName(t *testing.T) {
	s := start(t, "a.lua", `
Ball = object "Ball" { body = { shape = { circle = 0.2 } } }
function Ball:tick()
  local name = "at" .. "tach"
  self[name](self, objects("Ball")[2], 1, 0)
end`)
	slot := s.spawn("Ball")
	s.spawn("Ball")
	err := s.call(world.OnTick, slot, world.Args{})
	if want := "attach: a Ball cannot be attached, because no file calls the method by its name; write object:attach(holder, dx, dy)"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
