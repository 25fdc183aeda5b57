package localpage

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// listener is one at an address where nobody listens.
type listener struct {
	net.Listener
	at net.TCPAddr
}

func (l *listener) Addr() net.Addr { return &l.at }

func guard(ip string, names ...string) *Guard {
	return New(&listener{at: net.TCPAddr{IP: net.ParseIP(ip), Port: 7778}}, "box.example:7778", names...)
}

func TestWhoIsAnswered(t *testing.T) {
	h := guard("127.0.0.1", "game.example").Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, c := range []struct {
		host, origin, site string
		want               int
	}{
		{"127.0.0.1:7778", "", "", 200},
		{"localhost:1234", "", "none", 200},
		{"LOCALHOST", "http://localhost", "same-origin", 200},
		{"[::1]:7778", "http://[::1]:7778", "", 200},
		{"192.168.1.9", "", "", 200},
		{"box.example:7778", "", "", 200},
		{"game.example", "https://game.example", "same-origin", 200},
		{"evil.example", "", "", 421},
		{"evil.example:7778", "http://evil.example:7778", "same-origin", 421},
		{"localhost.evil.example", "", "", 421},
		{"127.0.0.1.evil.example", "", "", 421},
		{"1.2.3.4.5", "", "", 421},
		{"", "", "", 421},
		{"127.0.0.1:7778", "http://evil.example", "", 403},
		{"127.0.0.1:7778", "null", "", 403},
		{"127.0.0.1:7778", "http://127.0.0.1:1", "", 403},
		{"127.0.0.1:7778", "http://127.0.0.1", "", 403},
		{"127.0.0.1:7778", "http://127.0.0.1:7778.evil.example", "", 403},
		{"127.0.0.1:7778", "", "cross-site", 403},
		{"127.0.0.1:7778", "", "same-site", 403},
	} {
		for _, path := range []string{"/", "/api/view", "/token.js"} {
			r := httptest.NewRequest("GET", path, nil)
			r.Host = c.host
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.site != "" {
				r.Header.Set("Sec-Fetch-Site", c.site)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("%s, Host %s, Origin %q, Sec-Fetch-Site %q: %d, want %d", path, c.host, c.origin, c.site, w.Code, c.want)
			}
		}
	}
}

func TestOtherMachinesNeedTheToken(t *testing.T) {
	for ip, wide := range map[string]bool{"127.0.0.1": false, "127.0.0.2": false, "::1": false, "0.0.0.0": true, "::": true, "10.1.2.3": true} {
		g := guard(ip)
		url, fragment, _ := strings.Cut(g.URL(""), "#")
		if g.Wide() != wide || (fragment != "") != wide {
			t.Errorf("at %s: wide is %v, the address %s", ip, g.Wide(), g.URL(""))
		}
		if strings.Contains(url, "0.0.0.0") || strings.Contains(url, "[::]") {
			t.Errorf("at %s: no browser can open %s", ip, url)
		}
		h := g.Private(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), "/api/", "/metrics")
		for header, want := range map[string]int{"": 401, "Bearer ": 401, "Bearer x": 401, "Bearer " + token(): 200, "bearer" + token(): 401} {
			if !wide {
				want = 200
			}
			for path, want := range map[string]int{"/api/view": want, "/metrics": want, "/": 200, "/main.js": 200} {
				r := httptest.NewRequest("GET", path, nil)
				r.Header.Set("Authorization", header)
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if w.Code != want {
					t.Errorf("%s at %s with Authorization %q: %d, want %d", path, ip, header, w.Code, want)
				}
			}
		}
	}
	if len(token()) < 26 {
		t.Errorf("%q has fewer than 128 bits", token())
	}
}

// TestServersCloseIdleConnections: who opens connections to a page and says nothing, or nothing more, does not keep them.
func TestServersCloseIdleConnections(t *testing.T) {
	s := Server(http.NotFoundHandler(), slog.New(slog.DiscardHandler), slog.LevelWarn)
	if s.ReadHeaderTimeout <= 0 || s.IdleTimeout <= 0 || s.ReadHeaderTimeout > 10*time.Second || s.IdleTimeout > 10*time.Second {
		t.Errorf("a header may take %v, and the next request %v", s.ReadHeaderTimeout, s.IdleTimeout)
	}
}
