package physics

import "slices"

// CheckDef reports values of a Def that Step or Prepare ignores.
func CheckDef(d *Def, p Params) []Finding {
	f := findings{where: "def"}
	if !d.ready() {
		f.add(
			Ignored,
			"it is not prepared: call Prepare, which says what is wrong if it refuses it; until then "+
				"its bodies do nothing",
		)
		return f.all
	}
	f.checkPrepared(d)
	f.ignored(len(d.Shapes) > 0 && d.Shape != (Shape{}), "Shape has no effect beside Shapes: put it among them")
	dynamic, pulled := d.Type == Dynamic, p.GravityX != 0 || p.GravityY != 0
	if dynamic && pulled && d.GravityScale == 0 {
		f.add(Weightless, "GravityScale = 0: gravity does not move its bodies; NewDef gives 1")
	}
	if d.Layer == 0 {
		f.add(Untouchable, "Layer = 0: its bodies collide with nothing, and queries do not see them; NewDef gives 1")
	}
	if d.Collides == 0 {
		f.add(Untouchable, "Collides = 0: its bodies collide with nothing; NewDef gives all layers")
	}
	f.checkDynamicOnly(d)
	return f.all
}

// checkPrepared reports a Def that was changed after Prepare.
func (f *findings) checkPrepared(d *Def) {
	now := *d
	if err := now.Prepare(); err != nil {
		f.add(Ignored, "it was changed after Prepare, which would refuse it now: %v", err)
		return
	}
	f.ignored(!now.derivesAs(d),
		"its shapes or masses were changed after Prepare, and Step uses the old ones: call Prepare again")
}

// derivesAs reports whether Prepare has derived the same from two Defs.
func (d *Def) derivesAs(e *Def) bool {
	return d.mass == e.mass && d.inertia == e.inertia && d.invInertia == e.invInertia && d.centre == e.centre &&
		slices.Equal(d.parts, e.parts)
}

// checkDynamicOnly reports values that count for dynamic bodies only.
func (f *findings) checkDynamicOnly(d *Def) {
	f.ignored(d.FixedRotation && d.Inertia != 0, "Inertia = %v has no effect with FixedRotation", d.Inertia)
	if d.Type == Dynamic {
		return
	}
	for _, v := range [...]struct {
		name string
		set  bool
	}{
		{"Mass", d.Mass != 0}, {"Inertia", d.Inertia != 0}, {"LinearDamping", d.LinearDamping != 0},
		{"AngularDamping", d.AngularDamping != 0},
		{"FixedRotation", d.FixedRotation}, {"Bullet", d.Bullet}, {"ForcePerMass", d.ForcePerMass},
		{"NoSleep", d.NoSleep},
	} {
		f.ignored(v.set, "%s counts for dynamic bodies only", v.name)
	}
}
