package netbench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/runtime"
)

// Result is what was measured of a scene on one kind of line. Figures are of the
// clients that were measured, all together; bytes are of each client.
type Result struct {
	Scene      string  `json:"scene"`
	Line       string  `json:"line"`
	Seconds    float64 `json:"seconds"` // of virtual time
	Players    int     `json:"players"`
	Predicting int     `json:"predicting"` // of them simulate, and are measured
	Watching   int     `json:"watching"`   // of them are told, and are measured
	Objects    int     `json:"objects"`

	InputDelay  runtime.Spread `json:"input_delay_ticks"` // from a key to the first state with it
	Lead        float64        `json:"lead_ticks"`        // how far clients predict ahead of the host, median
	OwnTicks    int            `json:"own_ticks"`         // ticks of own ships that were compared with what they turned out to be
	OwnWrong    int            `json:"own_wrong_ticks"`   // of them: shown first with another bit
	OwnError    runtime.Spread `json:"own_error_m"`       // by how much, where it was wrong
	RemoteError runtime.Spread `json:"remote_error_m"`    // of others' ships, all ticks

	CorrectionsPerMinute   float64        `json:"corrections_per_minute"` // of each client
	CorrectionDistance     runtime.Spread `json:"correction_m"`
	RepredictionsPerMinute float64        `json:"repredictions_per_minute"` // something, somewhere, is other than guessed
	OwnJump                runtime.Spread `json:"own_jump_m"`               // between two pictures
	OtherJump              runtime.Spread `json:"other_jump_m"`
	Stale                  runtime.Spread `json:"stale_ms"` // how long ago it was what watchers see

	Inputs runtime.InputCounts `json:"inputs"` // what became of them on the host

	Up        map[string]float64 `json:"up_bytes_per_s"` // by part
	Down      map[string]float64 `json:"down_bytes_per_s"`
	UpSum     float64            `json:"up_sum"`
	DownSum   float64            `json:"down_sum"`
	JoinBytes int64              `json:"join_bytes"`       // down, before it was measured
	PerObject float64            `json:"bytes_per_object"` // of snapshots, a body

	Compared   int `json:"compared"` // confirmed ticks
	Mismatched int `json:"mismatched"`
}

// result gathers what was counted.
func (m *match) result(line Line, play time.Duration, before counts) Result {
	s, after := m.scene, m.counts()
	seconds := play.Seconds()
	minutes := seconds / 60 * float64(max(s.predicting, 1))
	r := Result{Scene: s.Name, Line: line.Name, Seconds: seconds, Players: s.players, Predicting: s.predicting, Watching: s.watching,
		Objects: m.sim.Host.State().Len(), Inputs: since(after.inputs, before.inputs),
		CorrectionsPerMinute:   round(float64(after.corrections-before.corrections) / minutes),
		RepredictionsPerMinute: round(float64(after.repredictions-before.repredictions) / minutes)}
	r.Up, r.UpSum = rates(m.meter.up, seconds, s.players)
	r.Down, r.DownSum = rates(m.meter.down, seconds, s.players)
	m.watched(&r)
	if len(m.eyes) > 0 && s.predicting > 0 {
		report := m.sim.Report(0)
		r.Lead, r.CorrectionDistance = report.Lead.P50, report.Corrections.Distance
	}
	var own, remote, ownJump, otherJump, stale, delay runtime.Series
	for _, e := range m.eyes {
		r.OwnTicks += e.ticks
		r.OwnWrong += e.wrong
		own.Merge(&e.own)
		remote.Merge(&e.remote)
		ownJump.Merge(&e.ownJump)
		otherJump.Merge(&e.otherJump)
		stale.Merge(&e.stale)
		delay.Merge(&e.delay)
	}
	r.OwnError, r.RemoteError, r.OwnJump, r.OtherJump, r.Stale, r.InputDelay =
		own.Spread(), remote.Spread(), ownJump.Spread(), otherJump.Spread(), stale.Spread(), delay.Spread()
	return r
}

