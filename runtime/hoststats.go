package runtime

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// hostStats is what a host counts.
type hostStats struct {
	inputs    InputCounts
	datagrams DatagramCounts
	claims    ClaimCounts
	owners    OwnerCounts
	rewinds   rewindStats
	jumps     Series // distances of corrections
	rtt       Series
	lead      Series
	tickMS    Series
	confirmed int
	verified  int
	clamped   int
	crowded   int // ticks
	lateTicks int
	skipped   time.Duration
	bytes     traffic
}

// traffic counts payload bytes by part.
type traffic struct {
	datagramsIn, datagramsOut, messagesIn, messagesOut int64
	states                                             int64 // keyframes, corrections, and states asked for after a desync
	later                                              int64 // of these: what came after the first keyframe
	snapshots                                          int64
	given                                              int64
}

func (t *traffic) parts() map[string]int64 {
	return map[string]int64{"datagrams_in": t.datagramsIn, "datagrams_out": t.datagramsOut,
		"messages_in": t.messagesIn, "messages_out": t.messagesOut, "states": t.states, "states_after_join": t.later, "snapshots": t.snapshots, "given": t.given}
}

func (t *traffic) perSecond(seconds float64) Traffic {
	if seconds <= 0 {
		return Traffic{}
	}
	return Traffic{In: round3(float64(t.datagramsIn+t.messagesIn) / seconds), Out: round3(float64(t.datagramsOut+t.messagesOut) / seconds)}
}

// rewindStats gathers Rewounds.
type rewindStats struct {
	ticks, ms     Series
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

func (s *rewindStats) counts() RewindCounts {
	return RewindCounts{Count: s.ticks.Count(), Ticks: s.ticks.Spread(), MS: s.ms.Spread(), ObjectsReRun: s.objects, ObjectsInFull: s.full,
		TicksRun: s.ran, Whole: s.whole}
}

// Report tells what the host has done up to now.
func (h *Host) Report(now time.Duration) Report {
	s := &h.stats
	seconds := (now - h.started).Seconds()
	rtt, lead := s.rtt.Percentiles(), s.lead.Percentiles()
	claims, owners := s.claims, s.owners
	owners.CutMS = owners.cutParts * 1000 / world.FrameParts
	inForce := h.inForce()
	r := Report{
		Role: "host", Game: inForce.bundle.Game, Bundle: inForce.hash.String(),
		Tick: h.tl.Now(), TickRate: inForce.bundle.Setup.TickRate, Seconds: round3(seconds),
		RTT: &rtt, Lead: &lead, Inputs: s.inputs, Rewinds: s.rewinds.counts(),
		Corrections: JumpCounts{Count: s.jumps.Count(), Distance: s.jumps.Spread()},
		Confirmed:   ConfirmedCounts{Objects: h.State().Len(), LastTick: h.final, LastHash: hashText(h.knownSum)},
		TickMS:      s.tickMS.Spread(), BytesPerS: s.bytes.perSecond(seconds), Bytes: s.bytes.parts(),
		Datagrams: s.datagrams, Claims: &claims, Owners: &owners, Lateness: &h.late.counts, Interest: h.interestCounts(), HistoryBytes: h.tl.Bytes(), ScriptErrors: h.errors.Count,
		Clamped: s.clamped, Crowded: s.crowded, Players: h.Players(), Objects: h.State().Len(), Desync: differences(h.failed), VerifiedTicks: s.verified,
		Classes: h.profile.report(), LateTicks: s.lateTicks, SkippedMS: round3(s.skipped.Seconds() * 1000),
	}
	return r
}

// differences are what check mode found; nil: nothing.
func differences(m *timeline.Mismatch) []world.Difference {
	if m == nil {
		return nil
	}
	return []world.Difference{m.Difference}
}

// inForce is the bundle of the present tick.
func (h *Host) inForce() *announced { return h.bundles[h.State().Bundle-1] }

// hashText is a state hash as all programs show it.
func hashText(h uint64) string { return fmt.Sprintf("%016x", h) }
