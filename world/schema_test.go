package world_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// onLayers returns a schema of one class a layer, each colliding with some.
func onLayers(layers []string, collides ...string) (*world.Schema, error) {
	var classes []world.Class
	for i, l := range layers {
		classes = append(classes, world.Class{Name: fmt.Sprint("C", i), Body: &world.BodySpec{Layer: l, Collides: collides,
			Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(1), Density: 1}}})
	}
	return world.NewSchema(classes, world.Setup{TickRate: 60, Width: 9, Height: 9, Substeps: 1})
}

func TestLayers(t *testing.T) {
	s, err := onLayers([]string{"ship", "", "rock"}, "rock", world.WallLayer)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Layers()); got != "[default rock ship wall]" {
		t.Errorf("layers %s", got)
	}
	for i, want := range []uint64{4, 1, 2} { // bits by name
		if d := s.Defs[i]; d.Layer != want || d.Collides != 2|8 {
			t.Errorf("class %d: layer %b, collides %b", i, d.Layer, d.Collides)
		}
	}
	if all, err := s.LayerMask(); all != 1<<64-1 || err != nil {
		t.Errorf("no name means all: %b, %v", all, err)
	}
	if _, err := s.LayerMask("rock", "rokc"); err == nil || !strings.Contains(err.Error(), `no class is on layer "rokc"; there are default, rock, ship and wall`) {
		t.Errorf("a name that nobody has: %v", err)
	}
	if _, err := onLayers([]string{"ship"}, "ship", "shpi"); err == nil || !strings.Contains(err.Error(), `class C0: body: collides: no class is on layer "shpi"`) {
		t.Errorf("colliding with a layer that nobody is on: %v", err)
	}
	names := make([]string, world.MaxLayers)
	for i := range names {
		names[i] = fmt.Sprint("l", i)
	}
	if s, err := onLayers(names[:world.MaxLayers-2]); err != nil || len(s.Layers()) != world.MaxLayers || s.Defs[0].Layer == 0 {
		t.Errorf("as many layers as there may be: %v", err)
	}
	if _, err := onLayers(names[1:]); err == nil || !strings.Contains(err.Error(), "65 collision layers: at most 64") {
		t.Errorf("one layer too many: %v", err)
	}
}
