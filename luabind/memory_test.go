package luabind

import (
	"bytes"
	"errors"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestVMKeepsNoHistory: the result of using a removed object does not depend on whether the VM
// used the object before it was removed. The VM of a host did; that of a client that joined
// later did not.
func TestVMKeepsNoHistory(t *testing.T) {
	const ball = `Ball = object "Ball" { objProps = { weight = 3 }, state = { hp = 5 } }
function Ball:worth() return 7 end
`
	for _, use := range []string{
		"self.n = string.len(tostring(self.friend))",
		"if self.friend.class == 'Ball' then self.n = 1 end",
		"self.n = self.friend:worth()",
		"self.n = self.friend.objProps.weight",
		"self.n = self.friend.hp",
		"self.friend.hp = 4",
		"self.friend:remove()",
		"self.n = self.friend:valid() and 1 or 2",
		"self.n = self.friend == self.other and 1 or 2",
	} {
		t.Run(use, func(t *testing.T) {
			s := start(t, "a.lua", ball+`Cat = object "Cat" { state = { n = 0, friend = ref(), other = ref() } }
function Cat:think() self.friend = nearest2() self.other = self.friend self.n = string.len(tostring(self.friend)) end
function nearest2() return objects("Ball")[1] end
function Cat:tick() `+use+` end`)
			cat, ball := s.spawn("Cat"), s.spawn("Ball")
			if err := s.call(world.Think, cat, world.Args{}); err != nil {
				t.Fatal(err)
			}
			before := s.w.Act(ball)
			if err := s.w.Actor().Do(world.Op{Target: s.w.Now.Objects[ball].ID, Kind: world.Remove}); err != nil {
				t.Fatal(err)
			}
			s.w.Act(before)
			s.w.EndOrder()
			s.w.End()
			after := world.AppendState(nil, s.w.Now, s.w.Schema())
			fresh := &testScene{t: t, vm: s.vm.prog.NewVM(), w: world.New()}
			st, err := world.ParseState(after, s.w.Schema())
			if err != nil {
				t.Fatal(err)
			}
			fresh.w.Load(st, s.w.Schema())
			var errs [2]string
			for i, sc := range []*testScene{s, fresh} {
				sc.w.Begin()
				sc.w.BeginOrder()
				id, _ := sc.w.Find(s.w.Now.Objects[cat].ID)
				var se *world.ScriptError
				if err := sc.call(world.OnTick, id, world.Args{}); errors.As(err, &se) {
					errs[i] = se.Message
				}
				sc.w.EndOrder()
			}
			a, b := world.AppendState(nil, s.w.Now, s.w.Schema()), world.AppendState(nil, fresh.w.Now, s.w.Schema())
			if !bytes.Equal(a, b) || errs[0] != errs[1] {
				t.Errorf("the VM that used it: %q, the other one: %q\n%v", errs[0], errs[1], world.Diff(s.w.Now, fresh.w.Now, s.w.Schema(), 5))
			}
		})
	}
}
