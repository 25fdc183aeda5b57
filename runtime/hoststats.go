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
	datagrams DatagramCounts
	snapshots SnapshotCounts
	rewinds   rewindStats
	rtt       stats.Series
	tickMS    stats.Series
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
	last          OverlayRewind // of a client
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

// Datagrams returns the counts of datagrams.
func (s *hostStats) Datagrams() *DatagramCounts { return &s.datagrams }

// Snapshots returns the counts of what goes beside snapshots.
func (s *hostStats) Snapshots() *SnapshotCounts { return &s.snapshots }

// RoundTrip counts the time of a round trip.
func (s *hostStats) RoundTrip(t time.Duration) {
	s.rtt.Add(float64(t) / float64(time.Millisecond))
}

// Stepped counts a tick that was simulated.
func (s *hostStats) Stepped(r timeline.Stepped) {
	s.clamped += r.Clamped
	if r.Crowded {
		s.crowded++
	}
}

// Took counts how long a tick took, rewinds and sending included.
func (s *hostStats) Took(ms float64) { s.tickMS.Add(ms) }

// Rewound counts a rewind.
func (s *hostStats) Rewound(r timeline.Rewound, ms float64) { s.rewinds.add(r, ms) }

// Rewinds returns how many rewinds there were.
func (s *hostStats) Rewinds() int { return s.rewinds.count() }

// Verified counts ticks that check mode compared.
func (s *hostStats) Verified(ticks int) { s.verified += ticks }

// Late counts a tick that began late.
func (s *hostStats) Late() { s.behind.late++ }

// Skipped counts time that was given up.
func (s *hostStats) Skipped(t time.Duration) { s.behind.skipped += t }

// Report returns the counters and times of the host up to now.
func (h *Host) Report(now time.Duration) Report {
	s := &h.stats
	seconds := h.clock.Running(now).Seconds()
	rtt, lead := s.rtt.Percentiles(), h.intake.Leads()
	claims, owners, snapshots := h.corrector.Claims(), *h.intake.Owners(), s.snapshots
	inForce := h.inForce()
	r := Report{
		Role: "host", Game: inForce.Bundle.Game, Bundle: inForce.Hash.String(),
		Tick: h.match.Now(), TickRate: inForce.Bundle.Setup.TickRate, Seconds: stats.Round(seconds),
		RTT: &rtt, Lead: &lead, Inputs: *h.intake.Inputs(), Rewinds: s.rewinds.counts(),
		Corrections: h.corrector.Jumps(),
		Confirmed:   ConfirmedCounts{Objects: h.State().Len(), LastTick: h.match.Commits().Tick(), LastHash: hashText(h.match.Commits().SharedHash())},
		TickMS:      s.tickMS.Spread(), BytesPerS: h.out.PerSecond(seconds), Bytes: h.out.Parts(), Cut: *h.out.Cut(),
		Datagrams: s.datagrams, Claims: &claims, Owners: &owners, Lateness: h.late.Counts(), Interest: h.interestCounts(), Snapshots: &snapshots, Cues: h.cueCounts(), HistoryBytes: h.match.Past().Bytes(), ScriptErrors: h.errors.Count(),
		Clamped: s.clamped, Crowded: s.crowded, Players: len(h.roster.List()), Onlookers: h.Players() - len(h.roster.List()), Objects: h.State().Len(), Desync: differences(h.match.Failed()), VerifiedTicks: s.verified,
		Classes: h.profile.report(), LateTicks: s.behind.late, SkippedMS: stats.Round(s.behind.skipped.Seconds() * 1000),
	}
	return r
}

// noteLate counts a tick that begins later than it was due.
func (h *Host) noteLate(by time.Duration) {
	if by > h.clock.Length() {
		h.stats.Late()
	}
}

// noteSkipped counts time that the host gives up, because it cannot keep up.
func (h *Host) noteSkipped(behind time.Duration) {
	h.log.Warn("cannot keep up: the room runs slower than real time", "behind_ms", behind.Milliseconds())
	h.stats.Skipped(behind)
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
