package client

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Overlay has what a client knows beyond what it draws, for those who look for the causes of what they see.
type Overlay struct {
	// the newest tick of which the client has the whole log; 0 for a client that does not simulate
	Complete world.Tick
	Newest   world.Tick    // the tick of the newest snapshot, 0: none
	AtHost   []OverlayBody // where the host has the bodies: at the end of Complete, or in the newest snapshot
	Buffered []OverlayBody // the samples in the interpolation buffer that are shown or will be, by object and tick
	Contacts []OverlayContact
	Rewound  OverlayRewind
}

// OverlayBody is a body at the end of a tick.
type OverlayBody struct {
	ID   world.ObjectID
	Tick world.Tick
	physics.Pose
}

// OverlayContact is a point in which two bodies of the present touch.
type OverlayContact struct {
	A, B world.ObjectID
	At   physics.Vec
}

// OverlayRewind is what the last rewind ran again. Whole and Objects are empty if Client.Overlay had not been called
// in the second before it.
type OverlayRewind struct {
	From, To world.Tick       // the ticks; 0: there was none
	Whole    int              // how many of them were run again as a whole
	Objects  []world.ObjectID // whose hooks ran again in others, without repetition
}

// overlayNotes says whether the client notes what rewinds run again.
type overlayNotes struct {
	on    bool
	asked time.Duration // the time of the last call of Overlay
}

// overlayKept is how long after a call of Client.Overlay rewinds still note what they run again, which costs memory.
const overlayKept = time.Second

// Ask notes a call of Overlay.
func (n *overlayNotes) Ask(now time.Duration) { n.on, n.asked = true, now }

// End reports whether the notes end now, because nobody asks for them any more.
func (n *overlayNotes) End(now time.Duration) bool {
	ends := n.on && now-n.asked > overlayKept
	n.on = n.on && !ends
	return ends
}

// endOverlay stops the notes of rewinds when nobody asks for them any more.
func (c *Client) endOverlay(now time.Duration) {
	if !c.overlays.End(now) {
		return
	}
	if s := c.role.status(); s.timeline != nil {
		s.timeline.NoteReruns(false)
	}
}

// overlay adds the samples of the interpolation buffer. Objects that clients simulate are there already.
func (r *replica) overlay(o *Overlay) {
	if r.buffer == nil {
		return
	}
	o.Newest = r.buffer.Newest()
	simulates := o.Complete != 0
	r.buffer.EachNewest(func(of *view.Object, _ physics.Pose) {
		class := r.classOf(of)
		if class.Body == nil || simulates && class.LOD != world.Interpolate {
			return
		}
		of.EachSample(func(t world.Tick, at physics.Pose, newest bool) {
			b := OverlayBody{ID: of.ID, Tick: t, Pose: at}
			o.Buffered = append(o.Buffered, b)
			if newest {
				o.AtHost = append(o.AtHost, b)
			}
		})
	})
}

func (o *Overlay) addAtHost(tl *timeline.Timeline) {
	s := tl.At(o.Complete)
	if s == nil {
		return
	}
	classes := tl.Schema(o.Complete).Classes
	for _, slot := range s.Run {
		of, b := &s.Objects[slot], s.Body(int(slot))
		if class := &classes[of.Class]; b.Key != 0 && class.Name != world.WallClass && class.LOD != world.Interpolate {
			o.AtHost = append(o.AtHost, OverlayBody{ID: of.ID, Tick: o.Complete, Pose: b.Pose})
		}
	}
}

func (o *Overlay) addContacts(tl *timeline.Timeline) {
	s := tl.At(tl.Now())
	defs := tl.Schema(tl.Now()).Defs
	var points [2]physics.Vec
	for i := range s.Physics.Contacts {
		c := &s.Physics.Contacts[i]
		for _, at := range physics.ContactPoints(&s.Physics, defs, c, points[:0]) {
			o.Contacts = append(o.Contacts, OverlayContact{
				A:  world.ObjectID(c.KeyA),
				B:  world.ObjectID(c.KeyB),
				At: at,
			})
		}
	}
}

// note notes what the last rewind ran again: only its ticks, unless the Timeline notes more.
func (r *OverlayRewind) note(tl *timeline.Timeline, of timeline.Rewound) {
	*r = OverlayRewind{From: of.From, To: of.From + world.Tick(of.Ticks) - 1, Objects: r.Objects[:0]}
	tl.Reran(func(t world.Tick, whole bool, slots []int32) {
		if whole {
			r.Whole++
			return
		}
		s := tl.At(t)
		for _, slot := range slots {
			if id := s.Objects[slot].ID; id != 0 {
				r.Objects = append(r.Objects, id)
			}
		}
	})
	slices.Sort(r.Objects)
	r.Objects = slices.Compact(r.Objects)
}
