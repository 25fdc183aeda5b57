package client

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// fullSight returns a sight of as many objects as there may be, which takes many bytes.
func fullSight(seed int) (s world.Sight) {
	for i := range world.MaxSight {
		s = append(s, world.SightPose(world.ObjectID(1<<50*(i+1)+seed), physics.Pose{X: float64((i*97+seed*31)%500) + 0.3, Y: float64((i*59+seed*17)%400) - 200, Angle: float64(seed)}))
	}
	return s
}

// TestFullInputPackets sends inputs that need more than a datagram: the newest ones go, all that is left out is
// counted, and no packet is too large.
func TestFullInputPackets(t *testing.T) {
	for _, c := range []struct {
		what    string
		objects int
		sight   func(seed int) world.Sight
		axes    int
		inputs  bool // those of the newest tick fit
		sights  int  // that fit, at least
	}{
		{"few objects with large sights", 3, fullSight, 0, true, 3},
		{"many objects with large sights", 40, fullSight, 0, true, 3},
		{"the most objects", wire.MaxRuns, func(int) world.Sight { return nil }, 0, true, 0},
		{"the most objects with axes", wire.MaxRuns, fullSight, world.MaxAxes, false, 0},
	} {
		var s sentInputs
		const ticks = wire.MaxInputs
		for tick := world.Tick(1001); tick <= 1000+ticks; tick++ {
			s.begin(tick)
			for o := range c.objects {
				in := world.Input{Buttons: uint32(tick) & 1}
				for a := range c.axes {
					in.Axes[a] = math.Sqrt(float64(int(tick) + a + o))
				}
				s.add(tick, ownInput{object: world.ObjectID(1<<40*(o+1) + 77), bundle: 1, input: in, sight: c.sight(int(tick)*64 + o)})
			}
		}
		var cut room.CutCounts
		b := s.encode(&wire.InputPacket{Seq: 1}, ticks, &cut)
		var m wire.InputPacket
		if err := wire.ParseInputPacket(b, &m); err != nil || len(b) > wire.MaxDatagram {
			t.Errorf("%s: %d bytes, %v", c.what, len(b), err)
			continue
		}
		newest := 0
		for i := range m.Runs {
			if r := &m.Runs[i]; r.First+world.Tick(len(r.Inputs)) == 1000+ticks+1 {
				newest++
			}
		}
		all := 0
		if len(c.sight(0)) > 0 {
			all = ticks * c.objects
		}
		if newest == 0 || (newest == c.objects) != c.inputs || len(m.Sights) < c.sights || cut.Inputs != ticks*c.objects-countInputs(m.Runs) || cut.Sights != all-len(m.Sights) || cut.Inputs == 0 {
			t.Errorf("%s: the newest inputs of %d objects, %d sights, %+v", c.what, newest, len(m.Sights), cut)
		}
	}
}

// TestFullMotions sends owner poses and frames that need more than a datagram: all poses and all new frames go, in
// several datagrams, and what is left out is counted.
func TestFullMotions(t *testing.T) {
	const frames, fresh, first = wire.MaxFrames, 3, 5000
	for _, c := range []struct {
		what          string
		moved, framed int
		sight         func(seed int) world.Sight
		all           bool // new frames go
	}{
		{"a beam", 0, 1, fullSight, true},
		{"the most poses", wire.MaxRuns, 0, fullSight, true},
		{"many of both", 30, 6, fullSight, true},
		{"the most of both", wire.MaxRuns, wire.MaxRuns, func(int) world.Sight { return nil }, true},
		{"the most of both, with sights", wire.MaxRuns, wire.MaxRuns, fullSight, true},
	} {
		var m wire.Motion
		for o := range c.moved {
			m.Poses = append(m.Poses, wire.PoseRun{Object: world.ObjectID(o + 1), First: 300, Poses: []world.Placement{{Pose: physics.Pose{X: float64(o)}}}})
		}
		sights := 0
		for o := range c.framed {
			run := wire.FrameRun{Object: world.ObjectID(o + 1000), Bundle: 1, First: first}
			for i := range frames {
				f := wire.IndependentFrame{DT: 7, Input: world.Input{Buttons: uint32(i) & 1}, Sight: c.sight(o*64 + i)}
				sights += min(len(f.Sight), 1)
				run.Frames = append(run.Frames, f)
			}
			m.Frames = append(m.Frames, run)
		}
		var p motionParts
		var cut room.CutCounts
		poses, arrived, news, parts, seen := 0, 0, 0, 0, 0
		p.send(&m, first+frames-fresh-1, &cut, func(b []byte) {
			got, err := wire.ParseMotion(b)
			if err != nil || len(b) > wire.MaxDatagram {
				t.Errorf("%s: %d bytes, %v", c.what, len(b), err)
			}
			parts++
			poses += countPoses(got.Poses)
			for _, run := range got.Frames {
				arrived += len(run.Frames)
				for i := range run.Frames {
					seen += min(len(run.Frames[i].Sight), 1)
					if run.First+uint32(i) >= first+frames-fresh {
						news++
					}
				}
			}
		})
		if poses != c.moved || (news == fresh*c.framed) != c.all || parts == 0 || parts > mostParts {
			t.Errorf("%s: %d parts with %d poses and %d new frames", c.what, parts, poses, news)
		}
		if cut.Poses != c.moved-poses || cut.Frames != frames*c.framed-arrived || cut.Sights != sights-seen || c.framed > 0 && cut.Frames == 0 {
			t.Errorf("%s: %d frames and %d sights arrived, %+v", c.what, arrived, seen, cut)
		}
	}
}
