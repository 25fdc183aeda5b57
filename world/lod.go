package world

import "github.com/hindcast/hindcast/world/physics"

// LOD is how clients have the objects of a class.
type LOD uint8

// The levels of detail. A player's own objects are always predicted by his client.
const (
	Predict     LOD = iota // simulated, with the inputs known
	Interpolate            // told of, and shown a moment ago
	Extrapolate            // told of, and simulated onwards from there, with no input
)

// String is the level as a script writes it.
func (l LOD) String() string { return [...]string{"predict", "interpolate", "extrapolate"}[l] }

// Mixed reports whether clients do not simulate the objects of some class.
func (s *Schema) Mixed() bool { return s.mixed }

// addProxyDefs gives each class that is interpolated a second Def: that of its
// stand-ins, which push and are not pushed.
func (s *Schema) addProxyDefs() error {
	s.proxyDefs = make([]uint32, len(s.Classes))
	for i := range s.Classes {
		c := &s.Classes[i]
		s.mixed = s.mixed || c.LOD != Predict
		s.proxyDefs[i] = c.bodyDef()
		if c.LOD != Interpolate || s.Defs[c.bodyDef()].Type != physics.Dynamic {
			continue
		}
		d := c.Body.Def
		d.Type, d.Layer, d.Collides = physics.Kinematic, s.Defs[c.bodyDef()].Layer, s.Defs[c.bodyDef()].Collides
		if err := d.Prepare(); err != nil {
			return err
		}
		s.proxyDefs[i] = uint32(len(s.Defs))
		s.Defs = append(s.Defs, d)
	}
	return nil
}

// proxyLOD says how an object of a class and an owner is had in this world:
// Predict if it is simulated in full, else it is a stand-in of the host's.
func (w *World) proxyLOD(class uint16, owner PlayerID) LOD {
	if w.Client == 0 || owner == w.Client {
		return Predict
	}
	return w.schema.Classes[class].LOD
}

// Proxy says how the object of a slot is had in this world.
func (w *World) Proxy(slot int) LOD {
	o := &w.Now.Objects[slot]
	return w.proxyLOD(o.Class, o.Owner)
}

// setDef gives the body of a slot the Def that goes with how it is had. A stand-in
// that is attached to another is carried, or it would pull its holder to where it was
// told to be.
func (w *World) setDef(slot int) {
	o, b := &w.Now.Objects[slot], w.Now.Body(slot)
	if c := &w.schema.Classes[o.Class]; w.Client != 0 && b.Key != 0 && c.LOD == Interpolate {
		b.Def = c.bodyDef()
		if _, held := w.Now.joint(o.ID); !held && w.proxyLOD(o.Class, o.Owner) != Predict {
			b.Def = w.schema.proxyDefs[o.Class]
		}
	}
}
