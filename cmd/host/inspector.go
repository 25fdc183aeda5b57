package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

//go:embed inspector
var inspectorFiles embed.FS

// inspector shows a running host to people (/) and to machines (/api/report,
// /api/view, /api/problems, /healthz, /metrics). It changes nothing.
type inspector struct {
	server *http.Server
	at     cli.Addr
	host   *host.Host
	driver *room.Driver

	problems *problems
}

// patience is how long the host may take to answer.
const patience = 2 * time.Second

// openInspector serves the inspector at an address, "" for nowhere.
func openInspector(at cli.Addr, host *host.Host, driver *room.Driver, found *problems, log *slog.Logger) (*inspector, error) {
	if at.Text == "" {
		return &inspector{}, nil
	}
	l, err := cli.Listen(at, cli.Service{Network: "HTTP", Use: "the inspector is", Flag: "-http"}, log,
		func(addr string) (net.Listener, error) { return net.Listen("tcp", addr) },
		func(l net.Listener) string { return "http://" + l.Addr().String() + "/" })
	if err != nil {
		return nil, fmt.Errorf("inspector: %w", err)
	}
	in := &inspector{at: cli.Addr{Text: l.Addr().String(), Asked: true}, host: host, driver: driver, problems: found}
	in.server = &http.Server{Handler: in.handler(), ReadHeaderTimeout: 5 * time.Second, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	go func() {
		if err := in.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("inspector: " + err.Error())
		}
	}()
	fmt.Printf("inspector at http://%s/\n", l.Addr())
	return in, nil
}

// addr returns where the inspector is, which is the only place for the next one.
func (in *inspector) addr() cli.Addr { return in.at }

func (in *inspector) close() {
	if in.server == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = in.server.Shutdown(ctx) // requests in progress are cut off
}

func (in *inspector) handler() http.Handler {
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(&collector{in.hostReport})
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(pageFiles()))
	mux.HandleFunc("GET /api/report", in.report)
	mux.HandleFunc("GET /api/view", in.view)
	mux.HandleFunc("GET /api/problems", in.showProblems)
	mux.HandleFunc("GET /healthz", in.health)
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	return guarded(mux)
}

// pageFiles returns the pages of the inspector.
func pageFiles() fs.FS {
	files, err := fs.Sub(inspectorFiles, "inspector")
	if err != nil {
		panic("the folder inspector is not embedded: " + err.Error()) // a fault of the build
	}
	return files
}

// guarded has browsers load nothing into the pages but the server's own files.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// ask runs f on the host's goroutine, between two ticks. If it returns an error, f has not
// run and will not.
func (in *inspector) ask(f func(now time.Duration)) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := in.driver.Do(ctx, func(_ context.Context, now time.Duration) error { f(now); return nil })
	if err != nil {
		return fmt.Errorf("the host does not answer: %w", err)
	}
	return nil
}

// hostReport returns the report of the host.
func (in *inspector) hostReport() (r room.Report, err error) {
	err = in.ask(func(now time.Duration) { r = in.host.Report(now) })
	return r, err
}

func (in *inspector) report(w http.ResponseWriter, _ *http.Request) {
	r, err := in.hostReport()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	writeJSON(w, r)
}

func (in *inspector) view(w http.ResponseWriter, _ *http.Request) {
	var v room.View
	if err := in.ask(func(time.Duration) { in.host.View(&v) }); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	writeJSON(w, v)
}

func (in *inspector) showProblems(w http.ResponseWriter, _ *http.Request) {
	var said room.Problems
	if in.host != nil {
		_ = in.ask(func(time.Duration) { said = in.host.Problems() }) // a host that has ended says nothing
	}
	writeJSON(w, in.problems.List(said.Failed))
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // fails if the reader has disconnected
}

// health is 200 while ticks go on, or are paused.
func (in *inspector) health(w http.ResponseWriter, _ *http.Request) {
	var idle time.Duration
	err := in.ask(func(now time.Duration) { idle = in.host.Idle(now) })
	if err == nil && idle > time.Second {
		err = fmt.Errorf("no tick for %v", idle.Round(time.Millisecond))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}
