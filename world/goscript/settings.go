package goscript

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// checkSettings finds settings of the class that exclude each other, or that name
// what it does not have.
func (d *declaration) checkSettings() {
	d.checkOwnership()
	if c := &d.spec; c.Ranges.Hidden && c.LOD == world.Predict {
		d.wrong(
			"%s.Hidden: all clients simulate this class, so nothing of it can be hidden; set LOD to world.Interpolate",
			c.Name,
		)
	}
	for _, text := range [...]string{d.spec.Look.Color, d.spec.Look.Shape, d.spec.Look.Image} {
		if field := world.LookField(text); field != "" && !d.has(field, world.String) {
			d.wrong("%s.Look: %s: there is no text %s", d.spec.Name, text, field)
		}
	}
	d.spec.Look.LabelParts(func(_, field string) {
		if field != "" && !d.has(field, world.Number, world.Bool, world.String) {
			d.wrong("%s.Look.Label: there is no number, text or truth value %s", d.spec.Name, field)
		}
	})
	if frame := d.spec.Look.Frame; frame != "" && !d.has(frame, world.Number) {
		d.wrong("%s.Look.Frame: there is no number %s", d.spec.Name, frame)
	}
	if bar := d.spec.Look.Bar; bar != "" && !d.has(bar, world.Number) {
		d.wrong("%s.Look.Bar: there is no number %s; it is shown in its Range", d.spec.Name, bar)
	}
}

// has reports whether there is a field of one of some kinds.
func (d *declaration) has(name string, kinds ...world.FieldKind) bool {
	f, ok := d.spec.Field(name)
	return ok && slices.Contains(kinds, f.Kind)
}

// checkOwnership finds settings and hooks of authority and ticking that do not go
// together.
func (d *declaration) checkOwnership() {
	c := &d.spec
	for _, rule := range [...]struct {
		broken bool
		why    string
	}{
		{c.Moves != nil && c.Body == nil, "Moves needs a Body, because the owner decides where the object is"},
		{c.Moves == nil && c.Hooks.Has(world.Verify), "the hook Verify is for classes with Moves"},
		{c.Independent && !c.Hooks.Has(world.Simulate), "Independent needs the hook Simulate"},
		{!c.Independent && c.Hooks.Has(world.Simulate), "the hook Simulate is for classes that are Independent"},
		{c.Independent && (c.Hooks.Has(world.ApplyInput) || c.Hooks.Has(world.Think)),
			"Simulate takes the place of ApplyInput and Think"},
		{c.Hooks.Has(world.Think) && !c.Hooks.Has(world.ApplyInput),
			"the hook Think needs ApplyInput, which gets the input that Think returns"},
	} {
		if rule.broken {
			d.wrong("%s: %s", c.Name, rule.why)
		}
	}
}
