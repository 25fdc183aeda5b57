package client

import (
	"maps"
	"math"
	"slices"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// culling decides which objects a predictor predicts in all ticks. All others of the shared set are culled:
// the SharedRun simulates them in complete ticks only, and the Timeline has proxies of them.
//
// Source: "Prediction Culling", a page of the manual of Quantum (Photon).
type culling struct {
	filter *replicate.Filter
	near   replicate.Set
	slots  []int32    // the objects that could be culled
	far    []bool     // by slot: the object is to be culled
	exact  []int32    // by slot: the object's slot in the shared set; -1: it is not there
	some   bool       // there is such an object
	chosen world.Tick // the present when choose was called last
	back   []world.ObjectID
	stays  map[world.ObjectID]world.Tick // restored objects, and until when each is not culled again, which is a second
	counts room.CullingCounts
}

// Numbers of culling.
const (
	// refreshEvery is the number of ticks after which the proxy of a culled object is moved to the object's
	// pose, unless the proxy's velocity takes it there. Only objects that touch or read the proxy depend on it.
	refreshEvery = 16
	// mostRestored is how many culled objects become predicted again in one tick at most. Each of them must be
	// simulated in every tick that is not complete, which takes time.
	mostRestored = 64
	// proxyError is the distance in metres between a proxy and its object beyond which the proxy is moved.
	proxyError = 0.01
)

// newCulling returns a part that culls nothing. It reports errors of the prediction hook to failed.
func newCulling(failed func(t world.Tick, err error)) culling {
	return culling{filter: replicate.NewFilter(failed), stays: map[world.ObjectID]world.Tick{}}
}

// pause makes apply change nothing until choose has been called.
func (k *culling) pause() { k.far, k.some, k.chosen = k.far[:0], false, 0 }

// rest makes apply change nothing until the next tick is simulated. It reports whether choose has been called for
// the present tick.
func (k *culling) rest(now world.Tick) bool {
	if k.chosen != now {
		k.chosen = now
		return false
	}
	k.far = k.far[:0]
	return true
}

// choose finds the objects that are to be culled, from the present of a client.
func (k *culling) choose(tl *timeline.Timeline, script world.Script, rules *bundle.Rules) {
	k.filter.ConfigurePrediction(script, &rules.Prediction)
	k.filter.NextTick()
	k.far, k.some = k.far[:0], false
	if k.filter.All() && tl.Culling().Count() == 0 {
		return
	}
	r := tl.World().Reader()
	s := r.State()
	k.far = slices.Grow(k.far, len(s.Objects))[:len(s.Objects)]
	clear(k.far)
	if k.filter.All() {
		return // all are restored
	}
	k.slots = k.slots[:0]
	own := false
	for _, slot := range s.Run {
		b := s.Body(int(slot))
		switch class := r.Class(int(slot)); {
		case b.Key == 0:
		case s.Objects[slot].Owner == tl.World().Client:
			own = true
		case class.LOD == world.Predict && r.Schema().Defs[class.DefIndex()].Type != physics.Static:
			k.slots = append(k.slots, slot)
			k.far[slot] = true
		}
	}
	if own {
		for _, slot := range k.near.Select(k.filter, r, tl.World().Client, k.slots) {
			k.far[slot] = false
		}
		k.keepJoined(s)
	} else { // nothing is near or far
		for _, slot := range k.slots {
			k.far[slot] = tl.Culling().Has(s.Objects[slot].ID)
		}
	}
	k.some = slices.Contains(k.far, true)
}

// keepJoined makes objects that are joined to one that is not culled not be culled either.
func (k *culling) keepJoined(s *world.State) {
	for changed := true; changed; {
		changed = false
		for i := range s.Physics.Joints {
			j := &s.Physics.Joints[i]
			if j.Gone() || j.SlotA < 0 || j.SlotB < 0 || k.far[j.SlotA] == k.far[j.SlotB] {
				continue
			}
			k.far[j.SlotA], k.far[j.SlotB], changed = false, false, true
		}
	}
}

// wanted reports whether choose found an object.
func (k *culling) wanted() bool { return k.some }

// apply culls the chosen objects and restores the others. exact is the shared set of the last complete
// tick; fresh says that the Timeline can still simulate from it, without which nothing is restored. apply reports
// whether the Timeline is to be anchored there.
func (k *culling) apply(tl *timeline.Timeline, exact *world.State, fresh bool) (restored bool) {
	s := tl.World().Now
	if len(k.far) == 0 {
		return false
	}
	k.match(s, exact)
	restored = fresh && k.restore(tl, s, exact)
	k.counts.Objects = tl.Culling().Count()
	if exact.Bundle != s.Bundle {
		return restored // it is declared in other ways there
	}
	for slot, at := range k.exact {
		if at < 0 || !k.far[slot] || exact.Objects[at].Owner == tl.World().Client {
			continue
		}
		culled := s.Objects[slot].Culled || tl.Culling().Has(s.Objects[slot].ID)
		if !culled && s.Tick < k.stays[s.Objects[slot].ID] {
			continue
		}
		if culled && (world.Tick(slot)+s.Tick)%refreshEvery != 0 {
			continue
		}
		u := proxyOf(exact, int(at), s.Tick+1, tl.World().Schema().Setup.TickRate)
		if !culled {
			k.counts.Culled++
		} else if proxyAgrees(s, slot, &u) {
			continue
		}
		tl.Culling().Cull(u)
	}
	k.counts.Objects = tl.Culling().Count()
	return restored
}

// match finds the slots of the objects of s in the exact state. Both list their objects by id.
func (k *culling) match(s, exact *world.State) {
	k.exact = k.exact[:0]
	for range s.Objects {
		k.exact = append(k.exact, -1)
	}
	i := 0
	for _, slot := range s.ByID {
		id := s.Objects[slot].ID
		for i < len(exact.ByID) && exact.Objects[exact.ByID[i]].ID < id {
			i++
		}
		if i < len(exact.ByID) && exact.Objects[exact.ByID[i]].ID == id {
			k.exact[slot] = exact.ByID[i]
		}
	}
}

// restore restores the culled objects that are to be predicted, and those that do not exist any more.
func (k *culling) restore(tl *timeline.Timeline, s, exact *world.State) bool {
	k.back = k.back[:0]
	tl.Culling().Each(func(id world.ObjectID) {
		slot, here := tl.World().Find(id)
		known := int32(-1)
		if here {
			known = k.exact[slot]
		} else if at, exists := exact.Find(id); exists {
			known = int32(at)
		}
		if known < 0 || exact.Objects[known].Owner == tl.World().Client || here && !k.far[slot] {
			k.back = append(k.back, id)
		}
	})
	k.back = k.back[:min(len(k.back), mostRestored)]
	for _, id := range k.back {
		tl.Culling().Restore(id)
		k.stays[id] = s.Tick + world.Tick(tl.World().Schema().Setup.TickRate)
	}
	if s.Tick%refreshEvery == 0 {
		maps.DeleteFunc(k.stays, func(_ world.ObjectID, t world.Tick) bool { return t <= s.Tick })
	}
	k.counts.Restored += len(k.back)
	return len(k.back) > 0
}

// proxyOf returns the update that puts the proxy of an object to where it will be at the end of tick t, if it
// goes on as it does in the exact state.
func proxyOf(exact *world.State, slot int, t world.Tick, rate int) world.ProxyUpdate {
	o, b := &exact.Objects[slot], exact.Body(slot)
	u := world.ProxyUpdate{
		Object:   o.ID,
		Bundle:   exact.Bundle,
		Class:    o.Class,
		Owner:    o.Owner,
		Pose:     b.Pose,
		Velocity: b.Velocity,
		Fields:   exact.Row(slot).Clone(),
	}
	seconds := float64(t-exact.Tick) / float64(rate)
	u.X += float64(b.VX * seconds)
	u.Y += float64(b.VY * seconds)
	u.Angle = detmath.Wrap(u.Angle + float64(b.W*seconds))
	return u
}

// proxyAgrees reports whether a proxy is about where an update for the next tick puts it.
func proxyAgrees(s *world.State, slot int, u *world.ProxyUpdate) bool {
	b, o := s.Body(slot), &s.Objects[slot]
	return o.Owner == u.Owner && b.Velocity == u.Velocity && math.Hypot(b.X-u.X, b.Y-u.Y) < proxyError &&
		s.Row(slot).Equal(u.Fields)
}

// counted returns the counts.
func (k *culling) counted() *room.CullingCounts { return &k.counts }
