package world

import (
	"fmt"
	"math"
	"slices"
)

// The built-in layers: of bodies without a layer of their own, and of the level's
// walls.
const (
	DefaultLayer = "default"
	WallLayer    = "wall"
)

// MaxLayers is the largest number of layers of a schema, the two built-in ones included.
const MaxLayers = 64

// layers are the names of the collision layers, sorted. The index of a name is the bit
// of its layer.
type layers []string

// layersOf returns the layers that the classes are on. It refuses classes that
// collide with unknown layers.
func layersOf(classes []Class) (layers, error) {
	names := []string{DefaultLayer, WallLayer}
	for i := range classes {
		if b := classes[i].Body; b != nil && b.Layer != "" {
			names = append(names, b.Layer)
		}
	}
	slices.Sort(names)
	all := layers(slices.Compact(names))
	if len(all) > MaxLayers {
		return nil, fmt.Errorf("%d collision layers: at most %d, %s and %s among them", len(all), MaxLayers,
			DefaultLayer, WallLayer)
	}
	for i := range classes {
		if b := classes[i].Body; b != nil {
			if _, err := all.mask(b.Collides); err != nil {
				return nil, &ClassError{classes[i].Name, fmt.Errorf("body: collides: %w", err)}
			}
		}
	}
	return all, nil
}

// mask returns the set of the named layers as bits; for nil, all layers.
func (l layers) mask(names []string) (uint64, error) {
	if names == nil {
		return math.MaxUint64, nil
	}
	var mask uint64
	for _, n := range names {
		i, ok := slices.BinarySearch(l, n)
		if !ok {
			return 0, fmt.Errorf("no class is on layer %q; there are %s", n, Listed(l))
		}
		mask |= 1 << i
	}
	return mask, nil
}
