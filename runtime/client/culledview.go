package client

import (
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// culledView draws culled objects, between complete ticks. An object that is culled or restored continues from
// where it was drawn. Each body has one error that decays, whatever it is drawn by: the speeds of two would add up.
type culledView struct {
	used       bool         // the program calls View
	buffer     *view.Buffer // of the shared set in complete ticks; nil before the first
	decay      *view.Decay  // of all objects of the view
	last, next map[world.ObjectID]culledPose
	shown      []world.ObjectID        // between complete ticks, in the present frame, by id
	others     map[world.ObjectID]bool // drawn in other ways in the present frame
	samples    []view.Sample
	at         time.Duration // of the last frame
	some       bool          // the last frame had a culled object
}

// culledPose is where and how an object was drawn in a frame.
type culledPose struct {
	at  physics.Pose
	how culledHow
}

// culledHow is what an object is drawn by.
type culledHow uint8

// The ways in which objects are drawn in a room where some are culled.
const (
	byPresent  culledHow = iota // it is predicted
	byProxy                     // it is culled, and not known in complete ticks yet
	byComplete                  // it is culled: between complete ticks
)

// mostBlended is how far away an object may be drawn the other way, in metres. It jumps if it is further.
const mostBlended = 100

// changeSpeed is how fast an object moves to where it is drawn the other way, in m/s, over up to 4.3 m.
const changeSpeed = 4

// Numbers of the drawing of culled objects.
const (
	sampleEvery    = 3 // complete ticks between two samples
	completeMargin = 50 * time.Millisecond
)

// add takes in the shared set after a complete tick. age is how long ago the tick was, by the clock of the host;
// below 0: unknown.
func (k *culledView) add(s *world.State, schema *world.Schema, age time.Duration) {
	if !k.used || s.Tick%sampleEvery != 0 {
		return
	}
	if k.buffer == nil {
		k.buffer = view.NewBuffer(schema, view.Limits{
			First:       max(age, 0) + completeMargin,
			Most:        farthest * time.Second,
			Extrapolate: 4 * completeMargin,
		}, false)
		k.buffer.HideLate(func(id world.ObjectID, off physics.Pose) {
			if k.past(id) {
				k.decay.Displace(id, off)
			}
		})
	}
	k.buffer.Use(schema)
	k.samples = k.samples[:0]
	for _, slot := range s.ByID {
		o, b := &s.Objects[slot], s.Body(int(slot))
		class := &schema.Classes[o.Class]
		if b.Key == 0 || class.LOD != world.Predict || schema.Defs[class.DefIndex()].Type == physics.Static {
			continue
		}
		k.samples = append(k.samples, view.Sample{
			Tick: s.Tick,
			ProxyUpdate: world.ProxyUpdate{Object: o.ID, Bundle: s.Bundle, Class: o.Class, Owner: o.Owner,
				Pose: b.Pose, Velocity: b.Velocity, Fields: s.Row(int(slot)).Clone()},
		})
	}
	k.buffer.Add(s.Tick, k.samples, age)
}

// moment returns the moment that is shown, in ticks; the end of time if the program draws nothing.
func (k *culledView) moment() float64 {
	if k.buffer == nil {
		return math.Inf(1)
	}
	return k.buffer.Moment()
}

// drawnPast returns where an object was drawn in the last frame, if it was culled.
func (k *culledView) drawnPast(id world.ObjectID) (at physics.Pose, was bool) {
	p, seen := k.last[id]
	return p.at, seen && p.how != byPresent
}

// past reports whether an object was drawn between complete ticks in the last frame.
func (k *culledView) past(id world.ObjectID) bool { return k.howDrawn(id) == byComplete }

// howDrawn returns what an object was drawn by in the last frame.
func (k *culledView) howDrawn(id world.ObjectID) culledHow { return k.last[id].how }

// show moves the culled bodies of a view of the present to where they are drawn. Those that the client has not
// seen in complete ticks yet are left out, unless the last frame had them. may is false if no object can be culled.
func (k *culledView) show(v *room.View, tl *timeline.Timeline, t frameTime, may bool) {
	k.used = true
	if !may && !k.some {
		clear(k.last)
		return
	}
	if k.next == nil {
		k.last, k.next = map[world.ObjectID]culledPose{}, map[world.ObjectID]culledPose{}
	}
	if k.buffer != nil {
		k.buffer.Show(t.now, t.host, t.synced)
	}
	k.replace(v, tl)
	seconds := min((t.now - k.at).Seconds(), completeMargin.Seconds())
	k.at, k.some = t.now, false
	for i := range v.Bodies {
		b := &v.Bodies[i]
		how := byPresent
		if _, past := slices.BinarySearch(k.shown, b.ID); past {
			how = byComplete
			v.Culled = append(v.Culled, b.ID)
		} else if tl.Culling().Has(b.ID) {
			how = byProxy
		}
		if k.some = k.some || how != byPresent; !interpolated(b) { // which continues in the other buffer
			k.goOn(b, tl, t, how, seconds)
		}
		k.next[b.ID] = culledPose{b.Pose, how}
	}
	k.last, k.next = k.next, k.last
	clear(k.next)
}

// goOn moves a body to where it is drawn: if it is drawn in another way than in the last frame, so many seconds ago, it
// continues from there.
func (k *culledView) goOn(b *room.ViewBody, tl *timeline.Timeline, t frameTime, how culledHow, seconds float64) {
	place := b.Pose
	if how != byComplete {
		place, _ = poseBetween(tl, b.ID, t.alpha)
	}
	if was, seen := k.last[b.ID]; seen && (how == byProxy || was.how != how) {
		if how == byProxy { // which is moved to where the object really is: it goes on until that is shown
			was.at.X += float64(b.VX * seconds)
			was.at.Y += float64(b.VY * seconds)
		}
		k.decay.Displace(b.ID, view.Offset(k.decay.Apply(b.ID, place), was.at))
	}
	b.Pose = k.decay.Apply(b.ID, place)
}

// replace puts what the buffer shows of culled objects in the place of their proxies, and notes these objects.
func (k *culledView) replace(v *room.View, tl *timeline.Timeline) {
	k.shown = k.shown[:0]
	w := tl.World()
	bodies := v.Bodies[:0]
	for i := range v.Bodies {
		id := v.Bodies[i].ID
		slot, here := w.Find(id)
		if was, seen := k.last[id]; !here || !w.Now.Objects[slot].Culled ||
			seen && was.how != byComplete && (k.buffer == nil || !k.buffer.Has(id)) {
			bodies = append(bodies, v.Bodies[i])
		}
	}
	if v.Bodies = bodies; k.buffer == nil {
		return
	}
	if k.others == nil {
		k.others = map[world.ObjectID]bool{}
	}
	clear(k.others)
	for i := range v.Bodies {
		k.others[v.Bodies[i].ID] = true
	}
	schema := k.buffer.Schema()
	k.buffer.Each(func(o *view.Object, at physics.Pose) {
		slot, here := w.Find(o.ID)
		if k.others[o.ID] || here && !w.Now.Objects[slot].Culled || !here && !k.past(o.ID) {
			return // it is drawn in another way, such as interpolated after a bundle switch, or not there
		}
		class := &schema.Classes[o.Class]
		v.AddReplicated(k.buffer, o, at, class, nil)
		k.shown = append(k.shown, o.ID)
	})
}

// clear drops what is known of complete ticks.
func (k *culledView) clear() { k.buffer = nil }
