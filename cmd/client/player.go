package main

import (
	"errors"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
)

// returnTime is for how long a player who lost the connection tries to come
// back. A host keeps their objects for its game's grace time, 30 s by default.
const returnTime = time.Minute

// player is one player of this process, through all clients that the player
// has had: a client ends with its connection.
type player struct {
	number int                  // from 1
	config runtime.ClientConfig // of the present client
	link   *kcplink.Link
	hashes *cli.HashFile
	ticket *ticketFile
	lost   time.Duration // when the connection was lost; 0: it was not, or the player is back
	seen   time.Duration // when the client last played
	played time.Duration // for how long, by earlier clients
}

func newPlayer(number int, link *kcplink.Link) *player { return &player{number: number, link: link} }

// writeHashes returns a runtime.ClientConfig's Confirmed, which writes the hash
// of each confirmed tick to a file; to none for "".
func (p *player) writeHashes(path string) (confirmed func(world.Tick, uint64), err error) {
	p.hashes, err = cli.NewHashFile(path)
	return p.hashes.Line, err
}

// keepTicket keeps the player's ticket for the next run of the program, and
// returns the one of the run before.
func (p *player) keepTicket(addr, name string, log *slog.Logger) runtime.Ticket {
	p.ticket = openTicket(addr, name, log)
	return p.ticket.ticket()
}

// join makes the player's first client.
func (p *player) join(cfg runtime.ClientConfig) *runtime.Client {
	p.config = cfg
	return runtime.NewClient(cfg)
}

// follow notes how the player's client is doing, and keeps its ticket. It
// reports whether the client has lost its connection and a new one should come
// back as the same player.
func (p *player) follow(now time.Duration, c *runtime.Client, log *slog.Logger) (lost bool) {
	if err := p.ticket.keep(c.Ticket()); err != nil {
		log.Warn("the next run will not be able to come back as this player", "error", err)
	}
	if c.Playing() {
		p.lost, p.seen = 0, now
	}
	if !errors.Is(c.Err(), runtime.ErrClosed) || c.Ticket() == (runtime.Ticket{}) && p.lost == 0 {
		return false
	}
	if p.lost == 0 {
		p.lost = now
		log.Warn("the connection is lost, trying to come back", "player", p.number, "reason", c.Err())
	}
	return now-p.lost < returnTime
}

// reconnect gives the player a new client over a new link.
func (p *player) reconnect(old *runtime.Client, link *kcplink.Link) *runtime.Client {
	_ = p.link.Shutdown("left") // the host need not hear it
	p.played += old.Played(p.seen)
	p.link, p.config.Link = link, link
	if t := old.Ticket(); t != (runtime.Ticket{}) {
		p.config.Ticket = t
	}
	return runtime.NewClient(p.config)
}

// timePlayed is for how long the player has played, by all clients; c is the
// present one.
func (p *player) timePlayed(c *runtime.Client, now time.Duration) time.Duration {
	return p.played + c.Played(now)
}

// close shuts down the link and closes the files.
func (p *player) close() error {
	return errors.Join(p.hashes.Close(), p.ticket.Close(), p.link.Shutdown("left"))
}
