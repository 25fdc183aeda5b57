package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestFilterChat tests what filterChat makes of a line of chat, and that it cannot change the world.
func TestFilterChat(t *testing.T) {
	for _, c := range []struct{ body, want, err string }{
		{`return text`, "shoot!", ""},
		{`return p .. ": " .. text:upper()`, "2: SHOOT!", ""},
		{`if text:find("shoot") then return nil end return text`, "", ""},
		{`return #objects("Ball") .. text`, "1shoot!", ""},
		{`return true`, "shoot!", "filterChat returned boolean: it must return a text, or nil"},
		{`return {}`, "shoot!", "filterChat returned table"},
		{`game.hp = 1`, "shoot!", "filterChat can look"},
		{`spawn("Ball") return text`, "shoot!", "filterChat can look"},
		{`level("main") return text`, "shoot!", "filterChat can look"},
		{`while true do end`, "shoot!", "budget"},
		{`return text:rep(1e9)`, "shoot!", "bytes"},
	} {
		s := start(t, "ship.lua", shipLua+actors, "game.lua", "game { state = { hp = 0 } } function filterChat(p, text)\n"+c.body+"\nend")
		s.spawn("Ball")
		s.w.BeginOrder()
		before := s.w.Now.Hash()
		got, ok, err := s.vm.FilterChat(s.reader(), 2, "shoot!")
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "game.lua:")) {
			t.Errorf("%s: %v, want %q", c.body, err, c.err)
		}
		if got != c.want || ok != (c.want != "") || s.w.Now.Hash() != before {
			t.Errorf("%s: %q, %v; the world is another: %v", c.body, got, ok, s.w.Now.Hash() != before)
		}
	}
	s := start(t, "ship.lua", shipLua+actors)
	if got, ok, err := s.vm.FilterChat(world.New().Reader(), 2, "hello"); got != "hello" || !ok || err != nil {
		t.Errorf("without the function: %q, %v, %v", got, ok, err)
	}
}
