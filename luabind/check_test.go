package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestAsserts: check mode notices wrong calls of the VM.
func TestAsserts(t *testing.T) {
	for _, c := range []struct {
		name, want string
		mistake    func(s *testScene, slot int)
	}{
		{"another schema", "another schema", func(s *testScene, slot int) {
			other := start(t, "a.lua", "Y = object 'Y' {} function Y:tick() end")
			s.vm = other.vm
		}},
		{"an empty slot", "empty slot", func(s *testScene, slot int) { s.w.Now.Objects[slot].ID = 0 }},
		{"a question that did not end", "within a question", func(s *testScene, slot int) { s.vm.rights.ask(&question{}) }},
		{"within a hook", "within a hook", func(s *testScene, slot int) { s.vm.states.depth++ }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, "a.lua", "X = object 'X' {} function X:tick() end")
			slot := s.spawn("X")
			c.mistake(s, slot)
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, c.want) {
					t.Errorf("Call panics with %q", text)
				}
			}()
			_ = s.call(world.OnTick, slot, world.Args{})
			t.Error("Call does not panic")
		})
	}
}
