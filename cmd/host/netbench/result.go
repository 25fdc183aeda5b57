package netbench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
)

// Result is what was measured of a scene on one kind of line. Figures are of all
// measured clients together; bytes are of each client.
type Result struct {
	Scene      string  `json:"scene"`
	Line       string  `json:"line"`
	Seconds    float64 `json:"seconds"` // of virtual time
	Players    int     `json:"players"`
	Predicting int     `json:"predicting"` // of them simulate, and are measured
	Watching   int     `json:"watching"`   // of them watch, and are measured
	Objects    int     `json:"objects"`

	InputDelay stats.Spread `json:"input_delay_ticks"` // from a key to the first state with it
	Lead       float64      `json:"lead_ticks"`        // how far clients predict ahead of the host, median
	// ticks of own ships that were compared with the committed state
	OwnTicks    int          `json:"own_ticks"`
	OwnWrong    int          `json:"own_wrong_ticks"` // of them: some bit was different when the tick was first shown
	OwnError    stats.Spread `json:"own_error_m"`     // by how much, where it was wrong
	RemoteError stats.Spread `json:"remote_error_m"`  // of others' ships, all ticks

	CorrectionsPerMinute float64      `json:"corrections_per_minute"` // of each client
	CorrectionDistance   stats.Spread `json:"correction_m"`
	// something in the room differs from the prediction
	RepredictionsPerMinute float64      `json:"repredictions_per_minute"`
	OwnJump                stats.Spread `json:"own_jump_m"` // from one frame to the next
	OtherJump              stats.Spread `json:"other_jump_m"`
	Stale                  stats.Spread `json:"stale_ms"` // the age of the moment that spectators show

	CarriedJump stats.Spread `json:"carried_jump_m"` // of carried objects, from one frame to the next
	// how far they are drawn from their place at their holders as drawn
	CarriedOff stats.Spread `json:"carried_off_m"`
	// from what a player presses on their own screen to the others' screens
	Others   stats.Spread `json:"others_see_ms"`
	Cues     CueFigures   `json:"cues"`
	Presses  int          `json:"presses"`  // that the scene counts
	Answered int          `json:"answered"` // of them, according to the host's state
	Hits     int          `json:"hits"`     // of them: the shot hit what the shooter's screen showed in its way

	Inputs room.InputCounts `json:"inputs"` // inputs by outcome

	Up        map[string]float64 `json:"up_bytes_per_s"` // by part
	Down      map[string]float64 `json:"down_bytes_per_s"`
	UpSum     float64            `json:"up_sum"`
	DownSum   float64            `json:"down_sum"`
	JoinBytes int64              `json:"join_bytes"`       // down, before the measurement
	PerObject float64            `json:"bytes_per_object"` // of a snapshot, for each body

	Compared   int `json:"compared"` // confirmed ticks
	Mismatched int `json:"mismatched"`
}

// CueFigures counts the cues of all measured clients.
type CueFigures struct {
	Shown     int          `json:"shown"`
	Cancelled int          `json:"cancelled"`
	Others    int          `json:"others"`  // of those shown: of other players' objects
	Late      int          `json:"late"`    // of these: more than a tick after the picture of its tick
	Age       stats.Spread `json:"late_ms"` // of these, how long after it
}

// result gathers the counts since before.
func (m *match) result(line Line, play time.Duration, before counts) Result {
	s, after := m.scene, m.counts()
	seconds := play.Seconds()
	players, predicting, watching := s.numbers()
	minutes := seconds / 60 * float64(max(predicting, 1))
	r := Result{Scene: s.Name, Line: line.Name, Seconds: seconds, Players: players, Predicting: predicting,
		Watching: watching,
		Objects:  m.sim.Host.State().Len(), Inputs: since(after.inputs, before.inputs),
		CorrectionsPerMinute:   round(float64(after.corrections-before.corrections) / minutes),
		RepredictionsPerMinute: round(float64(after.repredictions-before.repredictions) / minutes),
	}
	up, down := m.meter.bytes()
	r.Up, r.UpSum = rates(up, seconds, players)
	r.Down, r.DownSum = rates(down, seconds, players)
	m.watched(&r)
	if len(m.observers) > 0 && predicting > 0 {
		report := m.sim.Report(0)
		r.Lead, r.CorrectionDistance = report.Lead.P50, report.Corrections.Distance
	}
	var own, remote, ownJump, otherJump, stale, delay, carriedJump, carriedOff stats.Series
	for _, o := range m.observers {
		f := o.counted()
		r.OwnTicks += f.Ticks
		r.OwnWrong += f.Wrong
		own.Merge(&f.Own)
		remote.Merge(&f.Remote)
		ownJump.Merge(&f.OwnJump)
		otherJump.Merge(&f.OtherJump)
		stale.Merge(&f.Stale)
		delay.Merge(&f.Delay)
		carriedJump.Merge(&f.CarriedJump)
		carriedOff.Merge(&f.CarriedOff)
	}
	r.CarriedJump, r.CarriedOff = carriedJump.Spread(), carriedOff.Spread()
	r.Cues, r.Others = m.cueCounter.figures(), m.cueCounter.delays()
	r.OwnError, r.RemoteError, r.OwnJump, r.OtherJump, r.Stale, r.InputDelay =
		own.Spread(), remote.Spread(), ownJump.Spread(), otherJump.Spread(), stale.Spread(), delay.Spread()
	return r
}

