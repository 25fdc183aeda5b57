package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

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
	page    *page // that shows this player; nil: none
	line    line
	view    room.View     // for the page
	shown   display       // of view, on the page
	config  client.Config // of the present client
	client  *client.Client
	driver  *room.Driver // of the present client
	hashes  *cli.HashFile
	ticket  *ticketFile
	absence absence
	giveUp  context.CancelCauseFunc // ends the run of the present client
	seen    time.Duration           // when the client last played, by its driver
	// since when a spectator has watched through the present client, by its driver; 0: not yet
	watching time.Duration
	looked   time.Duration // for how long the present client has looked on before it played
	played   time.Duration // for how long, by earlier clients
	finished atomic.Bool
	entrance entrance
	losses   losses
	before   room.Report // of the last client before that got in
	left     bool        // the player has asked, while absent, not to wait any longer
}

func newPlayer(page *page, line line, entrance entrance, waits waits) *player {
	if page != nil {
		page.tell(func(f *feed) { f.choose(line.describe) })
	}
	return &player{page: page, line: line, entrance: entrance, absence: absence{waits: waits}, shown: newDisplay()}
}

// options returns the options of a link for the player.
func (p *player) options(o kcplink.Options) kcplink.Options { return p.line.options(o, p.page == nil) }

// speaker returns the name of the player who sent a line of chat.
func (p *player) speaker(from world.PlayerID) string {
	if from == 0 {
		return "host"
	}
	for _, q := range p.view.Players {
		if q.ID == from && q.Name != "" {
			return q.Name
		}
	}
	return fmt.Sprintf("player %d", from)
}

// writeHashes returns a client.Config's Confirmed, which writes the hash
// of each confirmed tick to a file; to none for "".
func (p *player) writeHashes(path string) (confirmed func(world.Tick, uint64), err error) {
	p.hashes, err = cli.NewHashFile(path)
	return p.hashes.Line, err
}

// keepTicket keeps the player's ticket for the next run of the program, and
// returns the one of the run before, which asks for no number: that match may be long over.
func (p *player) keepTicket(addr, name string, log *slog.Logger) room.Ticket {
	p.ticket = openTicket(addr, name, log)
	ticket := p.ticket.ticket()
	ticket.SetNumber(0)
	return ticket
}

// join makes the player's first client.
func (p *player) join(cfg client.Config, l link.Link) {
	p.config = cfg
	if p.page != nil {
		p.page.tell(func(f *feed) { f.choose(func(s *pageSettings) { s.Name = cfg.Name }) })
	}
	p.connect(l)
}

// connect makes a client over a link, with a driver.
func (p *player) connect(l link.Link) {
	p.config.Onlooker = p.entrance.again()
	if p.page != nil {
		p.page.tell(func(f *feed) { f.problems(room.Problems{}) }) // of the connection before
	}
	p.losses.again(p.client != nil && errors.Is(p.client.Err(), room.ErrRestarting))
	p.driver = room.NewDriver()
	p.config.Link, p.config.Stopwatch, p.config.Stop = l, p.driver.Now, p.driver.Stopping
	p.client = client.New(p.config)
}

