package client

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// lastFrame remembers where the last frame drew the objects that asSeen can ask for.
type lastFrame struct {
	at    time.Duration
	drawn []view.Drawn // by id
}

// keep notes a frame.
func (f *lastFrame) keep(v *room.View, now time.Duration) {
	f.at, f.drawn = now, f.drawn[:0]
	for i := range v.Bodies {
		if b := &v.Bodies[i]; b.Declaration().Seen != nil {
			f.drawn = append(f.drawn, view.Drawn{ID: b.ID, At: b.Pose})
		}
	}
	slices.SortFunc(f.drawn, func(a, b view.Drawn) int { return cmp.Compare(a.ID, b.ID) })
}

// fresh reports whether there is a frame, and it is not old.
func (f *lastFrame) fresh(now time.Duration) bool { return f != nil && now-f.at <= staleFrame }

// find returns where an object was drawn.
func (f *lastFrame) find(id world.ObjectID) (at physics.Pose, ok bool) {
	i, ok := slices.BinarySearchFunc(f.drawn, id, func(d view.Drawn, id world.ObjectID) int { return cmp.Compare(d.ID, id) })
	if !ok {
		return physics.Pose{}, false
	}
	return f.drawn[i].At, true
}

// drawnAt returns where an object was drawn: in the last frame. A player without one, or with an old
// one, sees the present. It is nil if no script asks for it.
func (p *presentation) drawnAt(tl *timeline.Timeline, now time.Duration) world.DrawnAt {
	if !tl.World().Schema().HasSeen() {
		return nil
	}
	if p.used && p.frame.fresh(now) {
		return p.frame.find
	}
	s := tl.At(tl.Now())
	return func(id world.ObjectID) (physics.Pose, bool) {
		b := view.BodyOf(s, id)
		if b == nil {
			return physics.Pose{}, false
		}
		return b.Pose, true
	}
}
