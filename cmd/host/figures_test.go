package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/cmd/host/netbench"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	page "github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/runtime/stats"
)

// measured reads what "host bench -json" printed when it was run last for
// docs/benchmarks.md.
func measured[T any](t *testing.T, file string) (results []T) {
	t.Helper()
	data, err := os.ReadFile("testdata/figures/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &results); err != nil {
		t.Fatal(err)
	}
	return results
}

// table returns a table of Markdown.
func table(head string, rows []string) string {
	columns := strings.Count(head, "|") - 1
	return head + "\n|" + strings.Repeat("---|", columns) + "\n" + strings.Join(rows, "\n") + "\n"
}

// p5099 returns the median and the 99th percentile.
func p5099(p50, p99 float64) string { return fmt.Sprintf("%.3g / %.3g", p50, p99) }

// TestBenchFigures: docs/benchmarks.md has the measurements of the file.
func TestBenchFigures(t *testing.T) {
	var rows []string
	for _, r := range measured[result](t, "bench.json") {
		ms := func(p stats.Percentiles) string { return p5099(p.P50, p.P99) }
		rows = append(rows, fmt.Sprintf("| %s | %.0f %% | %d | %d | %s | %s | %s | %.1f | %.1f %% | %.0f %% | %.0f |", r.Scene, 100*r.Touching, r.LatePlayers, r.Depth,
			ms(r.Forward), ms(r.Full), ms(r.Partial), r.Full.P50/r.Partial.P50,
			100*float64(r.ObjectsReRun)/float64(r.ObjectsInFull), 100*float64(r.FullFallback)/float64(r.TicksReRun), r.AllocsPerTick))
		if r.Mismatches != 0 {
			t.Errorf("%s: %d states of partial rewinds differ", r.Scene, r.Mismatches)
		}
	}
	page.Block(t, "benchmarks.md", "host bench", table("| scene | touching | late players | ticks back | forward, ms p50 / p99 "+
		"| whole, ms p50 / p99 | partial, ms p50 / p99 | times faster | objects | ticks | allocations |", rows))
}

// netTables are the tables of the scenes over lines.
var netTables = []struct {
	scene, head string
	row         func(r *netbench.Result) string
}{
	{"net-lone", "| connection | own ship drawn differently at first | ticks ahead of the host | other ships wrong by, p50 / p99 m | late inputs | kB/s up, down |",
		func(r *netbench.Result) string {
			return fmt.Sprintf("%s of %s ticks | %.2g | %s | %.0f %% | %.1f, %.1f", grouped(r.OwnWrong), grouped(r.OwnTicks), r.Lead, spread(r.RemoteError), late(r), r.UpSum/1000, r.DownSum/1000)
		}},
	{"net-bump-16", "| connection | own ship wrong in | by, p50 / p99 m | own ship jumps, p99 / max m | other ships wrong by, p50 / p99 m | they jump, p99 m | kB/s down |",
		func(r *netbench.Result) string {
			return fmt.Sprintf("%.0f %% of ticks | %s | %.2g / %.2g | %s | %.2g | %.1f", 100*float64(r.OwnWrong)/float64(r.OwnTicks), spread(r.OwnError), r.OwnJump.P99, r.OwnJump.Max,
				spread(r.RemoteError), r.OtherJump.P99, r.DownSum/1000)
		}},
	{"net-64", "| connection | all | log | log again | commit marks, first and again | packet heads | headers | pings | up, all | to join, kB |",
		func(r *netbench.Result) string {
			d := r.Down
			var kB []string
			for _, v := range []float64{r.DownSum, d["log"], d["log again"], d["final marks"] + d["final marks again"], d["frame heads"], d["headers"], d["pings"], r.UpSum} {
				kB = append(kB, fmt.Sprintf("%.1f", v/1000))
			}
			return fmt.Sprintf("%s | %d", strings.Join(kB, " | "), r.JoinBytes/1000)
		}},
	{"net-watch", "| connection | drawn moment, ms ago, p50 / p99 | bytes per body and snapshot | snapshots, kB/s | own ship jumps, p99 m |",
		func(r *netbench.Result) string {
			return fmt.Sprintf("%.0f / %.0f | %.2f | %.1f | %.2g", r.Stale.P50, r.Stale.P99, r.PerObject, r.Down["snapshots"]/1000, r.OwnJump.P99)
		}},
	{"net-drift", "| connection | drawn moment, ms ago, p50 / p99 | bytes per body and snapshot | snapshots, kB/s |",
		func(r *netbench.Result) string {
			return fmt.Sprintf("%.0f / %.0f | %.2f | %.1f", r.Stale.P50, r.Stale.P99, r.PerObject, r.Down["snapshots"]/1000)
		}},
}

func spread(s stats.Spread) string { return fmt.Sprintf("%.2g / %.2g", s.P50, s.P99) }

// grouped returns a number with a comma for each thousand.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// late returns the share of the inputs that were applied by rewinds.
func late(r *netbench.Result) float64 {
	in := &r.Inputs
	return 100 * float64(in.LateRewound) / float64(in.OnTime+in.EarlyHeld+in.LateRewound+in.DroppedOld)
}

// TestNetFigures: docs/benchmarks.md has the measurements of the files.
func TestNetFigures(t *testing.T) {
	compared := 0
	for _, s := range netTables {
		results := measured[netbench.Result](t, s.scene+".json")
		var rows []string
		for i := range results {
			r := &results[i]
			rows = append(rows, "| "+r.Line+" | "+s.row(r)+" |")
			compared += r.Compared
			if r.Mismatched != 0 || r.Inputs.DroppedOld != 0 || r.CorrectionsPerMinute != 0 || r.InputDelay.Max != 0 {
				t.Errorf("%s on %s: a tick differs, an input came too late, a client was corrected, or a key press showed late: the page says otherwise", r.Scene, r.Line)
			}
		}
		length := fmt.Sprintf("%.0f s of play on each connection:\n\n", results[0].Seconds)
		page.Block(t, "benchmarks.md", s.scene, length+table(s.head, rows))
	}
	page.Block(t, "benchmarks.md", "confirmed", fmt.Sprintf("Clients confirmed %s ticks in all of them.\n", grouped(compared)))
}

