package main

import (
	"context"
	"log/slog"
	"sync"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/cmd/host/localpage"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// page is the game page of one player: it serves its files to browsers, sends them the views
// that Publish gets, and receives their keys and lines of chat. The game's
// goroutine calls Publish and Chat, and takes the Requests. Nothing waits for a browser.
type page struct {
	url       string
	guard     *localpage.Guard
	log       *slog.Logger
	devices   devices
	controls  *keyControls
	settings  *settings
	requests  *requests
	gallery   *gallery
	greetings *greetings
	script    *viewScript // the game's goroutine only; nil: no client has cues

	mu      sync.Mutex
	feed    feed
	viewers map[*viewer]struct{}
	bye     []byte         // the last message, once the program ends
	open    sync.WaitGroup // viewers being served
}

// maxViewers is the most browser windows at once.
const maxViewers = 16

// newPage returns a page that no browser has found yet. url is where they do.
func newPage(url string, guard *localpage.Guard, settings *settings, log *slog.Logger) *page {
	p := &page{
		url:       url,
		guard:     guard,
		log:       log,
		settings:  settings,
		requests:  newRequests(),
		greetings: newGreetings(log),
		viewers:   map[*viewer]struct{}{},
	}
	p.gallery = newGallery(func(list []pageAsset) { p.tell(func(f *feed) { f.showAssets(list) }) }, log)
	p.devices.init()
	p.controls = newKeyControls(&p.devices)
	p.settings.OnBind(func(game string) {
		if p.Game() == game {
			p.controls.rebind(p.settings.Keys(game))
		}
	})
	p.feed.choose(func(s *pageSettings) { s.Volume, s.Muted = p.settings.Sound() })
	return p
}

// silence mutes the page until the player chooses otherwise.
func (p *page) silence() {
	volume, _ := p.settings.Sound()
	p.tell(func(f *feed) { f.choose(func(s *pageSettings) { s.Volume, s.Muted = volume, true }) })
}

// URL returns the page's address for a browser on this machine.
func (p *page) URL() string { return p.url }

// Controls returns the inputs that the browsers' keys mean.
func (p *page) Controls() client.Controls { return p.controls }

// Publish sends v to every browser, and keeps nothing of it. A browser that is too
// slow for all views gets the newest ones.
func (p *page) Publish(v *room.View) {
	if p.Game() != v.Game {
		p.controls.rebind(p.settings.Keys(v.Game))
	}
	help, frames := p.controls.shown(), p.controls.wantsFrames()
	p.tell(func(f *feed) {
		p.script.drawn()
		f.publish(v, help, frames)
	})
}

// Learn notes the classes of the game in force, whose inputs the page explains; nil: they are not known yet.
func (p *page) Learn(schema *world.Schema) {
	if schema != nil {
		p.controls.learn(schema)
	}
}

// Requests returns what the browsers ask of the game.
func (p *page) Requests() *requests { return p.requests }

// Gallery returns the assets of the game, which the client fills and browsers read.
func (p *page) Gallery() *gallery { return p.gallery }

// Displayed makes the keys count for another frame.
func (p *page) Displayed() { p.controls.displayed() }

// Game returns the name of the game that browsers were sent; "": none yet.
func (p *page) Game() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.feed.game()
}

// ShowHUD shows the HUD of a view, if it is time for it. with calls a function with the state of the
// match that cannot change any more.
func (p *page) ShowHUD(v *room.View, with func(show func(committed world.FieldReader))) {
	if !p.script.hudDue(v) {
		return
	}
	with(func(committed world.FieldReader) {
		hud := p.script.makeHUD(v, committed)
		p.tell(func(f *feed) { f.showHUD(hud) })
	})
}

// tell changes what the browsers are sent, and makes all viewers send it.
func (p *page) tell(change func(*feed)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.feed)
	for v := range p.viewers {
		v.wakeUp()
	}
}

// Chat shows a line of chat.
func (p *page) Chat(from, text string) { p.tell(func(f *feed) { f.chat(from, text) }) }

func (p *page) cue(c pageCue) { p.tell(func(f *feed) { f.cue(c) }) }

// Cues returns a client.Config's Cues, which shows them with the next
// view. bundle and player are the client's.
func (p *page) Cues(bundle func() *bundle.Bundle, player func() world.PlayerID) func(room.CueEvent) {
	fail := func(hook string, err error) { p.tell(func(f *feed) { f.viewError(hook, err) }) }
	over := func() { p.tell((*feed).viewOver) }
	mended := func(hook string, err error) { p.tell(func(f *feed) { f.viewMended(hook, err) }) }
	p.script = &viewScript{bundle: bundle, player: player, show: p.cue, tell: func(text string) { p.Chat("", text) },
		fail: fail, over: over, mended: mended, log: p.log,
		tiles: func(maps []luabind.TileMap) { p.tell(func(f *feed) { f.showTiles(maps) }) }}
	return p.script.take
}

// Displaced shows why an object of this player was displaced.
func (p *page) Displaced(m room.Displacement) { p.tell(func(f *feed) { f.displaced(&m) }) }

// end tells the browsers that the program ends, and why. They get no other message.
func (p *page) end(why string) {
	p.tell(func(*feed) { p.bye = gamepage.Encode(map[string]string{"t": "bye", "why": why}) })
}

// wait returns when the browsers have received what end tells them. When ctx is done, it disconnects them.
func (p *page) wait(ctx context.Context) {
	gone := make(chan struct{})
	go func() { p.open.Wait(); close(gone) }()
	select {
	case <-gone:
	case <-ctx.Done():
		p.mu.Lock()
		for v := range p.viewers {
			v.hangUp()
		}
		p.mu.Unlock()
		<-gone
	}
}
