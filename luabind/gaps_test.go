package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestGapsCostNothing: a number far beyond the end of a list costs as much as any other key. Puzzles
// compare what such tables contain.
func TestGapsCostNothing(t *testing.T) {
	cost := func(body string) int64 {
		s := start(t, "a.lua", "A = object \"A\" {}\nfunction A:tick() "+body+" end")
		slot := s.spawn("A")
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		return s.vm.lang.limits().used(HookInstructions)
	}
	far, named := cost("local t = {} t[60000] = 1"), cost("local t = {} t[-1] = 1")
	if far > named+20 {
		t.Errorf("t[60000] = 1 takes %d instructions, t[-1] = 1 takes %d", far, named)
	}
	if _, err := run(t, "local t = {} for i = 1, 60000 do t[60001 - i] = i end"); err == nil || !strings.Contains(err.Error(), "budget") {
		t.Errorf("60000 values far away: %v", err)
	}
}

// TestFrozenGaps: a table with gaps that was made while the files were loaded is read-only, and is read
// as before.
func TestFrozenGaps(t *testing.T) {
	s := start(t, "a.lua", "FAR = { 'one', [500] = 'five' } A = object \"A\" { objProps = { levels = { [50] = 2 } } }\n"+
		"function A:tick() print(FAR[500], FAR[499], #FAR, self.objProps.levels[50]) for k, v in pairs(FAR) do print(k, v) end FAR[600] = 1 end")
	err := s.call(world.OnTick, s.spawn("A"), world.Args{})
	if err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("writing: %v", err)
	}
	if got := fmt.Sprint(s.lines); got != "[a.lua:2: five\tnil\t1\t2 a.lua:2: 1\tone a.lua:2: 500\tfive]" {
		t.Error(got)
	}
}