// watched counts snapshots for those who get them, and not for all.
func (m *match) watched(r *Result) {
	if m.scene.watching == 0 || m.meter.snapshots == 0 {
		return
	}
	bytes := m.meter.down["snapshots"]
	bodies := len(m.eyes[len(m.eyes)-1].view.Bodies) - len(m.bundle.Setup.Walls)
	r.PerObject = round(float64(bytes) / float64(m.meter.snapshots) / float64(bodies))
	r.DownSum = round(r.DownSum - r.Down["snapshots"])
	r.Down["snapshots"] = round(float64(bytes) / r.Seconds / float64(m.scene.watching))
	r.DownSum = round(r.DownSum + r.Down["snapshots"])
}

func since(after, before runtime.InputCounts) runtime.InputCounts {
	return runtime.InputCounts{Received: after.Received - before.Received, OnTime: after.OnTime - before.OnTime,
		EarlyHeld: after.EarlyHeld - before.EarlyHeld, LateRewound: after.LateRewound - before.LateRewound,
		Duplicate: after.Duplicate - before.Duplicate, DroppedOld: after.DroppedOld - before.DroppedOld,
		Refused: after.Refused - before.Refused, Substituted: after.Substituted - before.Substituted}
}

// applied are the inputs that took effect, and those that came too late for it.
func applied(in runtime.InputCounts) int {
	return in.OnTime + in.EarlyHeld + in.LateRewound + in.DroppedOld
}

// Print writes the result for a person to read.
func (r *Result) Print(w io.Writer) {
	fmt.Fprintf(w, "%s, %s, %.0f s: %d players (%d predict, %d watch), %d objects\n", r.Scene, r.Line, r.Seconds, r.Players, r.Predicting, r.Watching, r.Objects)
	if r.Predicting > 0 {
		fmt.Fprintf(w, "  a key shows after %v/%v/%v ticks (p50/p99/max); %.3g ticks ahead of the host\n", r.InputDelay.P50, r.InputDelay.P99, r.InputDelay.Max, r.Lead)
		fmt.Fprintf(w, "  own ship: %.3g corrections a minute (p99 %v m); of %d ticks %d were shown otherwise at first, by %v/%v/%v m; others' ships by %v/%v/%v m\n",
			r.CorrectionsPerMinute, r.CorrectionDistance.P99, r.OwnTicks, r.OwnWrong, r.OwnError.P50, r.OwnError.P99, r.OwnError.Max, r.RemoteError.P50, r.RemoteError.P99, r.RemoteError.Max)
	}
	if r.Watching > 0 {
		fmt.Fprintf(w, "  shown %v/%v/%v ms ago; %.3g bytes an object and snapshot\n", r.Stale.P50, r.Stale.P99, r.Stale.Max, r.PerObject)
	}
	fmt.Fprintf(w, "  jumps between pictures: own %v/%v/%v m, others' %v/%v/%v m\n", r.OwnJump.P50, r.OwnJump.P99, r.OwnJump.Max, r.OtherJump.P50, r.OtherJump.P99, r.OtherJump.Max)
	all := max(applied(r.Inputs), 1)
	fmt.Fprintf(w, "  inputs: %.1f %% late and rewound for, %d too late, %d refused, %d of %d ticks without one\n",
		100*float64(r.Inputs.LateRewound)/float64(all), r.Inputs.DroppedOld, r.Inputs.Refused, r.Inputs.Substituted, all)
	fmt.Fprintf(w, "  a client sends %.1f kB/s (%s), gets %.1f kB/s (%s), and %d kB to join\n", r.UpSum/1000, list(r.Up), r.DownSum/1000, list(r.Down), r.JoinBytes/1000)
	fmt.Fprintf(w, "  %d confirmed ticks compared, %d differ\n", r.Compared, r.Mismatched)
}

// list is parts, the largest first.
func list(parts map[string]float64) string {
	names := make([]string, 0, len(parts))
	// order: sorted below
	for name := range parts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if parts[a] != parts[b] {
			return int(parts[b] - parts[a])
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %.2f", name, parts[name]/1000)
	}
	return strings.Join(names, ", ")
}
