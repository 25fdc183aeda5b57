package main

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"time"
)

// result is what all rounds of a scene gave, by engine as in makers.
type result struct {
	scene  *scene
	times  [][]float64 // ns a body and step, by round
	ratios [][]float64 // to ours in the same round
	share  []float64   // of bodies that touch, when the timing began, in the last round
}

// compare runs a scene's rounds.
func compare(sc scene, rounds, steps int) result {
	all := makers()
	r := result{scene: &sc, times: make([][]float64, len(all)), ratios: make([][]float64, len(all)), share: make([]float64, len(all))}
	for round := range rounds {
		for turn := range all {
			i := (round + turn) % len(all)
			ns, share := measure(all[i].make(&sc), &sc, steps)
			r.times[i] = append(r.times[i], ns)
			r.share[i] = share
		}
		for i := range all {
			r.ratios[i] = append(r.ratios[i], r.times[i][round]/r.times[0][round])
		}
	}
	return r
}

// measure steps an engine past the scene's beginning and times what follows.
// What others left behind is collected before.
func measure(e engine, sc *scene, steps int) (ns, share float64) {
	for range sc.warm {
		e.step()
	}
	n := float64(sc.dynamic())
	share = touching(sc, e)
	goruntime.GC()
	began := time.Now()
	for range steps {
		e.step()
	}
	ns = float64(time.Since(began).Nanoseconds())
	return ns / n / float64(steps), share
}

const header = `| scene | bodies | touching %: ours, cp, box2d | ours ns | cp ns | box2d ns | cp / ours | box2d / ours |
|---|---|---|---|---|---|---|---|
`

// row is the scene's line of the table, in Markdown.
func (r *result) row() string {
	t := func(i int) float64 { return median(r.times[i]) }
	return fmt.Sprintf("| %s | %d | %.0f, %.0f, %.0f | %.0f | %.0f | %.0f | %.2f | %.2f |\n", r.scene.name, len(r.scene.bodies),
		100*r.share[0], 100*r.share[1], 100*r.share[2], t(0), t(1), t(2), median(r.ratios[1]), median(r.ratios[2]))
}

// goals says of each scene whether cp took as many times as long as it is to.
func goals(results []result) (lines []string) {
	for i := range results {
		r := &results[i]
		verdict, got := "met", median(r.ratios[1])
		if got < r.scene.goal {
			verdict = "MISSED"
		}
		lines = append(lines, fmt.Sprintf("goal %s: %s: cp takes %.2f times as long, at least %v asked", verdict, r.scene.name, got, r.scene.goal))
	}
	return lines
}

// median of values, at least one.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
