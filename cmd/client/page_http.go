package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/cmd/host/localpage"
)

// pageServer serves the game pages of the players of this process: one page, or several with a page that
// shows them side by side.
type pageServer struct {
	pages  []*page
	guard  *localpage.Guard
	log    *slog.Logger
	server *http.Server
	served chan struct{} // closed when the server has ended
}

// servePages listens at addr and serves n pages at once, to browsers that address it by one of the names or a usual
// one. Its error wraps that of the system.
func servePages(addr string, n int, log *slog.Logger, names ...string) (*pageServer, error) {
	if addr == "" {
		return nil, errors.New("want an address, such as 127.0.0.1:7779")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("serving at %s: %w", addr, err)
	}
	s := &pageServer{guard: localpage.New(l, addr, names...), log: log, served: make(chan struct{})}
	s.guard.Warn(log, "the game page")
	settings := openSettings(log)
	for i := range n {
		url := s.guard.URL("")
		if n > 1 {
			url = s.guard.URL(path(i))
		}
		s.pages = append(s.pages, newPage(url, s.guard, settings, log))
	}
	for _, p := range s.pages[1:] {
		p.silence() // or all are heard at once
	}
	s.server = localpage.Server(s.handler(), log, slog.LevelDebug)
	go s.serve(l)
	return s, nil
}

// path returns the path of a page among several, relative to the root.
func path(i int) string { return fmt.Sprintf("%d/", i+1) }

func (s *pageServer) serve(l net.Listener) {
	defer close(s.served)
	if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		s.log.Error("the game page is no longer served", "error", err)
	}
}

// page returns the page of the i-th player, nil if no page is served.
func (s *pageServer) page(i int) *page {
	if s == nil {
		return nil
	}
	return s.pages[i]
}

// URL returns the address for a browser on this machine.
func (s *pageServer) URL() string { return s.guard.URL("") }

// Close tells the browsers that the program ends and why, and stops serving. It waits
// until the browsers have received this, or ctx is done.
func (s *pageServer) Close(ctx context.Context, why string) error {
	for _, p := range s.pages {
		p.end(why)
	}
	err := s.server.Shutdown(ctx)
	for _, p := range s.pages {
		p.wait(ctx)
	}
	if err != nil {
		err = errors.Join(err, s.server.Close())
	}
	<-s.served
	return err
}

// handler serves the files of the pages and their sockets, to the right callers only.
func (s *pageServer) handler() http.Handler {
	mux := http.NewServeMux()
	files := http.FileServerFS(gamepage.Files())
	if len(s.pages) == 1 {
		mux.Handle("GET /", files)
		mux.HandleFunc("GET /ws", s.pages[0].socket)
		mux.Handle("GET /asset/{name}", s.pages[0].Gallery())
	} else {
		mux.HandleFunc("GET /{$}", s.sideBySide)
		for _, name := range []string{"views.css", "views.js", "icon.svg"} {
			mux.Handle("GET /"+name, files)
		}
		for i, p := range s.pages {
			mux.Handle("GET /"+path(i), http.StripPrefix("/"+strings.TrimSuffix(path(i), "/"), files))
			mux.HandleFunc("GET /"+path(i)+"ws", p.socket)
			mux.Handle("GET /"+path(i)+"asset/{name}", p.Gallery())
		}
	}
	return s.guard.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), r.Host, len(s.pages) > 1)
		mux.ServeHTTP(w, r)
	}))
}

// sideBySide serves a page with a frame for each of the pages.
func (s *pageServer) sideBySide(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<title>Hindcast: players side by side</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="views.css">
<script type="module" src="views.js"></script>
</head>
<body>
`)
	for i := range s.pages {
		fmt.Fprintf(w,
			"<iframe data-src=\"%s\" title=\"Player %d\" allow=\"autoplay; fullscreen; gamepad\"></iframe>\n",
			path(i), i+1)
	}
	fmt.Fprint(w, "</body>\n</html>\n")
}

// secure isolates a page: it loads nothing from other origins, and no page of another origin can frame or
// read it. framed says that one of this origin does. The socket is named because some browsers do not count
// it as 'self'.
func secure(h http.Header, host string, framed bool) {
	frames := "frame-ancestors 'none'"
	if framed {
		frames = "frame-src 'self'; frame-ancestors 'self'"
	}
	h.Set("Content-Security-Policy",
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src "+
			"'self'; connect-src 'self' ws://"+
			host+"; base-uri 'none'; form-action 'none'; "+frames)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}
