package luabind

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

// BenchmarkAsSeen shoots a ray among 64 players: at their present poses, and at poses that a
// screen showed, from kept states and from the pose history.
func BenchmarkAsSeen(b *testing.B) {
	for _, c := range []struct {
		name, body string
		kept       bool
	}{
		{"bare", "local hit = raycast(-30, 0, 30, 0.1)", false},
		{"states", "local hit = self:asSeen(function() return raycast(-30, 0, 30, 0.1) end)", false},
		{"kept", "local hit = self:asSeen(function() return raycast(-30, 0, 30, 0.1) end)", true},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := start(b, "a.lua", gallery+"function Gun:applyInput(input) "+c.body+"\nend")
			gun := s.spawn("Gun")
			for i := range 64 {
				body := s.w.Now.Body(s.spawn("Mark"))
				body.X, body.Y = float64(i%8)*4-14, float64(i/8)*4-14
				body.SetAngle(float64(i) / 10)
			}
			s.w.Now.Tick = 100
			past := world.PastPoses{State: new(world.State), Schema: s.w.Schema()}
			past.State.CopyFrom(s.w.Now)
			if c.kept {
				past = world.PastPoses{Kept: past.List(nil)}
			}
			s.w.PosesAt = func(world.Tick) (world.PastPoses, bool) { return past, true }
			args := world.Args{Input: world.Input{ViewTime: world.ViewTime{Back: 1000, All: true}}}
			for b.Loop() {
				s.order()
				if err := s.call(world.ApplyInput, gun, args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
