package host

import (
	"log/slog"
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
	players   int // present when the room ended
	onlookers int // then
}

// behindCounts counts how far a host was behind real time.
type behindCounts struct {
	late    int           // ticks that began more than a tick length late
	skipped time.Duration // that the host gave up
}

// Present notes how many players are present when the room ends, of how many clients.
func (s *counts) Present(players, clients int) {
	s.players, s.onlookers = players, clients-players
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

// noteLate counts a tick that begins later than it was due.
func (h *Host) noteLate(by time.Duration) {
	if by > h.clock.Length() {
		h.stats.Late()
	}
}

// noteSkipped counts time that the host gives up, because it cannot keep up.
func (h *Host) noteSkipped(behind time.Duration) {
	h.stats.Skipped(behind)
	h.clock.speed.Lost(h.clock.Now(), behind)
	if h.clock.StoppedFor(h.clock.Now()) > 0 { // which is in the log, and no fault of the room
		h.problems.StillSlow(h.clock.Now())
		return
	}
	f, blamed := h.watch.backlog.Slowness(h.match.Now())
	if h.problems.Slow(h.clock.Now(), f, blamed) {
		side.LogSlowness(h.log, nil, h.problems.now.Failed)
	}
	h.watch.backlog.Skipped(behind)
}

// longStop is from which length on each stop of the process is in the log. Of shorter ones there can be many.
const longStop = time.Second

// noteStop logs that the process was stopped, if it was. Nobody in the room is to blame for what follows.
func (h *Host) noteStop(now time.Duration) {
	const text = "the process did not run for a while: it was stopped, or the machine is busy"
	switch stopped := h.clock.Wake(now); {
	case stopped == 0 || len(h.roster.All()) == 0:
	case stopped >= longStop:
		h.log.Warn(text, "ms", stopped.Milliseconds())
	default:
		h.lines.Line(now, slog.LevelWarn, source{}, text, "ms", stopped.Milliseconds())
	}
}

// differences returns the differences that check mode found; nil: none.
func differences(m *timeline.Mismatch) []world.Difference {
	if m == nil {
		return nil
	}
	return []world.Difference{m.Difference}
}