// watched corrects the figures of snapshots: only spectators get them.
func (m *match) watched(r *Result) {
	snapshots := m.meter.snapshotsSent()
	if r.Watching == 0 || snapshots == 0 {
		return
	}
	bytes := m.meter.sent("snapshots")
	bodies := m.observers[len(m.observers)-1].shows() - len(m.bundle.Setup.Walls)
	r.PerObject = round(float64(bytes) / float64(snapshots) / float64(bodies))
	r.DownSum = round(r.DownSum - r.Down["snapshots"])
	r.Down["snapshots"] = round(float64(bytes) / r.Seconds / float64(r.Watching))
	r.DownSum = round(r.DownSum + r.Down["snapshots"])
}

// counts are the counters of host and clients since they began.
type counts struct {
	inputs                     room.InputCounts
	corrections, repredictions int
}

func (m *match) counts() (c counts) {
	c.inputs = m.sim.Host.Report(m.sim.Now).Inputs
	for i := range m.predicting() {
		r := m.sim.Report(i)
		c.corrections += r.Corrections.Count
		c.repredictions += r.Repredictions.Count
	}
	return c
}

func since(after, before room.InputCounts) room.InputCounts {
	return room.InputCounts{Received: after.Received - before.Received, OnTime: after.OnTime - before.OnTime,
		EarlyHeld: after.EarlyHeld - before.EarlyHeld, LateRewound: after.LateRewound - before.LateRewound,
		Duplicate: after.Duplicate - before.Duplicate, DroppedOld: after.DroppedOld - before.DroppedOld,
		Refused: after.Refused - before.Refused, Revised: after.Revised - before.Revised,
		SeenRefused: after.SeenRefused - before.SeenRefused, Substituted: after.Substituted - before.Substituted,
		Sights: room.SightCounts{
			Accepted: after.Sights.Accepted - before.Sights.Accepted,
			Clamped:  after.Sights.Clamped - before.Sights.Clamped,
			Unknown:  after.Sights.Unknown - before.Sights.Unknown,
			NotSeen:  after.Sights.NotSeen - before.Sights.NotSeen,
		}}
}

// applied counts the inputs that took effect, and those that came too late for it.
func applied(in room.InputCounts) int {
	return in.OnTime + in.EarlyHeld + in.LateRewound + in.DroppedOld
}

// Print writes the result for a person to read.
func (r *Result) Print(w io.Writer) {
	fmt.Fprintf(w, "%s, %s, %.0f s: %d players (%d predict, %d watch), %d objects\n", r.Scene, r.Line, r.Seconds,
		r.Players, r.Predicting, r.Watching, r.Objects)
	if r.Predicting > 0 {
		fmt.Fprintf(w, "  a key shows after %v/%v/%v ticks (p50/p99/max); %.3g ticks ahead of the host\n",
			r.InputDelay.P50, r.InputDelay.P99, r.InputDelay.Max, r.Lead)
		fmt.Fprintf(w,
			"  own ship: %.3g corrections a minute (p99 %v m); %d of %d ticks were first shown elsewhere, by "+
				"%v/%v/%v m; others' ships by %v/%v/%v m\n",
			r.CorrectionsPerMinute, r.CorrectionDistance.P99, r.OwnWrong, r.OwnTicks,
			r.OwnError.P50, r.OwnError.P99, r.OwnError.Max, r.RemoteError.P50, r.RemoteError.P99, r.RemoteError.Max)
	}
	if r.Watching > 0 {
		fmt.Fprintf(w, "  what is shown is %v/%v/%v ms old; %.3g bytes an object and snapshot\n", r.Stale.P50,
			r.Stale.P99, r.Stale.Max, r.PerObject)
	}
	fmt.Fprintf(w, "  jumps between frames: own %v/%v/%v m, others' %v/%v/%v m\n", r.OwnJump.P50, r.OwnJump.P99,
		r.OwnJump.Max, r.OtherJump.P50, r.OtherJump.P99, r.OtherJump.Max)
	if r.Cues.Shown > 0 {
		fmt.Fprintf(w,
			"  cues: %d shown, %d cancelled, %d of %d of others late by %v/%v/%v ms; others see a press after "+
				"%v/%v/%v ms\n",
			r.Cues.Shown, r.Cues.Cancelled, r.Cues.Late, r.Cues.Others, r.Cues.Age.P50, r.Cues.Age.P99, r.Cues.Age.Max,
			r.Others.P50, r.Others.P99, r.Others.Max)
	}
	if r.Presses > 0 {
		fmt.Fprintf(w, "  %d presses, %d answered, %d hits as seen\n", r.Presses, r.Answered, r.Hits)
	}
	if r.CarriedJump.Max > 0 {
		fmt.Fprintf(w, "  carried objects jump %v/%v/%v m, and are %v/%v/%v m from their place\n",
			r.CarriedJump.P50, r.CarriedJump.P99, r.CarriedJump.Max, r.CarriedOff.P50, r.CarriedOff.P99,
			r.CarriedOff.Max)
	}
	all := max(applied(r.Inputs), 1)
	fmt.Fprintf(w, "  inputs: %.1f %% late and rewound for, %d too late, %d refused, %d of %d ticks without one\n",
		100*float64(r.Inputs.LateRewound)/float64(all), r.Inputs.DroppedOld, r.Inputs.Refused,
		r.Inputs.Substituted, all)
	fmt.Fprintf(w, "  a client sends %.1f kB/s (%s) and receives %.1f kB/s (%s), and %d kB to join\n", r.UpSum/1000,
		list(r.Up), r.DownSum/1000, list(r.Down), r.JoinBytes/1000)
	fmt.Fprintf(w, "  %d confirmed ticks compared, %d differ\n", r.Compared, r.Mismatched)
}

// list names the parts, the largest first.
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
