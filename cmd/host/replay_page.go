package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/localpage"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// replayPage shows a replay to people (/?tick=N) and to machines (/api/replay,
// /api/view?tick=N). With from=M, a view has the effects of the cues after tick M
// as well, and with kinds=K, what the modules of the game page draw. Effects are those of the newest
// view.lua of each bundle, or with look=first, of the first one.
type replayPage struct {
	mu    sync.Mutex // guards what follows: seeking changes the state of the tape
	tape  *tape
	room  gamepage.Room
	first bool                      // effects are those of the first view.lua
	views map[viewKey]*luabind.View // nil: the bundle has no view.lua
}

// viewKey names a view.lua of a replay.
type viewKey struct {
	bundle uint32 // its number
	first  bool   // of the view.lua that the bundle had first, or the newest one
}

// replayView is the answer of /api/view.
type replayView struct {
	room.View
	Cues []replayCue     `json:",omitempty"`
	Room *gamepage.Still `json:",omitempty"` // if the request has kinds: those of the Room before
}

// replayCue is the effects of one cue.
type replayCue struct {
	Key     string
	Tick    world.Tick
	Effects []luabind.Effect
}

// replayInfo is the answer of /api/replay.
type replayInfo struct {
	Game      string     `json:"game"`
	TickRate  int        `json:"tick_rate"`
	First     world.Tick `json:"first"`
	Last      world.Tick `json:"last"`
	Committed world.Tick `json:"final"`
}

// serve shows the replay at the address of -http until ctx is done. query is what follows
// the page's URL that is printed.
func (t *tape) serve(ctx context.Context, o *replayOptions, query string, log *slog.Logger) error {
	l, err := net.Listen("tcp", o.http)
	if err != nil {
		return cli.Fail(cli.Network, fmt.Errorf("-http: %w", err))
	}
	page := &replayPage{tape: t}
	guard := localpage.New(l, o.http, o.httpHosts...)
	guard.Warn(log, "the replay")
	handler := guard.Handler(guard.Private(page.handler(), "/api/"))
	server := localpage.Server(handler, log, slog.LevelWarn)
	fmt.Printf("replay at %s\n", guard.URL(query))
	go func() {
		<-ctx.Done()
		_ = server.Close() // requests in progress are cut off
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (p *replayPage) handler() http.Handler {
	mux := http.NewServeMux()
	files := pageFiles()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.Handle("GET /page/", http.StripPrefix("/page", http.FileServerFS(gamepage.Files())))
	mux.HandleFunc("GET /{$}",
		func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "replay.html") })
	mux.HandleFunc("GET /api/replay", p.info)
	mux.HandleFunc("GET /api/view", p.view)
	return guarded(mux)
}

func (p *replayPage) info(w http.ResponseWriter, _ *http.Request) {
	b := p.tape.first
	writeJSON(w,
		replayInfo{b.Game, b.Setup.TickRate, p.tape.replay.First(), p.tape.replay.Last(), p.tape.replay.Committed()})
}

// view writes the room after a tick; by default, after the last one.
func (p *replayPage) view(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	to := p.tape.replay.Last()
	if text := r.URL.Query().Get("tick"); text != "" {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			http.Error(w, "tick="+text+": want a whole number", http.StatusBadRequest)
			return
		}
		to = world.Tick(n)
	}
	p.first = r.URL.Query().Get("look") == "first"
	p.tape.replay.Each = func(world.Tick) error { return r.Context().Err() } // nobody waits for a page that has gone
	cues, err := p.seek(to, r.URL.Query().Get("from"))
	switch {
	case errors.Is(err, replay.ErrNoTick):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	v := replayView{Cues: cues}
	room.ViewReplay(p.tape.replay, &v.View)
	if query := r.URL.Query(); query.Has("kinds") {
		p.room.Publish(&v.View)
		still := p.room.Still(query.Get("kinds"))
		v.Room = &still
	}
	writeJSON(w, v)
}

// longestEffect is how long before a tick to which a page jumps seek looks for cues whose effects still last.
// view.lua makes no effect that lasts longer.
const longestEffect = 5 * time.Second

// seek goes to a tick. If the tick is at most a second after tick from, seek plays from there and returns the
// effects of the cues on the way. Otherwise it returns those of earlier cues that still last.
func (p *replayPage) seek(to world.Tick, from string) (cues []replayCue, err error) {
	r := p.tape.replay
	rate := world.Tick(p.tape.first.Setup.TickRate)
	n, bad := strconv.ParseUint(from, 10, 32)
	start := world.Tick(n)
	jumps := bad != nil || start >= to || to-start > rate || start < r.First()
	switch {
	case to < r.First() || to > r.Last():
		return nil, r.Seek(to) // an error
	case jumps:
		start = max(r.First(), to-min(to, rate*world.Tick(longestEffect/time.Second)))
	}
	if r.Tick() != start {
		if err := r.Seek(start); err != nil {
			return nil, err
		}
	}
	r.Cues = func(c world.Cue) {
		if (!jumps || c.Lasts > 0 && !c.Over(to)) && len(cues) < maxCues {
			cues = append(cues, replayCue{c.String(), c.Tick, p.effects(&c, to)})
		}
	}
	defer func() { r.Cues = nil }()
	for r.Tick() < to && err == nil {
		err = r.Step()
	}
	return cues, err
}

// maxCues is the most cues of an answer.
const maxCues = 1 << 12

// effects returns those that view.lua makes of a cue; without any, a ring.
func (p *replayPage) effects(c *world.Cue, to world.Tick) []luabind.Effect {
	if v := p.viewOf(p.tape.replay.State().Bundle); v != nil {
		age := time.Duration(to-c.Tick) * time.Second / time.Duration(p.tape.replay.Schema().Setup.TickRate)
		// effects from before an error are shown
		if effects, ok, _ := v.Show(luabind.OnCue, c, luabind.Showing{Age: age}); ok {
			return effects
		}
	}
	return luabind.Ring(c)
}

// viewOf loads the view.lua of a bundle.
func (p *replayPage) viewOf(number uint32) *luabind.View {
	key := viewKey{number, p.first}
	if v, loaded := p.views[key]; loaded {
		return v
	}
	if p.views == nil || len(p.views) == maxViews {
		p.views = map[viewKey]*luabind.View{}
	}
	p.views[key] = nil
	for _, m := range p.tape.replay.Bundles() {
		if m.Number != number {
			continue
		}
		hash := m.Hash
		if p.first {
			hash = m.First
		}
		if b, err := p.tape.file.Source(hash); err == nil {
			p.views[key], _ = luabind.NewView(b.Files, b.Setup, nil) // it loaded when the match was played
		}
	}
	return p.views[key]
}

// maxViews is the most view.lua that the page keeps loaded. A jump needs those of five seconds.
const maxViews = 16
