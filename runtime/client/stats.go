package client

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
)

// sessionTimes has the times of a client's stay.
type sessionTimes struct {
	created time.Duration // the time of the first Poll
	arrived time.Duration // when it first reached its present; 0: it has not
	left    time.Duration // when it stopped stepping; 0: it has not
}

// create notes the first Poll.
func (s *sessionTimes) create(now time.Duration) {
	if s.created == 0 {
		s.created = now
	}
}

// arrive notes that the client is at its present.
func (s *sessionTimes) arrive(now time.Duration) {
	if s.arrived == 0 {
		s.arrived = now
	}
}

// leave notes that the client steps no more.
func (s *sessionTimes) leave(now time.Duration) { s.left = now }

// lived returns how long ago the first Poll was.
func (s *sessionTimes) lived(now time.Duration) time.Duration { return now - s.created }

// played returns how long the client has been at its present.
func (s *sessionTimes) played(now time.Duration) time.Duration {
	if s.arrived == 0 {
		return 0
	}
	return now - s.arrived
}

// stepped returns how long the client stepped at its present.
func (s *sessionTimes) stepped(now time.Duration) time.Duration {
	if s.left != 0 {
		now = s.left
	}
	return s.played(now)
}

// Report returns the counters and times of the client up to now. Its seconds are those of play,
// without the time of joining and of waiting for the last ticks to be confirmed.
func (c *Client) Report(now time.Duration) room.Report {
	e, status := &c.end, c.role.status()
	rtt := e.pings.roundTrips()
	r := room.Report{
		Role: "client", Player: c.Player(), Tick: status.now, Seconds: stats.Round(e.times.stepped(now).Seconds()),
		RTT: &rtt, Lead: &stats.Percentiles{}, Inputs: e.sent.counted(), Repredictions: &room.JumpCounts{},
		BytesPerS: e.out.PerSecond(e.times.lived(now).Seconds()), Bytes: e.out.Parts(), Cut: *e.out.Cut(),
		Datagrams: c.datagrams, Assets: e.assets.counted(), Resyncs: e.session.Resyncs(), Players: len(c.names),
	}
	e.library.report(&r)
	if w := status.world; w != nil {
		if b := c.Bundle(); b != nil {
			r.Game = b.Game
		}
		r.TickRate, r.Objects = w.Schema().Setup.TickRate, w.Now.Len()
		c.role.report(&r)
	}
	r.Confirmed.LastTick, r.Confirmed.LastHash = status.confirmed, side.HashText(status.hash)
	if status.desync != nil {
		r.Desync = status.desync.Differences
	}
	return r
}
