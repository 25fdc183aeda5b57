package luabind

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// gallery is a game with a gun and its targets.
const gallery = `
Gun = object "Gun" { state = { n = 0, held = ref(), late = ref() }, body = { shape = { circle = 0.5 } } }
Mark = object "Mark" { seen = true, state = { hp = 9 }, body = { shape = { box = { 1, 1 } } } }
Ball = object "Ball" { seen = true, body = { shape = { circle = 0.2 } } } function Ball:join(gun) self:attach(gun, 0.9, 0) end
Post = object "Post" { body = { shape = { circle = 0.5 } } }
`

// shooting is a gallery with a known past. In tick 10 the mark was at 0, 5 with the angle
// 3 rad; in tick 11 at 4, 5 with -3 rad. Since then it is at 20, 20.
type shooting struct {
	*testScene
	gun  int
	past map[world.Tick]*world.State
}

func shoot(t *testing.T, body string) *shooting {
	t.Helper()
	s := &shooting{testScene: start(t, "a.lua", gallery+"function Gun:applyInput(input) "+body+"\nend"), past: map[world.Tick]*world.State{}}
	s.gun = s.spawn("Gun")
	mark, post, held := s.spawn("Mark"), s.spawn("Post"), s.spawn("Ball")
	s.w.Now.Body(post).X = -5
	s.w.Now.Body(held).X = -10
	s.set(s.gun, "held", uint64(s.w.Now.Objects[held].ID))
	s.tie(held)
	for s.w.Now.Tick < 20 {
		s.w.Now.Tick++
		b := s.w.Now.Body(mark)
		switch s.w.Now.Tick {
		case 10:
			b.X, b.Y = 0, 5
			b.SetAngle(3)
		case 11:
			b.X = 4
			b.SetAngle(-3)
		case 12:
			b.X, b.Y = 20, 20
		case 15:
			late := s.spawn("Mark")
			s.w.Now.Body(late).X, s.w.Now.Body(late).Y = 1, 6
			s.set(s.gun, "late", uint64(s.w.Now.Objects[late].ID))
		}
		st := new(world.State)
		st.CopyFrom(s.w.Now)
		s.past[st.Tick] = st
	}
	s.w.PosesAt = func(t world.Tick) (world.PastPoses, bool) {
		st, ok := s.past[t]
		return world.PastPoses{State: st, Schema: s.w.Schema()}, ok
	}
	s.order()
	return s
}

func (s *shooting) set(slot int, field string, word uint64) {
	f, _ := s.w.Class(slot).Field(field)
	s.w.Now.Row(slot).SetWord(f, word)
}

// tie attaches the ball to the gun.
func (s *shooting) tie(ball int) {
	defer s.w.Act(s.w.Act(ball))
	if err := s.w.Actor().Attach(s.w.Now.Objects[ball].ID, s.w.Now.Objects[s.gun].ID, 0.9, 0); err != nil {
		s.t.Fatal(err)
	}
	s.order()
}

// fire runs applyInput for a screen that showed the moment 10.25.
func (s *shooting) fire() error {
	seen := world.ViewTime{Back: uint16(20*64 - (10*64 + 16)), All: true}
	return s.call(world.ApplyInput, s.gun, world.Args{Input: world.Input{ViewTime: seen}})
}

