package runtime

import (
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/stats"
)

// clientStats is what a client counts.
type clientStats struct {
	inputs        InputCounts
	datagrams     DatagramCounts
	rewinds       rewindStats
	corrections   stats.Series
	repredictions stats.Series
	rtt, lead     stats.Series
	tickMS        stats.Series
	compared      int
	mismatched    int
	objects       int
	held          int
	resyncs       int
	tooOld        int
	bundle        bundle.Hash
	fetched       int           // bundles that came over the line
	cached        int           // bundles that this machine had kept
	created       time.Duration // of the first Poll
	playing       time.Duration // when it first was at the present
	left          time.Duration // when it stopped stepping
}

// Report tells what the client has done up to now. Its seconds are those of
// play: without the time it took to get in, and to have the last ticks
// confirmed.
func (c *Client) Report(now time.Duration) Report {
	s := &c.stats
	end, lived := now, (now - s.created).Seconds()
	if s.left != 0 {
		end = s.left
	}
	seconds := 0.0
	if s.playing != 0 {
		seconds = (end - s.playing).Seconds()
	}
	agreed, hash, desync := c.role.agreed()
	rtt, lead := s.rtt.Percentiles(), s.lead.Percentiles()
	r := Report{
		Role: "client", Player: c.player, Bundle: s.bundle.String(), Tick: c.Now(), Seconds: stats.Round(seconds),
		RTT: &rtt, Lead: &lead, Inputs: s.inputs, Rewinds: s.rewinds.counts(),
		Corrections:   JumpCounts{Count: s.corrections.Count(), Distance: s.corrections.Spread()},
		Repredictions: &JumpCounts{Count: s.repredictions.Count(), Distance: s.repredictions.Spread()},
		Confirmed: ConfirmedCounts{Compared: s.compared, Mismatched: s.mismatched, Objects: s.objects,
			LastTick: agreed, LastHash: hashText(hash)},
		TickMS: s.tickMS.Spread(), BytesPerS: c.out.PerSecond(lived), Bytes: c.out.Parts(),
		Datagrams: s.datagrams, Held: s.held, Resyncs: s.resyncs, ScriptErrors: c.errors.Count,
		Players: len(c.names), Classes: c.hooks.report(), Bundles: &BundleCounts{Fetched: s.fetched, Cached: s.cached},
	}
	if desync != nil {
		r.Desync = desync.Differences
	}
	if w := c.role.world(); w != nil {
		if b := c.Bundle(); b != nil {
			r.Game = b.Game
		}
		r.TickRate, r.Objects = c.rate(), w.Now.Len()
		c.role.report(&r)
	}
	return r
}
