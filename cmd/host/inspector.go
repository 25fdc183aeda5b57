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
	"github.com/hindcast/hindcast/cmd/host/localpage"
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
	server  *http.Server // nil: there is no page
	alone   *http.Server // of -metrics; nil: there is none
	aloneAt net.Addr
	at      cli.Addr
	host    *host.Host
	driver  *room.Driver

	problems *problems
}

// patience is how long the host may take to answer.
const patience = 2 * time.Second

// openInspector serves the inspector at an address, "" for nowhere. names are those of hosts by which browsers may
// address it, besides those of its own.
func openInspector(at cli.Addr, names []string, host *host.Host, driver *room.Driver, found *problems,
	log *slog.Logger) (*inspector, error) {
	if at.Text == "" {
		return &inspector{host: host, driver: driver, problems: found}, nil
	}
	l, err := cli.Listen(at, cli.Service{Network: "HTTP", Use: "the inspector is", Flag: "-http"}, log,
		func(addr string) (net.Listener, error) { return net.Listen("tcp", addr) },
		func(l net.Listener) string { return "http://" + l.Addr().String() + "/" })
	if err != nil {
		return nil, fmt.Errorf("inspector: %w", err)
	}
	in := &inspector{at: cli.Addr{Text: l.Addr().String(), Asked: true}, host: host, driver: driver, problems: found}
	guard := localpage.New(l, at.Text, names...)
	guard.Warn(log, "the inspector")
	handler := guard.Handler(guard.Private(in.handler(), "/api/", "/metrics", "/healthz"))
	in.server = localpage.Server(handler, log, slog.LevelWarn)
	go func() {
		if err := in.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("inspector: " + err.Error())
		}
	}()
	fmt.Printf("inspector at %s\n", guard.URL(""))
	return in, nil
}

// move has the inspector be at another address, "" for nowhere. If that fails, it stays where it is.
func (in *inspector) move(at cli.Addr, names []string, log *slog.Logger) error {
	if at.Text == in.at.Text {
		return nil
	}
	moved, err := openInspector(at, names, in.host, in.driver, in.problems, log)
	if err != nil {
		return err
	}
	before := in.server
	in.server, in.at = moved.server, moved.at
	stop(before)
	return nil
}

// addr returns where the inspector is, which is the only place for the next one.
func (in *inspector) addr() cli.Addr { return in.at }

// openMetrics serves /metrics and /healthz alone, "" for nowhere. Whoever can connect gets an answer, under any name:
// what watches over a fleet sends addresses, and shows a browser nothing of this.
func (in *inspector) openMetrics(at cli.Addr, log *slog.Logger) error {
	if at.Text == "" {
		return nil
	}
	l, err := net.Listen("tcp", at.Text)
	if err != nil {
		return fmt.Errorf("-metrics: %w", err)
	}
	in.aloneAt = l.Addr()
	in.alone = localpage.Server(guarded(in.metrics()), log, slog.LevelWarn)
	in.alone.SetKeepAlivesEnabled(false) // who asks once a minute needs none, and who holds many takes the place of others
	go func() {
		if err := in.alone.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics: " + err.Error())
		}
	}()
	fmt.Printf("metrics at http://%s/metrics\n", l.Addr())
	return nil
}

func (in *inspector) close() { stop(in.server, in.alone) }

// stop stops servers; nil: there is none.
func stop(servers ...*http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, server := range servers {
		if server != nil {
			_ = server.Shutdown(ctx) // requests in progress are cut off
		}
	}
}

func (in *inspector) handler() http.Handler {
	mux := in.metrics()
	mux.Handle("GET /", http.FileServerFS(pageFiles()))
	mux.HandleFunc("GET /api/report", in.report)
	mux.HandleFunc("GET /api/view", in.view)
	mux.HandleFunc("GET /api/problems", in.showProblems)
	return guarded(mux)
}

// metrics is the part of the inspector for machines that watch over this one.
func (in *inspector) metrics() *http.ServeMux {
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(&collector{in.hostReport})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", in.health)
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	return mux
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
		h.Set("Content-Security-Policy",
			"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'")
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