// run runs the present client to its end. Again and again meanwhile, and at the end, look is called
// and the page shows the client.
func (p *player) run(ctx context.Context, look func(now time.Duration)) {
	driver := p.driver
	var stay sync.WaitGroup
	stay.Go(func() {
		_ = driver.Run(ctx, p.client) // its error is the client's
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
	display := func(_ context.Context, now time.Duration) error {
		p.page.Displayed()
		p.client.Frame(now)
		return nil
	}
	var displays <-chan struct{}
	if p.page != nil {
		displays = p.page.Requests().Displays()
	}
	for do := lookAndDraw; driver.Do(context.Background(), do) == nil; { // until the run is over
		select {
		case <-ticker.C:
			do = lookAndDraw
		case <-p.shown.Ticked():
			do = lookAndDraw
		case <-displays:
			do = display
		}
	}
	stay.Wait()
	_ = lookAndDraw(ctx, driver.Now())
}

// follow notes how the player's client is doing, and keeps its ticket.
func (p *player) follow(now, runFor time.Duration, log *slog.Logger) {
	if err := p.ticket.keep(p.client.Ticket()); err != nil {
		log.Warn("the next run will not be able to come back as this player", "error", err)
	}
	p.entrance.pass(now, p.client, &p.view)
	if c := p.client; !p.entrance.looks && c.Playing() && // before, onJoin may not have been called for this player
		p.losses.look(c.Player(), c.Schema(), c.State(), c.BundleTick()) {
		p.lost(p.losses.said)
	}
	if p.absence.lasts() && !p.absence.mayLast(time.Now()) {
		p.giveUp(p.absence.err())
	}
	if p.client.Playing() {
		if p.seen = now; p.absence.over() {
			p.wait("")
		}
	}
	if p.watching == 0 && p.entrance.watches && p.client.Playing() {
		p.watching = now
	}
	if p.entrance.looks {
		p.looked = p.client.Played(now)
	}
	if runFor > 0 && p.played+p.playing(now) >= runFor {
		p.finished.Store(true)
	}
}

// lostHost reports whether the connection to the host has ended, and the player could come back.
func (p *player) lostHost() bool {
	return !p.left && errors.Is(p.client.Err(), client.ErrClosed) &&
		(p.client.Ticket() != (room.Ticket{}) || p.absence.lasts())
}

// mayReturn reports whether the present client has lost its connection, and a new one should
// come back as the same player.
func (p *player) mayReturn(log *slog.Logger) bool {
	err := p.client.Err()
	if !p.lostHost() {
		return false
	}
	switch begins := p.absence.begin(time.Now(), err, p.client.Bundle()); {
	case p.absence.longest == 0:
	case begins:
		level, what := slog.LevelWarn, "the connection is lost, trying to come back"
		if errors.Is(err, room.ErrRestarting) { // which the client has logged, with the reason
			level, what = slog.LevelInfo, "trying to come back"
		}
		log.Log(context.Background(), level, what, "player", p.client.Player(), "reason", err, "for",
			p.absence.longest.String())
		p.wait(err.Error())
	case p.absence.mayLast(time.Now()) && p.config.Log != nil: // the log has just said that this client did not get in
		log.Info("trying again to come back", "for another", p.absence.left(time.Now()).Round(time.Second).String())
	}
	return p.absence.mayLast(time.Now())
}

// playing returns for how long the player has played through the present client, or a spectator has watched.
func (p *player) playing(now time.Duration) time.Duration {
	if p.watching > 0 {
		return now - p.watching
	}
	return max(p.client.Played(now)-p.looked, 0)
}

// wait shows on the page why the player is trying to return, "" when they are back.
func (p *player) wait(why string) {
	if p.page != nil {
		p.page.tell(func(f *feed) { f.wait(why) })
	}
}

// lost says on the page and in the log what the player has lost; "": nothing, any more.
func (p *player) lost(what string) {
	switch log := p.config.Log; {
	case log == nil: // only the first player of a process logs
	case what != "":
		log.Warn(what, "player", p.client.Player())
	default:
		log.Info("you have an object now", "player", p.client.Player())
	}
	if p.page != nil {
		p.page.tell(func(f *feed) { f.lost(what) })
	}
}

// reconnect gives the player a new client over a new link.
func (p *player) reconnect(l link.Link) {
	if p.client.Player() != 0 {
		p.before = p.client.Report(p.driver.Now())
	}
	p.played += p.playing(p.seen)
	p.watching, p.looked = 0, 0
	if t := p.client.Ticket(); t != (room.Ticket{}) {
		p.config.Ticket = t
	}
	if p.page != nil {
		p.page.tell(func(f *feed) { f.reconnected() })
	}
	p.connect(l)
}

// draw shows the present client on the page, if there is one, and does what was asked there.
func (p *player) draw(now time.Duration) {
	if p.page == nil {
		return
	}
	if p.shown.Due(now, p.client, &p.view) {
		last := p.view.Tick
		p.client.View(&p.view)
		p.shown.Scripts(p.client.Bundle(), last, p.page)
		p.entrance.leaveOut(&p.view)
		p.page.Learn(p.client.Schema())
		if !p.lostHost() { // the game is not over: the page is told at once that the player comes back, or why not
			p.page.Publish(&p.view)
			p.page.ShowHUD(&p.view, p.withCommitted)
		}
	}
	asked := p.page.Requests()
	if name := p.entrance.serve(now, asked, p.client); name != "" {
		p.config.Name = name // for when the player returns
	}
	if asked.Leaves() && p.absence.lasts() {
		p.left = true
		p.giveUp(room.ErrLeft)
	}
	if overlay := asked.Overlay(p.client, p.view.Moment); overlay != nil {
		p.page.tell(func(f *feed) { f.showOverlay(overlay) })
	}
	if name, ok := asked.Line(); ok {
		if err := p.line.change(name); err != nil {
			p.page.Chat("", err.Error())
		}
		p.page.tell(func(f *feed) { f.choose(p.line.describe) })
	}
	if ticks, ok := asked.Delay(); ok && p.config.Kind == client.Predictor {
		p.config.Prediction.InputDelay = ticks // for later clients of the player, too
		_ = p.client.SetPrediction(p.config.Prediction)
	}
}

// withCommitted calls show with the state of the match that cannot change any more. A spectator is sent
// what is committed. It does not call show while that state is one under the scripts of before: view.lua may ask for
// fields that these did not declare.
func (p *player) withCommitted(show func(committed world.FieldReader)) {
	err := p.client.At(p.client.Confirmed(), 1, func(r world.Reader) {
		if r.Schema() == p.client.Schema() {
			show(r.Shown(world.MatchID))
		}
	})
	if err != nil {
		show(p.view.Match.FieldReader)
	}
}

// showOn shows on the page, if there is one, what happens to the player.
func (p *player) showOn(cfg *client.Config) {
	cfg.Problems = func(m room.Problems) { p.losses.failed = m.Failed }
	if p.page == nil {
		cfg.Cues = func(e room.CueEvent) {
			if text, ok := e.Cue.Message(); ok && cfg.Log != nil {
				cfg.Log.Info("message", "player", p.client.Player(), "text", text)
			}
		}
		return
	}
	cfg.Chat = func(from world.PlayerID, text string) { p.page.Chat(p.speaker(from), text) }
	cfg.Cues = p.page.Cues(func() *bundle.Bundle { return p.client.Bundle() },
		func() world.PlayerID { return p.client.Player() })
	if cfg.Kind == client.Predictor {
		cfg.Frames, cfg.DrawTicksFrom = &p.shown, enoughTicks
	}
	cfg.Displaced, cfg.Assets = p.page.Displaced, p.page.Gallery()
	cfg.Problems = func(m room.Problems) {
		p.losses.failed = m.Failed
		p.page.tell(func(f *feed) { f.problems(m) })
	}
	cfg.AskedError = func(t world.Tick, name string, err error) {
		p.page.tell(func(f *feed) { f.askedError(t, name, err) })
	}
	cfg.ScriptError = func(t world.Tick, e world.Fault) { p.page.tell(func(f *feed) { f.scriptError(t, e) }) }
}

// finish notes that the player will play no more.
func (p *player) finish() {
	p.finished.Store(true)
	p.wait("")
}

// isFinished reports whether the player has played for the time of -for, or cannot play any more.
// Any goroutine may call it.
func (p *player) isFinished() bool { return p.finished.Load() }

// desync says whether the present client differs from the host.
func (p *player) desync() *client.Desync { return p.client.Desync() }

// err returns the error with which the present client ended or, if the host that the player had lost was
// not back, why the player had lost it.
func (p *player) err() error {
	if p.left {
		return room.ErrLeft
	}
	err := p.client.Err()
	left := err == nil || errors.Is(err, room.ErrLeft)
	if p.absence.lasts() && (errors.Is(err, client.ErrClosed) || left && p.client.Player() == 0) {
		return p.absence.err()
	}
	return err
}

// report returns the report of the present client or, if it did not get in, of the last one before that did.
func (p *player) report() room.Report {
	if p.client.Player() == 0 && p.before.Player != 0 {
		return p.before
	}
	return p.client.Report(p.driver.Now())
}

// close closes the files, and the link of a client that was not run.
func (p *player) close() error {
	var err error
	if p.client != nil {
		err = p.client.Close(p.driver.Now(), "left")
	}
	return errors.Join(p.hashes.Close(), p.ticket.Close(), err)
}
