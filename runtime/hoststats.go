package runtime

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// hostStats is what a host counts.
type hostStats struct {
	inputs    InputCounts
	datagrams DatagramCounts
	claims    ClaimCounts
	owners    OwnerCounts
	snapshots SnapshotCounts
	rewinds   rewindStats
	jumps     stats.Series // distances of corrections, m
	rtt       stats.Series
	lead      stats.Series
	tickMS    stats.Series
	confirmed int
	verified  int
	clamped   int
	crowded   int // crowded ticks
	behind    behindCounts
}

// behindCounts counts how far a host was behind real time.
type behindCounts struct {
	late    int           // ticks that began more than a tick length late
	skipped time.Duration // that the host gave up
}

// rewindStats sums up the results of rewinds.
type rewindStats struct {
	ticks, ms     stats.Series
	objects, full int
	ran           int
	whole         timeline.WholeTicks
}

func (s *rewindStats) add(r timeline.Rewound, ms float64) {
	s.ticks.Add(float64(r.Ticks))
	s.ms.Add(ms)
	s.objects += r.Objects
	s.full += r.Full
	s.ran += r.Ran
	s.whole.Add(r.Whole)
}

// count returns how many rewinds there were.
func (s *rewindStats) count() int { return s.ticks.Count() }

func (s *rewindStats) counts() RewindCounts {
	return RewindCounts{Count: s.ticks.Count(), Ticks: s.ticks.Spread(), MS: s.ms.Spread(), ObjectsReRun: s.objects, ObjectsInFull: s.full,
		TicksRun: s.ran, Whole: s.whole}
}

// Report returns the counters and times of the host up to now.
func (h *Host) Report(now time.Duration) Report {
	s := &h.stats
	seconds := (now - h.started).Seconds()
	rtt, lead := s.rtt.Percentiles(), s.lead.Percentiles()
	claims, owners, snapshots := s.claims, s.owners, s.snapshots
	owners.CutMS = owners.cutParts * 1000 / world.FrameParts
	inForce := h.inForce()
	r := Report{
		Role: "host", Game: inForce.Bundle.Game, Bundle: inForce.Hash.String(),
		Tick: h.tl.Now(), TickRate: inForce.Bundle.Setup.TickRate, Seconds: stats.Round(seconds),
		RTT: &rtt, Lead: &lead, Inputs: s.inputs, Rewinds: s.rewinds.counts(),
		Corrections: JumpCounts{Count: s.jumps.Count(), Distance: s.jumps.Spread()},
		Confirmed:   ConfirmedCounts{Objects: h.State().Len(), LastTick: h.commits.Tick(), LastHash: hashText(h.commits.SharedHash())},
		TickMS:      s.tickMS.Spread(), BytesPerS: h.out.PerSecond(seconds), Bytes: h.out.Parts(),
		Datagrams: s.datagrams, Claims: &claims, Owners: &owners, Lateness: h.late.Counts(), Interest: h.interestCounts(), Snapshots: &snapshots, Cues: h.cueCounts(), HistoryBytes: h.tl.Past().Bytes(), ScriptErrors: h.errors.Count(),
		Clamped: s.clamped, Crowded: s.crowded, Players: h.Players(), Objects: h.State().Len(), Desync: differences(h.failed), VerifiedTicks: s.verified,
		Classes: h.profile.report(), LateTicks: s.behind.late, SkippedMS: stats.Round(s.behind.skipped.Seconds() * 1000),
	}
	return r
}

// noteLate counts a tick that begins later than it was due.
func (h *Host) noteLate(by time.Duration) {
	if by > h.tickLen {
		h.stats.behind.late++
	}
}

// noteSkipped counts time that the host gives up, because it cannot keep up.
func (h *Host) noteSkipped(behind time.Duration) {
	h.log.Warn("cannot keep up: the room runs slower than real time", "behind_ms", behind.Milliseconds())
	h.stats.behind.skipped += behind
}

// differences returns the differences that check mode found; nil: none.
func differences(m *timeline.Mismatch) []world.Difference {
	if m == nil {
		return nil
	}
	return []world.Difference{m.Difference}
}

// inForce returns the bundle of the present tick.
func (h *Host) inForce() *announced { return h.bundles.ByNumber(h.State().Bundle) }

// hashText returns a state hash as all programs show it.
func hashText(h uint64) string { return fmt.Sprintf("%016x", h) }
