package bundle

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

func TestLayersHaveRanges(t *testing.T) {
	rules := SnapshotRules{Range: 50, Layers: []LayerRange{{"debris", 5}, {world.DefaultLayer, 0}}}
	for _, c := range []struct {
		class world.Class
		want  float64
	}{
		{world.Class{Body: &world.BodySpec{Layer: "ship"}}, 50},
		{world.Class{Body: &world.BodySpec{Layer: "debris"}}, 5},
		{world.Class{Body: &world.BodySpec{Layer: "debris"}, Ranges: world.Ranges{Relevant: 7}}, 7},
		{world.Class{Body: &world.BodySpec{}}, 0},
	} {
		if got := rules.RangeOf(&c.class); got != c.want {
			t.Errorf("%+v: %v, want %v", c.class, got, c.want)
		}
	}
}
