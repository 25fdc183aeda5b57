package runtime

import (
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/stats"
	"time"
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
	rtt, lead := s.rtt.Percentiles(), s.lead.Percentiles()
	r := Report{
		Role: "client", Player: c.player, Bundle: s.bundle.String(), Tick: c.Now(), Seconds: stats.Round(seconds),
		RTT: &rtt, Lead: &lead, Inputs: s.inputs, Rewinds: s.rewinds.counts(),
		Corrections:   JumpCounts{s.corrections.Count(), s.corrections.Spread(), c.moves.counts[Correction].top()},
		Repredictions: &JumpCounts{s.repredictions.Count(), s.repredictions.Spread(), c.moves.counts[Reprediction].top()},
		Confirmed: ConfirmedCounts{Compared: s.compared, Mismatched: s.mismatched, Objects: s.objects,
			LastTick: c.confirmed, LastHash: hashText(c.confirmedSum)},
		TickMS: s.tickMS.Spread(), BytesPerS: c.out.PerSecond(lived), Bytes: c.out.Parts(),
		Datagrams: s.datagrams, Held: s.held, Resyncs: s.resyncs, ScriptErrors: c.errors.Count,
		Players: len(c.names), Classes: c.scripts.report(), Bundles: &BundleCounts{Fetched: s.fetched, Cached: s.cached},
	}
	if c.desync != nil {
		r.Desync = c.desync.Differences
	}
	if c.tl != nil {
		if b := c.library.bundle(c.tl.World().Now.Bundle); b != nil {
			r.Game = b.Game
		}
		r.TickRate, r.HistoryBytes, r.Objects = c.rate(), c.tl.Bytes(), c.tl.World().Now.Len()
	}
	return r
}