// TestAsSeen: queries and poses are those of the screen; all else is that of the tick.
func TestAsSeen(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a ray meets what was there", "local function ray() return (raycast(1, 1, 1, 10)) end print(ray() == self.late, self:asSeen(ray) == objects('Mark')[1])", "true\ttrue"},
		{"all results come out", "print(select('#', self:asSeen(function() return raycast(1, 0, 1, 10) end)))", "6"},
		{"and none", "print(select('#', self:asSeen(function() end)))", "0"},
		{"between two frames", "local m = objects('Mark')[1] print(self:asSeen(function() return m:getPosition() end))", "1\t5"},
		{"the shorter way round", "local m = objects('Mark')[1] print(string.format('%.3f', self:asSeen(function() return m:getDirection() end)))", "3.071"},
		{"fields are those of the tick", "local m = objects('Mark')[1] print(self:asSeen(function() return m.hp, m.owner end))", "9\t0"},
		{"objects that were not there", "print(#objects('Mark'), self:asSeen(function() return #objects('Mark') end))", "2\t1"},
		{"nor valid", "print(self.late:valid(), self:asSeen(function() return self.late:valid() end), self.late:valid())", "true\tfalse\ttrue"},
		{"but is what it is", "print(self:asSeen(function() return self.late.class end))", "Mark"},
		{"nor near", "print(nearest('Mark', 1, 6) == self.late, self:asSeen(function() return nearest('Mark', 1, 6) == self.late end))", "true\tfalse"},
		{"others stay", "print(self:asSeen(function() return #overlapCircle(-5, 0, 1) end))", "1"},
		{"self stays, and what it holds", "print(self:asSeen(function() return self.held:getPosition() end))", "0.9\t0"},
		{"after it all is as it was", "self:asSeen(function() end) print(#overlapCircle(1, 5, 0.4), #overlapCircle(20, 20, 1))", "0\t1"},
		{"numbers may be drawn", "print(self:asSeen(function() return random() end) < 1)", "true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := shoot(t, c.body)
			if err := s.fire(); err != nil {
				t.Fatal(err)
			}
			if len(s.lines) != 1 || !strings.HasSuffix(s.lines[0], ": "+c.want) {
				t.Errorf("%q, not %q", s.lines, c.want)
			}
		})
	}
}

// TestAsSeenOfAPredictedObject: a player whose client predicts the object sees the tick.
func TestAsSeenOfAPredictedObject(t *testing.T) {
	const body = "print(self:asSeen(function() return #overlapCircle(20, 20, 1), #overlapCircle(1, 5, 0.4) end))"
	for _, seen := range []world.ViewTime{{}, {Back: 600}, {Back: math.MaxUint16, All: true}} {
		s := shoot(t, body)
		if err := s.call(world.ApplyInput, s.gun, world.Args{Input: world.Input{ViewTime: seen}}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(s.lines[0], ": 1\t0") {
			t.Errorf("%+v: %q", seen, s.lines)
		}
	}
}

// TestAsSeenChangesNothing: a change within asSeen is an error that names its line, and the
// world is as before.
func TestAsSeenChangesNothing(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"self.n = 1", "nothing can be changed within asSeen"},
		{"objects('Mark')[1].hp = 1", "nothing can be changed within asSeen"},
		{"self:applyImpulse(1, 0)", "nothing can be changed within asSeen"},
		{"objects('Mark')[1]:setPosition(0, 0)", "nothing can be changed within asSeen"},
		{"spawn('Ball', {})", "nothing can be changed within asSeen"},
		{"self:remove()", "nothing can be changed within asSeen"},
		{"self.held:detach()", "nothing can be changed within asSeen"},
		{"rope(self, self.held)", "nothing can be changed within asSeen"},
		{"self:moveAndSlide(1, 0)", "nothing can be changed within asSeen"},
		{"cue('bang')", "nothing can be changed within asSeen"},
		{"self:asSeen(function() end)", "asSeen cannot be called within asSeen"},
		{"error('enough')", "enough"},
		{"self.late:getPosition()", "this player's client did not show it"},
		{"while true do end", "budget"},
	} {
		s := shoot(t, "self:asSeen(function()\n"+c.body+"\nend)")
		before := world.AppendState(nil, s.w.Now, s.w.Schema())
		err := s.fire()
		var se *world.ScriptError
		if !errors.As(err, &se) || se.Line != 7 || !strings.Contains(se.Message, c.want) {
			t.Errorf("%s: %v, not line 7: %s", c.body, err, c.want)
		}
		s.w.EndOrder()
		if !slices.Equal(before, world.AppendState(nil, s.w.Now, s.w.Schema())) {
			t.Errorf("%s: the state is another", c.body)
		}
		if found := s.w.Actor().Queries().OverlapCircle(20, 20, 1, math.MaxUint64, nil); len(found) != 1 {
			t.Errorf("%s: %d marks at their place after it", c.body, len(found))
		}
	}
}

