package world

import "github.com/hindcast/hindcast/world/physics"

// LOD is the level of detail of a class: how clients handle its objects.
type LOD uint8

// The levels of detail. A player's own objects are always predicted by that player's client.
const (
	Predict     LOD = iota // simulated, with the inputs known
	Interpolate            // received in snapshots, shown after the interpolation delay
	Extrapolate            // received in snapshots, simulated from there on with the neutral input
)

// String returns the level as a script writes it.
func (l LOD) String() string { return [...]string{"predict", "interpolate", "extrapolate"}[l] }

// PartiallyReplicated reports whether clients receive the objects of some classes instead of simulating
// them: the room is partially replicated.
func (s *Schema) PartiallyReplicated() bool { return s.partial }

// addProxyDefs gives each interpolated or predicted class a second Def, that of its proxies. They push
// other bodies and are not pushed, and sensors that are not dynamic do not report them: they are where the objects were
// some time ago. Proxies of predicted objects are those that a client culls.
func (s *Schema) addProxyDefs() error {
	s.proxyDefs = make([]uint32, len(s.Classes))
	for i := range s.Classes {
		c := &s.Classes[i]
		s.partial = s.partial || c.LOD != Predict
		s.proxyDefs[i] = c.DefIndex()
		if c.LOD == Extrapolate || s.Defs[c.DefIndex()].Type < physics.Kinematic {
			continue // a proxy of an extrapolated object is simulated, and one that is static does not move
		}
		d := c.Body.Def
		d.Type, d.Layer, d.Collides = physics.Kinematic, s.Defs[c.DefIndex()].Layer, s.Defs[c.DefIndex()].Collides
		d.Unsensed = true
		if err := d.Prepare(); err != nil {
			return err
		}
		s.proxyDefs[i] = uint32(len(s.Defs))
		s.Defs = append(s.Defs, d)
	}
	return nil
}

// proxyLOD returns how this World handles an object of a class and an owner: Predict if it
// simulates the object in full, otherwise the level of its proxy.
func (w *World) proxyLOD(class uint16, owner PlayerID) LOD {
	if w.Client == 0 || owner == w.Client {
		return Predict
	}
	return w.Schema().Classes[class].LOD
}

// Proxy returns how this World handles the object of a slot: Predict if it simulates the
// object in full, otherwise the level of its proxy.
func (w *World) Proxy(slot int) LOD {
	o := &w.Now.Objects[slot]
	if o.Culled {
		return Interpolate
	}
	return w.proxyLOD(o.Class, o.Owner)
}

// setDef gives the body of a slot the Def that its level of detail calls for. A proxy that is
// attached to another object is carried by it. Otherwise it would pull its holder to where
// the snapshot puts it.
func (w *World) setDef(slot int) {
	o, b := &w.Now.Objects[slot], w.Now.Body(slot)
	c := &w.Schema().Classes[o.Class]
	switch {
	case w.Client == 0 || b.Key == 0:
	case o.Culled:
		b.Def = w.Schema().proxyDefs[o.Class]
	case c.LOD == Interpolate:
		b.Def = c.DefIndex()
		if _, held := w.Now.joint(o.ID); !held && w.proxyLOD(o.Class, o.Owner) != Predict {
			b.Def = w.Schema().proxyDefs[o.Class]
		}
	}
}
