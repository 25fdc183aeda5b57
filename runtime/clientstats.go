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
	Corrections   stats.Series
	Repredictions stats.Series
	Rtt, Lead     stats.Series
	TickMS        stats.Series
	Compared      int
	Mismatched    int
	Objects       int
	Held          int
	Resyncs       int
	TooOld        int
	Bundle        bundle.Hash
	Fetched       int           // bundles that came over the line
	Cached        int           // bundles that this machine had kept
	Created       time.Duration // of the first Poll
	Playing       time.Duration // when it first was at the present
	Left          time.Duration // when it stopped stepping
}

// Report tells what the client has done up to now. Its seconds are those of
// play: without the time it took to get in, and to have the last ticks
// confirmed.
func (c *Client) Report(now time.Duration) Report {
	s := &c.end.Stats
	end, lived := now, (now - s.Created).Seconds()
	if s.Left != 0 {
		end = s.Left
	}
	seconds := 0.0
	if s.Playing != 0 {
		seconds = (end - s.Playing).Seconds()
	}
	status := c.role.status()
	rtt, lead := s.Rtt.Percentiles(), s.Lead.Percentiles()
	r := Report{
		Role: "client", Player: c.end.Session.Player, Bundle: s.Bundle.String(), Tick: c.Now(), Seconds: stats.Round(seconds),
		RTT: &rtt, Lead: &lead, Inputs: s.Inputs, Rewinds: s.Rewinds.counts(),
		Corrections:   JumpCounts{Count: s.Corrections.Count(), Distance: s.Corrections.Spread()},
		Repredictions: &JumpCounts{Count: s.Repredictions.Count(), Distance: s.Repredictions.Spread()},
		Confirmed: ConfirmedCounts{Compared: s.Compared, Mismatched: s.Mismatched, Objects: s.Objects,
			LastTick: status.Confirmed, LastHash: hashText(status.Hash)},
		TickMS: s.TickMS.Spread(), BytesPerS: c.end.Out.PerSecond(lived), Bytes: c.end.Out.Parts(),
		Datagrams: s.Datagrams, Held: s.Held, Resyncs: s.Resyncs, ScriptErrors: c.end.Errors.Count,
		Players: len(c.end.Session.Names), Classes: c.end.Hooks.report(), Bundles: &BundleCounts{Fetched: s.Fetched, Cached: s.Cached},
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