// playScenes have games of their own, in which players carry, shoot, swing and walk.
var playScenes = []string{"net-possession", "net-grapple", "net-range", "net-walkers"}

// playFor is how long they are played for docs/benchmarks.md.
const playFor = 30 * time.Second

// TestPlayFigures: docs/benchmarks.md has the measurements of the files of playScenes. In a full run each file
// has what is measured now on some of them.
func TestPlayFigures(t *testing.T) {
	var rows []string
	compared := 0
	for _, name := range playScenes {
		results := measured[netbench.Result](t, name+".json")
		if draws.Full() && runtime.GOARCH == "amd64" { // the statistics of other CPUs may be rounded differently
			remeasure(t, name, results)
		}
		for i := range results {
			r := &results[i]
			rows = append(rows, playRow(r))
			compared += r.Compared
			checkPlay(t, r)
		}
	}
	page.Block(t, "benchmarks.md", "play", table("| scene | connection | presses, answered | shots that hit | staleness, ms p50 / p99 | cues, cancelled | late | "+
		"late by, ms p50 / p99 | own object jumps, p99 / max m | others jump | carried objects jump | carried objects off, p50 / p99 / max m | corrections a minute | kB/s up, down |", rows)+
		fmt.Sprintf("\nClients confirmed %s ticks, and none differed.\n", grouped(compared)))
}

func playRow(r *netbench.Result) string {
	some := func(is bool, text string) string {
		if !is {
			return "-"
		}
		return text
	}
	jump := func(s stats.Spread) string { return fmt.Sprintf("%.2g / %.2g", s.P99, s.Max) }
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %d, %d | %.1f %% | %s | %s | %s | %s | %s | %.2g | %.1f, %.1f |", strings.TrimPrefix(r.Scene, "net-"), r.Line,
		some(r.Presses > 0, fmt.Sprintf("%d, %d", r.Presses, r.Answered)), some(r.Hits > 0, fmt.Sprintf("%.0f %%", 100*float64(r.Hits)/float64(max(r.Presses, 1)))),
		fmt.Sprintf("%.0f / %.0f", r.Others.P50, r.Others.P99), r.Cues.Shown, r.Cues.Cancelled, 100*float64(r.Cues.Late)/float64(r.Cues.Others),
		some(r.Cues.Late > 0, fmt.Sprintf("%.0f / %.0f", r.Cues.Age.P50, r.Cues.Age.P99)), jump(r.OwnJump), jump(r.OtherJump),
		some(r.CarriedJump.Max > 0, jump(r.CarriedJump)), some(r.CarriedJump.Max > 0, fmt.Sprintf("%.2g / %.2g / %.2g", r.CarriedOff.P50, r.CarriedOff.P99, r.CarriedOff.Max)), r.CorrectionsPerMinute, r.UpSum/1000, r.DownSum/1000)
}

// checkPlay checks what holds on every connection, and what holds up to bad.
func checkPlay(t *testing.T, r *netbench.Result) {
	if r.Mismatched != 0 || r.Compared < 1000 || r.Inputs.DroppedOld != 0 || r.Answered != r.Presses || r.CarriedOff.P50 > 0.01 {
		t.Errorf("%s on %s: %d ticks differ of %d, %d inputs came too late, %d of %d presses answered, carried objects off by %+v m", r.Scene, r.Line, r.Mismatched, r.Compared,
			r.Inputs.DroppedOld, r.Answered, r.Presses, r.CarriedOff)
	}
	if r.Hits > 0 && float64(r.Hits) < 0.98*float64(r.Presses) {
		t.Errorf("%s on %s: %d of %d shots hit what the screen showed", r.Scene, r.Line, r.Hits, r.Presses)
	}
	if r.Line == "awful" {
		return
	}
	// Own replicated objects are corrected after a lost input, and fields of predicted ones that depend on replicated ones.
	corrected := r.CorrectionsPerMinute != 0 && (r.Scene != "net-range" || r.CorrectionDistance.P99 > 0.25)
	if most := max(r.OwnJump.P99, r.OtherJump.P99, r.CarriedJump.P99); most > 0.1 || corrected {
		t.Errorf("%s on %s: objects jump by %v m, %v corrections a minute", r.Scene, r.Line, most, r.CorrectionsPerMinute)
	}
	if r.Scene == "net-walkers" && 20*r.Cues.Late > r.Cues.Others {
		t.Errorf("%s on %s: %d of %d cues came later than their picture", r.Scene, r.Line, r.Cues.Late, r.Cues.Others)
	}
}

// remeasured are the connections of a full run. On the others, the same code runs.
var remeasured = []string{"average", "bad"}

// remeasure plays a scene again, and compares.
func remeasure(t *testing.T, name string, results []netbench.Result) {
	scenes := netbench.Scenes()
	scene := scenes[slices.IndexFunc(scenes, func(s netbench.Scene) bool { return s.Name == name })]
	for i, line := range netbench.Lines() {
		if !slices.Contains(remeasured, line.Name) {
			continue
		}
		r, err := netbench.Measure(t.Context(), scene, line, playFor)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r, results[i]) {
			t.Errorf("%s on %s: measured is\n%+v\nthe file has\n%+v", name, line.Name, r, results[i])
		}
	}
}
