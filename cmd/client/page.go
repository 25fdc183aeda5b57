package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// page is the game page: it serves its files to browsers, sends them the views
// that Publish gets, and receives their keys and lines of chat. The game's
// goroutine calls Publish, Chat and Said; none of them waits for a browser.
type page struct {
	url      string
	names    hostNames
	log      *slog.Logger
	server   *http.Server
	served   chan struct{} // closed when the server has ended
	keys     keyboard
	controls *keyControls
	said     chan string
	cues     *cueShow // the game's goroutine only; nil: no client has cues

	mu      sync.Mutex
	feed    feed
	viewers map[*viewer]struct{}
	closing bool
	open    sync.WaitGroup // viewers being served
}

// Limits for browsers.
const (
	maxViewers = 16 // browser windows at once
	maxSaid    = 16 // lines typed that Said has not returned yet
)

// newPage listens at addr and serves at once. Its error wraps that of the system.
func newPage(addr string, log *slog.Logger) (*page, error) {
	if addr == "" {
		return nil, errors.New("want an address, such as 127.0.0.1:7779")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serving at %s: %w", addr, err)
	}
	p := &page{url: pageURL(l.Addr()), names: namesFor(addr), log: log, served: make(chan struct{}),
		said: make(chan string, maxSaid), viewers: map[*viewer]struct{}{}}
	p.keys.init()
	p.controls = newKeyControls(&p.keys)
	p.feed.init()
	p.server = &http.Server{Handler: p.handler(), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	go p.serve(l)
	return p, nil
}

func (p *page) serve(l net.Listener) {
	defer close(p.served)
	if err := p.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		p.log.Error("the game page is no longer served", "error", err)
	}
}

// pageURL returns the address of a listener for a browser on this machine.
func pageURL(at net.Addr) string {
	tcp := at.(*net.TCPAddr)
	host := tcp.IP.String()
	if tcp.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return fmt.Sprintf("http://%s/", net.JoinHostPort(host, fmt.Sprint(tcp.Port)))
}

// URL returns the page's address for a browser on this machine.
func (p *page) URL() string { return p.url }

// Controls returns the inputs that the browsers' keys mean.
func (p *page) Controls() runtime.Controls { return p.controls }

// Publish sends v to every browser, and keeps nothing of it. A browser that is too
// slow for all views gets the newest ones.
func (p *page) Publish(v *runtime.View) {
	help := p.controls.shown()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cues.drawn()
	p.feed.publish(v, help)
	p.wakeAll()
}

// Chat shows a line of chat.
func (p *page) Chat(from, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feed.chat(from, text)
	p.wakeAll()
}

func (p *page) cue(c pageCue) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feed.cue(c)
}

// Cues returns a runtime.ClientConfig's Cues, which shows them with the next
// view. bundle and player are the client's.
func (p *page) Cues(bundle func() *bundle.Bundle, player func() world.PlayerID) func(runtime.CueEvent) {
	p.cues = &cueShow{bundle: bundle, player: player, show: p.cue, log: p.log}
	return p.cues.take
}

// Moved shows why an object of this player was moved.
func (p *page) Moved(m runtime.Displacement) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.feed.move(&m)
}

// wakeAll makes all viewers send new messages. The caller holds mu.
func (p *page) wakeAll() {
	for v := range p.viewers {
		v.wakeUp()
	}
}

// Said returns a line that was typed in a browser, if there is one.
func (p *page) Said() (text string, ok bool) {
	select {
	case text = <-p.said:
		return text, true
	default:
		return "", false
	}
}

// Close tells the browsers that the program ends, and stops serving. It waits
// until the browsers have received this, or ctx is done.
func (p *page) Close(ctx context.Context) error {
	p.mu.Lock()
	p.closing = true
	p.wakeAll()
	p.mu.Unlock()
	err := p.server.Shutdown(ctx)
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
	if err != nil {
		err = errors.Join(err, p.server.Close())
	}
	<-p.served
	return err
}
