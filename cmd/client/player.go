package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// returnTime is for how long a player who lost the connection tries to come
// back. A host keeps their objects for its game's grace time, 30 s by default.
const returnTime = time.Minute

// How often a client is looked at.
const (
	lookEvery = 50 * time.Millisecond
	drawEvery = time.Second / 60 // with a page
)

// retryTime is how long a player waits before connecting again.
const retryTime = 250 * time.Millisecond

// player is one player of this process, through all clients that the player
// has had: a client ends with its connection. After the first run of a client, only its
// driving goroutine touches the player.
type player struct {
	number   int                  // from 1
	page     *page                // that shows this player; nil: none
	view     runtime.View         // for the page
	config   runtime.ClientConfig // of the present client
	client   *runtime.Client
	driver   *runtime.Driver // of the present client
	hashes   *cli.HashFile
	ticket   *ticketFile
	lost     time.Time     // when the connection was lost; 0: it was not, or the player is back
	seen     time.Duration // when the client last played, by its driver
	played   time.Duration // for how long, by earlier clients
	finished atomic.Bool
}

func newPlayer(number int, page *page) *player { return &player{number: number, page: page} }

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
func (p *player) join(cfg runtime.ClientConfig, l link.Link) {
	p.config = cfg
	p.connect(l)
}

// connect makes a client over a link, with a driver.
func (p *player) connect(l link.Link) {
	p.driver = runtime.NewDriver()
	p.config.Link, p.config.Stopwatch = l, p.driver.Now
	p.client = runtime.NewClient(p.config)
}

// run runs the present client to its end. Again and again meanwhile, and at the end, look is called
// and the page shows the client.
func (p *player) run(ctx context.Context, look func(now time.Duration)) {
	driver := p.driver
	var stay sync.WaitGroup
	stay.Go(func() {
		_ = driver.Client(ctx, p.client) // its error is the client's
	})
	every := lookEvery
	if p.page != nil {
		every = drawEvery
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	lookAndDraw := func(_ context.Context, now time.Duration) error {
		look(now)
		p.draw(now)
		return nil
	}
	for driver.Do(context.Background(), lookAndDraw) == nil { // until the run is over
		<-ticker.C
	}
	stay.Wait()
	_ = lookAndDraw(ctx, driver.Now())
}

// follow notes how the player's client is doing, and keeps its ticket.
func (p *player) follow(now, runFor time.Duration, log *slog.Logger) {
	if err := p.ticket.keep(p.client.Ticket()); err != nil {
		log.Warn("the next run will not be able to come back as this player", "error", err)
	}
	if p.client.Playing() {
		p.lost, p.seen = time.Time{}, now
	}
	if runFor > 0 && p.played+p.client.Played(now) >= runFor {
		p.finished.Store(true)
	}
}

// mayReturn reports whether the present client has lost its connection, and a new one should
// come back as the same player.
func (p *player) mayReturn(log *slog.Logger) bool {
	if !errors.Is(p.client.Err(), runtime.ErrClosed) || p.client.Ticket() == (runtime.Ticket{}) && p.lost.IsZero() {
		return false
	}
	if p.lost.IsZero() {
		p.lost = time.Now()
		log.Warn("the connection is lost, trying to come back", "player", p.number, "reason", p.client.Err())
	}
	return time.Since(p.lost) < returnTime
}

// reconnect gives the player a new client over a new link.
func (p *player) reconnect(l link.Link) {
	p.played += p.client.Played(p.seen)
	if t := p.client.Ticket(); t != (runtime.Ticket{}) {
		p.config.Ticket = t
	}
	p.connect(l)
}

// draw shows the present client on the page, if there is one, and sends the lines of chat
// that were typed there.
func (p *player) draw(now time.Duration) {
	if p.page == nil {
		return
	}
	p.client.View(&p.view)
	p.page.Publish(&p.view)
	for text, ok := p.page.Said(); ok; text, ok = p.page.Said() {
		p.client.Say(now, text)
	}
}

// cues returns a runtime.ClientConfig's Cues, which shows them on the page.
func (p *player) cues() func(runtime.CueEvent) {
	return p.page.Cues(func() *bundle.Bundle { return p.client.Bundle() }, func() world.PlayerID { return p.client.Player() })
}

// finish notes that the player will play no more.
func (p *player) finish() { p.finished.Store(true) }

// isFinished reports whether the player has played for the time of -for, or cannot play any more.
// Any goroutine may call it.
func (p *player) isFinished() bool { return p.finished.Load() }

// index returns the player's number from 0.
func (p *player) index() int { return p.number - 1 }

// desync and err say how the present client is doing.
func (p *player) desync() *runtime.Desync { return p.client.Desync() }
func (p *player) err() error              { return p.client.Err() }

// report returns the report of the present client.
func (p *player) report() runtime.Report { return p.client.Report(p.driver.Now()) }

// close closes the files, and the link of a client that was not run.
func (p *player) close() error {
	var err error
	if p.client != nil {
		err = p.client.Close(p.driver.Now(), "left")
	}
	return errors.Join(p.hashes.Close(), p.ticket.Close(), err)
}
