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

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
)

// replayPage shows a replay to people (/?tick=N) and to machines
// (/api/replay, /api/view?tick=N).
type replayPage struct {
	mu   sync.Mutex // of tape: seeking moves it
	tape *tape
}

// replayInfo is what /api/replay says.
type replayInfo struct {
	Game     string     `json:"game"`
	TickRate int        `json:"tick_rate"`
	First    world.Tick `json:"first"`
	Last     world.Tick `json:"last"`
	Final    world.Tick `json:"final"`
}

// serve shows the replay until ctx is done.
func (t *tape) serve(ctx context.Context, o *replayOptions, log *slog.Logger) error {
	l, err := net.Listen("tcp", o.http)
	if err != nil {
		return cli.Fail(cli.Network, fmt.Errorf("-http: %w", err))
	}
	page := &replayPage{tape: t}
	server := &http.Server{Handler: page.handler(), ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	query := ""
	if o.toGiven {
		query = fmt.Sprintf("?tick=%d", o.to)
	}
	fmt.Printf("replay at http://%s/%s\n", l.Addr(), query)
	go func() {
		<-ctx.Done()
		_ = server.Close() // whoever is still reading is cut off
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
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "replay.html") })
	mux.HandleFunc("GET /api/replay", p.info)
	mux.HandleFunc("GET /api/view", p.view)
	return guarded(mux)
}

func (p *replayPage) info(w http.ResponseWriter, _ *http.Request) {
	b := p.tape.Bundles()[0]
	writeJSON(w, replayInfo{b.Game, b.Setup.TickRate, p.tape.First(), p.tape.Last(), p.tape.Final()})
}

// view is the room after a tick; without one, after the last.
func (p *replayPage) view(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	to := p.tape.Last()
	if text := r.URL.Query().Get("tick"); text != "" {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			http.Error(w, "tick="+text+": want a whole number", http.StatusBadRequest)
			return
		}
		to = world.Tick(n)
	}
	switch err := p.tape.Seek(to); {
	case errors.Is(err, runtime.ErrNoTick):
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var v runtime.View
	p.tape.View(&v)
	writeJSON(w, v)
}
