package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/cmd/host/netbench"
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
		time := fmt.Sprintf("%.0f s of play on each connection:\n\n", results[0].Seconds)
		page.Block(t, "benchmarks.md", s.scene, time+table(s.head, rows))
	}
	page.Block(t, "benchmarks.md", "confirmed", fmt.Sprintf("Clients confirmed %s ticks in all of them.\n", grouped(compared)))
}
