package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/hindcast/hindcast/net/loglimit"
)

// The most connections that may be made without having sent the token, of a page that needs it: of all, and of one
// address.
const (
	maxGreetings     = 64
	maxGreetingsFrom = 8
)

// greetings counts the connections that have not sent the token, and logs what unknown callers cause. Its zero value is
// not ready, its methods are safe for concurrent use.
type greetings struct {
	mu   sync.Mutex
	from map[string]int // by address
	all  int
	now  func() time.Duration
	log  *loglimit.Log[string]
}

func newGreetings(log *slog.Logger) *greetings {
	start := time.Now()
	return &greetings{from: map[string]int{}, now: func() time.Duration { return time.Since(start) },
		log: loglimit.New[string](log)}
}

// callerOf returns the address of the machine that makes a request.
func callerOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// begin counts a connection from an address until the result is called, or returns why there are too many.
func (g *greetings) begin(from string) (end func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.all >= maxGreetings || g.from[from] >= maxGreetingsFrom {
		return nil, fmt.Errorf("%d connections of this address and %d in all have not sent the token: try again in %v",
			g.from[from], g.all, sendTimeout)
	}
	g.all++
	g.from[from]++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.all--
		if g.from[from]--; g.from[from] == 0 {
			delete(g.from, from)
		}
	}, nil
}

// warn logs what a caller did wrong, one line of a kind and caller in ten seconds. text is a constant.
func (g *greetings) warn(from, text string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log.Line(g.now(), slog.LevelWarn, from, text, "error", err)
}
