package wire

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// A glide computes where a damped body under a constant force is after a number of sub-steps.
func TestGlide(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		setup := world.Setup{TickRate: draw(t, rapid.IntRange(20, 128)), Substeps: draw(t, rapid.IntRange(1, 8))}
		damping := draw(t, rapid.SampledFrom([]float64{0, 1e-9, 1e-4, 0.3, 2, 6, 50, 1000}))
		ticks := draw(t, rapid.Int64Range(1, 300))
		was, push := draw(t, rapid.Float64Range(-4, 4)), draw(t, rapid.Float64Range(-20, 20))
		h := setup.DT() / float64(setup.Substeps)
		v, x := was, 0.0
		for range ticks * int64(setup.Substeps) {
			v = (v + h*push) / (1 + h*damping)
			x += h * v
		}
		d := newDamper(damping, &setup)
		g := d.over(ticks)
		got := (was*float64(g.first) + v*float64(g.last)) / secondUnits
		if math.Abs(got-x) > 1e-4+1e-4*math.Abs(x) {
			t.Errorf("%v Hz, %d sub-steps, damping %v, %d ticks: from %v to %v m/s it comes %v m, not %v", setup.TickRate, setup.Substeps, damping, ticks, was, v, x, got)
		}
	})
}

// No time and no damping makes a glide NaN or unbounded.
func TestGlideBounds(t *testing.T) {
	for _, damping := range []float64{0, 1e-300, 1e-7, 1, 1e6} {
		d := newDamper(damping, &world.Setup{TickRate: 20, Substeps: 1})
		for _, ticks := range []int64{0, 1, maxGlideTicks, math.MaxUint32} {
			if g := d.over(ticks); g.first < -secondUnits || g.last < 0 || max(g.first, g.last) > maxGlideTicks*secondUnits/20 {
				t.Errorf("damping %v, %d ticks: %+v", damping, ticks, g)
			}
		}
	}
	d := newDamper(0.5, &world.Setup{TickRate: 60, Substeps: 4})
	g := d.over(maxGlideTicks)
	if v := g.way(maxVelocity, maxVelocity, 4); v < maxPosition || v > 8*maxPosition {
		t.Errorf("at most speed it comes %d", v)
	}
}

// Glides have the same bits on all machines.
func TestGlidesGolden(t *testing.T) {
	sum := fnv.New64a()
	for _, damping := range []float64{0, 0.01, 0.3, 1, 2, 6, 25} {
		for _, setup := range []world.Setup{{TickRate: 60, Substeps: 4}, {TickRate: 128, Substeps: 1}, {TickRate: 30, Substeps: 7}} {
			d := newDamper(damping, &setup)
			for ticks := range int64(200) {
				fmt.Fprintln(sum, d.over(ticks))
			}
		}
	}
	if got := sum.Sum64(); got != 0xd53e7261bf27c18 {
		t.Errorf("they are other ones: %#x", got)
	}
}