// TestAsSeenOutsideApplyInput: asSeen works only in applyInput and only on self.
func TestAsSeenOutsideApplyInput(t *testing.T) {
	for body, want := range map[string]string{
		"self:asSeen(5)": "the argument must be a function, not a number",
		"objects('Post')[1]:asSeen(function() end)": "asSeen can be called only on self",
	} {
		s := shoot(t, body)
		if err := s.fire(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", body, err, want)
		}
	}
	if _, err := run(t, "self:asSeen(function() end)"); err == nil || !strings.Contains(err.Error(), "asSeen can be called only in applyInput") {
		t.Errorf("in tick: %v", err)
	}
	refused(t, "X = object \"X\" {\n seen = 3 }", "2: X.seen must be true or false, not a number")
}

// TestPoseHistoryBytes: a pose history is the same after encoding and decoding. The encoding is
// short for a crowd that moves steadily.
func TestPoseHistoryBytes(t *testing.T) {
	s := shoot(t, "")
	var ticks [][]world.PastPose
	for tick := world.Tick(2); tick <= 20; tick++ {
		at, _ := s.w.PosesAt(tick)
		ticks = append(ticks, at.List(nil))
	}
	b := world.AppendPoseHistory(nil, ticks)
	again, err := world.ParsePoseHistory(b, len(ticks))
	if err != nil || len(again) != len(ticks) || !bytes.Equal(b, world.AppendPoseHistory(nil, again)) {
		t.Fatalf("%d ticks of %d, %v", len(again), len(ticks), err)
	}
	for i := range ticks {
		if !slices.Equal(ticks[i], again[i]) {
			t.Errorf("tick %d: %v, not %v", i, again[i], ticks[i])
		}
	}
	if _, err := world.ParsePoseHistory(b, len(ticks)-1); !errors.Is(err, world.ErrFormat) {
		t.Errorf("more ticks than allowed: %v", err)
	}
	for n := range b {
		if _, err := world.ParsePoseHistory(b[:n], len(ticks)); !errors.Is(err, world.ErrFormat) {
			t.Errorf("%d bytes of %d: %v", n, len(b), err)
		}
	}
}

// TestGoldenAsSeen: the same bits on every CPU, at every moment between two frames.
func TestGoldenAsSeen(t *testing.T) {
	s := shoot(t, `
local m = objects("Mark")[1]
local x, y, angle, _, hx, hy, nx, ny, part = self:asSeen(function()
  local x, y = m:getPosition()
  return x, y, m:getDirection(), raycast(x - 3, y - 2, x, y)
end)
print(string.format("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", x, y, angle, hx, hy, nx, ny, part))`)
	sum := fnv.New64a()
	for part := range 64 {
		back := uint16(20*64 - (10*64 + part))
		if err := s.call(world.ApplyInput, s.gun, world.Args{Input: world.Input{ViewTime: world.ViewTime{Back: back, All: true}}}); err != nil {
			t.Fatal(err)
		}
		s.order()
	}
	for _, line := range s.lines {
		io.WriteString(sum, line)
	}
	if got, want := fmt.Sprintf("%d lines, %016x", len(s.lines), sum.Sum64()), "64 lines, e2929d930e2e5adc"; got != want {
		t.Errorf("%s, not %s; the last is %s", got, want, s.lines[63])
	}
}

func TestSeenRules(t *testing.T) {
	for source, want := range map[string]*world.SeenRules{`seen = true`: {}, `seen = {}`: {}, `seen = { within = 2.5 }`: {Within: 2.5}, `seen = false`: nil, ``: nil} {
		prog, err := NewProgram(bundle("a.lua", `A = object "A" { `+source+` }`), testSetup)
		if err != nil {
			t.Fatal(err)
		}
		i, _ := prog.Schema().ClassByName("A")
		if got := prog.Schema().Classes[i].Seen; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: %+v", source, got)
		}
	}
	for source, want := range map[string]string{
		`seen = 3`:                "A.seen",
		`seen = { near = 2 }`:     "unknown key seen.near; there are within",
		`seen = { within = 0 }`:   "A.seen.within must be a distance in metres, above 0 and at most 100",
		`seen = { within = 101 }`: "A.seen.within must be",
	} {
		if _, err := NewProgram(bundle("a.lua", `A = object "A" { `+source+` }`), testSetup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", source, err)
		}
	}
}
