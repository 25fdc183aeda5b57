package client

import (
	"slices"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// framedPoses are where the guessed frames of this client have put the objects that run in its frames and that
// its player moves, too. The log says in which tick the host has run a frame, where it does not move the object. It may
// say so before the next owner pose is made.
type framedPoses struct {
	tick  world.Tick // after which these poses are
	frame uint32     // the last frame that ran in it
	poses []sentPose
}

// note notes the poses after the newest tick, in which frames up to a number ran.
func (f *framedPoses) note(tl *timeline.Timeline, player world.PlayerID, number uint32) {
	r := tl.World().Reader()
	s := r.State()
	f.tick, f.frame, f.poses = s.Tick, number, f.poses[:0]
	for _, slot := range s.Run {
		o, class := &s.Objects[slot], r.Class(int(slot))
		if o.Owner == player && class.Moves != nil && class.Independent {
			f.poses = append(f.poses, sentPose{o.ID, world.OwnerPoseOf(s.Body(int(slot)))})
		}
	}
}

// after returns the pose of an object after tick t; simulated if the frames of this client do not move it.
func (f *framedPoses) after(t world.Tick, id world.ObjectID, simulated world.Placement) world.Placement {
	if i := f.find(id); i >= 0 && f.tick == t {
		return f.poses[i].at
	}
	return simulated
}

// drop drops the pose of an object that the host has put elsewhere.
func (f *framedPoses) drop(id world.ObjectID) {
	f.poses = slices.DeleteFunc(f.poses, func(p sentPose) bool { return p.object == id })
}

// awaits reports whether a frame of an object is not to be sent yet, because it has not moved the object here.
func (f *framedPoses) awaits(id world.ObjectID, number uint32) bool {
	return number > f.frame && f.find(id) >= 0
}

func (f *framedPoses) find(id world.ObjectID) int {
	return slices.IndexFunc(f.poses, func(p sentPose) bool { return p.object == id })
}
