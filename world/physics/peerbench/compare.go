package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

// result has the measurements of all rounds of a scene, by engine as in makers. A round
// is a turn of every engine.
type result struct {
	scene  *scene
	times  [][]float64 // ns a body and step, by round
	ratios [][]float64 // to ours in the same round
	share  []float64   // of bodies that touch, when the timing began
}

// turns is how often the engines take turns after a scene was built.
const turns = 10

// compare builds a scene anew so many times, and each time has the engines take
// turns of so many steps.
func compare(sc scene, builds, steps int) result {
	all := makers()
	n := len(all)
	r := result{scene: &sc, times: make([][]float64, n), ratios: make([][]float64, n), share: make([]float64, n)}
	for build := range builds {
		engines := make([]engine, n)
		for i := range all {
			engines[i] = all[i].make(&sc)
			for range sc.warm {
				engines[i].step()
			}
			r.share[i] = touching(&sc, engines[i])
		}
		runtime.GC()
		for turn := range turns {
			for k := range n {
				i := (build + turn + k) % n
				r.times[i] = append(r.times[i], measure(engines[i], &sc, steps))
			}
			for i := range n {
				r.ratios[i] = append(r.ratios[i], r.times[i][build*turns+turn]/r.times[0][build*turns+turn])
			}
		}
	}
	return r
}

// measure returns how long a body and step takes, ns.
func measure(e engine, sc *scene, steps int) float64 {
	began := time.Now()
	for range steps {
		e.step()
	}
	return float64(time.Since(began).Nanoseconds()) / float64(sc.dynamic()*steps)
}

const header = `| scene | bodies | touching %: ours, cp, box2d | ours ns | cp ns | box2d ns | cp / ours | box2d / ours |
|---|---|---|---|---|---|---|---|
`

// row returns the scene's line of the table, in Markdown.
func (r *result) row() string {
	t := func(i int) float64 { return median(r.times[i]) }
	return fmt.Sprintf("| %s | %d | %.0f, %.0f, %.0f | %.0f | %.0f | %.0f | %.2f | %.2f |\n", r.scene.name,
		len(r.scene.bodies), 100*r.share[0], 100*r.share[1], 100*r.share[2], t(0), t(1), t(2), median(r.ratios[1]),
		median(r.ratios[2]))
}

// goals reports for each scene whether the goal for the ratio to cp was met.
func goals(results []result) (lines []string) {
	for i := range results {
		r := &results[i]
		verdict, got := "met", median(r.ratios[1])
		if got < r.scene.goal {
			verdict = "MISSED"
		}
		lines = append(
			lines,
			fmt.Sprintf("goal %s: %s: cp takes %.2f times as long, at least %v asked", verdict, r.scene.name, got,
				r.scene.goal),
		)
	}
	return lines
}

// median of values, at least one.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
