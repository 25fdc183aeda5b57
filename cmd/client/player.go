package main

import (
	"errors"
	"time"

	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/runtime"
)

// returnTime is for how long a player whose line was lost tries to come back. A
// host keeps what is his for its game's grace time, most often 30 s.
const returnTime = time.Minute

// player is what stays of a player when his line is lost.
type player struct {
	config runtime.ClientConfig // of the present client
	file   *ticketFile
	lost   time.Duration // when the line was lost; 0: it was not, or he is back
	seen   time.Duration // when he played last
	played time.Duration // for how long, by earlier clients
}

// comeBack joins again, as the same player, for those whose line was lost.
func (s *session) comeBack(now time.Duration) {
	for i := range s.players {
		p, c := &s.players[i], s.clients[i]
		if err := p.file.keep(c.Ticket()); err != nil {
			s.log.Warn("the next run will not be able to come back as this player", "error", err)
		}
		if c.Playing() {
			p.lost, p.seen = 0, now
		}
		if !errors.Is(c.Err(), runtime.ErrClosed) || c.Ticket() == (runtime.Ticket{}) && p.lost == 0 {
			continue
		}
		if p.lost == 0 {
			p.lost = now
			s.log.Warn("the line is lost, trying to come back", "player", i+1, "reason", c.Err())
		}
		if now-p.lost < returnTime {
			s.redial(i)
		}
	}
}

// redial puts a new client in the place of one that is over.
func (s *session) redial(i int) {
	link, err := kcplink.Dial(s.opts.addr, s.linkOptions(i))
	if err != nil {
		s.log.Warn("no new line", "error", err)
		return
	}
	p, old := &s.players[i], s.clients[i]
	_ = s.links[i].Shutdown("left") // if the host hears it, so much the better
	p.played += old.Played(p.seen)
	p.config.Link = link
	if t := old.Ticket(); t != (runtime.Ticket{}) {
		p.config.Ticket = t
	}
	s.links[i], s.clients[i] = link, runtime.NewClient(p.config)
}
