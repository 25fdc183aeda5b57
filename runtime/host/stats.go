package host

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// counts is what a host counts.
type counts struct {
	datagrams room.DatagramCounts
	snapshots room.SnapshotCounts
	rewinds   side.RewindStats
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

// Datagrams returns the counts of datagrams.
func (s *counts) Datagrams() *room.DatagramCounts { return &s.datagrams }

// Snapshots returns the counts of what goes beside snapshots.
func (s *counts) Snapshots() *room.SnapshotCounts { return &s.snapshots }

// RoundTrip counts the time of a round trip.
func (s *counts) RoundTrip(t time.Duration) {
	s.rtt.Add(float64(t) / float64(time.Millisecond))
}

// Stepped counts a tick that was simulated.
func (s *counts) Stepped(r timeline.Stepped) {
	s.clamped += r.Clamped
	if r.Crowded {
		s.crowded++
	}
}

// Took counts how long a tick took, rewinds and sending included.
func (s *counts) Took(ms float64) { s.tickMS.Add(ms) }

// Rewound counts a rewind.
func (s *counts) Rewound(r timeline.Rewound, ms float64) { s.rewinds.Add(r, ms) }

// Rewinds returns how many rewinds there were.
func (s *counts) Rewinds() int { return s.rewinds.Count() }

// Verified counts ticks that check mode compared.
func (s *counts) Verified(ticks int) { s.verified += ticks }

// Late counts a tick that began late.
func (s *counts) Late() { s.behind.late++ }

// Skipped counts time that was given up.
func (s *counts) Skipped(t time.Duration) { s.behind.skipped += t }

// Report returns the counters and times of the host up to now.
func (h *Host) Report(now time.Duration) room.Report {
	s := &h.stats
	seconds := h.clock.Running(now).Seconds()
	rtt, lead := s.rtt.Percentiles(), h.intake.Leads()
	claims, owners, snapshots := h.corrector.Claims(), *h.intake.Owners(), s.snapshots
	inForce := h.inForce()
	r := room.Report{
		Role: "host", Game: inForce.bundle.Game, Bundle: inForce.hash.String(),
		Tick: h.match.Now(), TickRate: inForce.bundle.Setup.TickRate, Seconds: stats.Round(seconds),
		RTT: &rtt, Lead: &lead, Inputs: *h.intake.Inputs(), Rewinds: s.rewinds.Counts(),
		Corrections: h.corrector.Jumps(),
		Confirmed:   room.ConfirmedCounts{Objects: h.State().Len(), LastTick: h.match.Commits().Tick(), LastHash: side.HashText(h.match.Commits().SharedHash())},
		TickMS:      s.tickMS.Spread(), BytesPerS: h.out.PerSecond(seconds), Bytes: h.out.Parts(), Cut: *h.out.Cut(),
		Datagrams: s.datagrams, Claims: &claims, Owners: &owners, Lateness: h.late.Counts(), Interest: h.interestCounts(), Snapshots: &snapshots, Cues: h.cueCounts(), HistoryBytes: h.match.Past().Bytes(), ScriptErrors: h.errors.Count(),
		Clamped: s.clamped, Crowded: s.crowded, Players: len(h.roster.List()), Objects: h.State().Len(), Desync: differences(h.match.Failed()), VerifiedTicks: s.verified,
		Classes: h.Profile.Report(), LateTicks: s.behind.late, SkippedMS: stats.Round(s.behind.skipped.Seconds() * 1000),
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
