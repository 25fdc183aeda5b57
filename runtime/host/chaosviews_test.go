package host_test

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// chaosViews looks at what clients draw. Every other client is one that draws: what a client draws decides what asSeen
// finds.
type chaosViews struct {
	view   room.View
	bodies map[world.ObjectID]int
	frames int
	drawn  int // bodies
	culled int // of them
	held   int // of them, at a holder that is drawn
}

// check draws every other client, and returns what is wrong with a frame.
func (v *chaosViews) check(clients []*client.Client) (wrong string) {
	for i := 1; i < len(clients); i += 2 {
		c := clients[i]
		if !c.Playing() {
			continue
		}
		c.View(&v.view)
		v.frames++
		if what := v.wrong(c); what != "" {
			return fmt.Sprintf("the view of client %d: %s", i, what)
		}
	}
	return ""
}

func (v *chaosViews) wrong(c *client.Client) string {
	w := &v.view
	if w.Player != c.Player() || w.TickRate <= 0 || !(w.Alpha >= 0 && w.Alpha <= 1) || w.Confirmed > w.Tick && c.State() != nil {
		return fmt.Sprintf("player %d, %d ticks a second, part %v, tick %d, confirmed %d", w.Player, w.TickRate, w.Alpha, w.Tick, w.Confirmed)
	}
	if v.bodies == nil {
		v.bodies = map[world.ObjectID]int{}
	}
	clear(v.bodies)
	for i := range w.Bodies {
		b := &w.Bodies[i]
		if was, twice := v.bodies[b.ID]; twice {
			first := &w.Bodies[was]
			return fmt.Sprintf("%s %s is drawn twice: %v of player %d at %+v, and %v of player %d at %+v", b.Class, b.ID, first.Declaration().LOD, first.Owner, first.Pose, b.Declaration().LOD, b.Owner, b.Pose)
		}
		v.bodies[b.ID] = i
		sum := b.X + b.Y + b.Angle + b.VX + b.VY + b.W
		if math.IsNaN(sum) || math.IsInf(sum, 0) || math.Hypot(b.X, b.Y) > 1e4 || b.Holder == 0 && math.Abs(b.Angle) > math.Pi || b.Declaration() == nil || b.Declaration().Name != b.Class {
			return fmt.Sprintf("%s %s is drawn at %+v, %+v", b.Class, b.ID, b.Pose, b.Velocity)
		}
	}
	v.drawn += len(w.Bodies)
	if what := v.wrongHolds(); what != "" {
		return what
	}
	return v.wrongSet(c)
}

// wrongHolds checks that no object carries itself, directly or through others.
func (v *chaosViews) wrongHolds() string {
	for i := range v.view.Bodies {
		steps := 0
		for at, drawn := i, true; drawn && v.view.Bodies[at].Holder != 0; steps++ {
			if steps > len(v.view.Bodies) {
				return fmt.Sprintf("%s %s carries itself", v.view.Bodies[i].Class, v.view.Bodies[i].ID)
			}
			at, drawn = v.bodies[v.view.Bodies[at].Holder]
		}
		if steps > 0 {
			v.held++
		}
	}
	return ""
}

// wrongSet checks which objects are drawn: all predicted ones, except culled ones that are not known in complete ticks
// yet.
func (v *chaosViews) wrongSet(c *client.Client) string {
	for _, id := range v.view.Culled {
		if _, drawn := v.bodies[id]; !drawn {
			return fmt.Sprintf("%s is culled and not drawn", id)
		}
	}
	v.culled += len(v.view.Culled)
	s := c.State()
	if s == nil {
		return ""
	}
	for _, slot := range s.Run {
		o, class := &s.Objects[slot], &c.Schema().Classes[s.Objects[slot].Class]
		if _, drawn := v.bodies[o.ID]; !drawn && s.Body(int(slot)).Key != 0 && class.LOD == world.Predict && !o.Culled && !world.BuiltIn(class.Name) {
			return fmt.Sprintf("%s %s is not drawn", class.Name, o.ID)
		}
	}
	return ""
}
