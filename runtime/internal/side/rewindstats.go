package side

import (
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
)

// RewindStats sums up the results of rewinds.
type RewindStats struct {
	ticks, ms     stats.Series
	objects, full int
	ran           int
	whole         timeline.WholeTicks
}

// Add counts a rewind, which took ms milliseconds.
func (s *RewindStats) Add(r timeline.Rewound, ms float64) {
	s.ticks.Add(float64(r.Ticks))
	s.ms.Add(ms)
	s.objects += r.Objects
	s.full += r.Full
	s.ran += r.Ran
	s.whole.Add(r.Whole)
}

// Count returns how many rewinds there were.
func (s *RewindStats) Count() int { return s.ticks.Count() }

// Counts returns the sums for the report.
func (s *RewindStats) Counts() room.RewindCounts {
	return room.RewindCounts{
		Count:         s.ticks.Count(),
		Ticks:         s.ticks.Spread(),
		MS:            s.ms.Spread(),
		ObjectsReRun:  s.objects,
		ObjectsInFull: s.full,
		TicksRun:      s.ran,
		Whole:         s.whole,
	}
}
