package view

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// An object that was drawn at the present stays there after a switch of scripts until it is
// interpolated, and its last pose is known when it comes back.
func TestBlendAcrossASwitch(t *testing.T) {
	var b Blend
	b.End(10, 1)
	if tick, bundle := b.Last(); tick != 10 || bundle != 1 {
		t.Errorf("the last frame was of tick %d, bundle %d", tick, bundle)
	}
	b.Hold([]world.ObjectID{someone})
	if !b.WasAtPresent(someone) || !b.Stays(someone) || b.Stays(someone+1) {
		t.Error("what was drawn at the present does not stay there")
	}
	b.AtPresent(someone)
	b.End(11, 2)
	at := physics.Pose{X: 3}
	b.Interpolate(someone, at)
	if got, ok := b.Interpolated(someone); !ok || got != at || b.Stays(someone) || !b.WasAtPresent(someone) {
		t.Error("it stays at the present although it is interpolated")
	}
	b.End(12, 2)
	if b.WasAtPresent(someone) {
		t.Error("it was interpolated, and counts as drawn at the present")
	}
	if got, was := b.WasInterpolated(someone); !was || got != at {
		t.Errorf("it was drawn at %v, %v", got, was)
	}
	b.End(13, 2)
	if _, was := b.WasInterpolated(someone); was {
		t.Error("it counts as interpolated in a frame without it")
	}
}

// An object that this player owns is drawn at the present, also if snapshots still have another owner. It stays
// so for a while if the owner changes again.
func TestBlendDoesNotFlicker(t *testing.T) {
	var b Blend
	own := func(now time.Duration, is bool) bool {
		b.Begin(now)
		b.Own(someone-1, false)
		b.Own(someone+1, true)
		b.Own(someone, is)
		was := b.IsOwn(someone)
		if b.IsOwn(someone-1) || !b.IsOwn(someone+1) || b.IsOwn(someone+2) {
			t.Errorf("after %v: another object is drawn in the wrong way", now)
		}
		b.End(1, 1)
		return was
	}
	const ms = time.Millisecond
	for _, c := range []struct {
		now      time.Duration
		is, want bool
	}{{1000 * ms, false, false}, {1010 * ms, true, true}, {1020 * ms, false, true}, {1100 * ms, true, true}, {1159 * ms, false, true}, {1160 * ms, false, false},
		{1170 * ms, true, false}, {1180 * ms, false, false}, {1309 * ms, true, false}, {1310 * ms, true, true}} {
		if got := own(c.now, c.is); got != c.want {
			t.Errorf("after %v, owned %v: drawn at the present %v", c.now, c.is, got)
		}
	}
}

// Fields of the old scripts carry over by name; objects whose class is gone are forgotten.
func TestBufferFollowsASwitch(t *testing.T) {
	schema := func(class string) *world.Schema {
		s, err := world.NewSchema([]world.Class{{Name: class, Fields: []world.Field{{Name: "fuel", Default: []uint64{0}}}}}, newBuffer(t).Schema().Setup)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := schema("Ship")
	class, _ := before.ClassByName("Ship")
	b := NewBuffer(before, standard, true)
	b.Add(10, []Sample{{Tick: 10, ProxyUpdate: world.ProxyUpdate{Object: someone, Class: uint16(class), Fields: world.NewRow(&before.Classes[class], []uint64{7})}}}, -1)
	known := func() (fields, objects int) {
		words := make([]uint64, 1)
		b.Each(func(o *Object, _ physics.Pose) {
			if objects++; b.Fields(o, world.NewRow(&before.Classes[class], words), nil) {
				fields += int(words[0])
			}
		})
		return fields, objects
	}
	b.Show(0, 0, false)
	for i, c := range []struct{ schema, fields, objects int }{{0, 7, 1}, {1, 7, 1}, {2, 0, 0}} {
		b.Use([]*world.Schema{before, schema("Ship"), schema("Boat")}[c.schema])
		if fields, objects := known(); fields != c.fields || objects != c.objects {
			t.Errorf("case %d: fields %d of %d objects, want %d of %d", i, fields, objects, c.fields, c.objects)
		}
	}
}
