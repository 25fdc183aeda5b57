package runtime

import (
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/stats"
)

// clientStats is what a client counts.
type clientStats struct {
	Inputs        InputCounts
	Datagrams     DatagramCounts
	Rewinds       rewindStats
	Corrections   stats.Series // distances
	Repredictions stats.Series // distances
	RTT           stats.Series // milliseconds
	Compared      comparedStats
	Joining       joiningStats
	Pace          paceStats
	TooOld        int // events of the log for ticks that are no longer kept
}

// comparedStats counts confirmed ticks.
type comparedStats struct {
	Ticks      int
	Mismatched int
	Objects    int // in the last one
}

// joiningStats counts what a client received to join: bundles and keyframes.
type joiningStats struct {
	Created time.Duration // the time of the first Poll
	Bundle  bundle.Hash
	Fetched int // bundles that came over the line
	Cached  int // bundles from the cache of this machine
	Resyncs int // keyframes that it requested again
}

// paceStats measures when a client simulated, and how far ahead of the host.
type paceStats struct {
	Playing time.Duration // when it first reached the present
	Left    time.Duration // when it stopped stepping
	Lead    stats.Series  // ticks
	TickMS  stats.Series  // the durations of frames that stepped
	Held    int           // ticks that were due and could not be simulated
}

// Report returns the counters and times of the client up to now. Its seconds are those of play,
// without the time of joining and of waiting for the last ticks to be confirmed.
func (c *Client) Report(now time.Duration) Report {
	s := &c.end.Stats
	end, lived := now, (now - s.Joining.Created).Seconds()
	if s.Pace.Left != 0 {
		end = s.Pace.Left
	}
	seconds := 0.0
	if s.Pace.Playing != 0 {
		seconds = (end - s.Pace.Playing).Seconds()
	}
	status := c.role.status()
	rtt, lead := s.RTT.Percentiles(), s.Pace.Lead.Percentiles()
	r := Report{
		Role: "client", Player: c.end.Session.Player, Bundle: s.Joining.Bundle.String(), Tick: c.Now(), Seconds: stats.Round(seconds),
		RTT: &rtt, Lead: &lead, Inputs: s.Inputs, Rewinds: s.Rewinds.counts(),
		Corrections:   JumpCounts{Count: s.Corrections.Count(), Distance: s.Corrections.Spread()},
		Repredictions: &JumpCounts{Count: s.Repredictions.Count(), Distance: s.Repredictions.Spread()},
		Confirmed: ConfirmedCounts{Compared: s.Compared.Ticks, Mismatched: s.Compared.Mismatched, Objects: s.Compared.Objects,
			LastTick: status.Confirmed, LastHash: hashText(status.Hash)},
		TickMS: s.Pace.TickMS.Spread(), BytesPerS: c.end.Out.PerSecond(lived), Bytes: c.end.Out.Parts(),
		Datagrams: s.Datagrams, Held: s.Pace.Held, Resyncs: s.Joining.Resyncs, ScriptErrors: c.end.Errors.Count(),
		Players: len(c.end.Session.Names), Classes: c.end.Hooks.report(), Bundles: &BundleCounts{Fetched: s.Joining.Fetched, Cached: s.Joining.Cached},
	}
	if status.Desync != nil {
		r.Desync = status.Desync.Differences
	}
	if w := status.World; w != nil {
		if b := c.Bundle(); b != nil {
			r.Game = b.Game
		}
		r.TickRate, r.Objects = c.end.rate(), w.Now.Len()
		c.role.report(&r)
	}
	return r
}
