// Package localpage guards the pages that a program serves to browsers on its own machine: the
// inspector, the page of a replay, and the game page.
//
// A browser carries out what any site asks for, with the rights of its user. So a request is answered
// only if the browser says that a page of the same origin has made it, or the user, and only under a
// name that no other site can have: a site may let a name of its own point at this machine (DNS
// rebinding), but not a number, and not localhost.
//
// Programs that listen wider than loopback show their pages to everybody on the network who knows the
// token of the process, 128 random bits in the fragment of the printed address. Browsers send fragments
// to nobody. The page keeps the token for its tab, and sends it in the header Authorization, or as the
// first message of a WebSocket (token.js).
package localpage

import (
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

//go:embed token.js
var tokenScript string

// token returns the token of this process. It remains the same when a page is served anew, so that
// open pages go on.
var token = sync.OnceValue(rand.Text)

// Server returns the server of a page, which logs what goes wrong with connections at a level. A connection that says
// nothing is closed after some seconds: a process has a bounded number of them.
func Server(h http.Handler, log *slog.Logger, level slog.Level) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       10 * time.Second,
		ErrorLog:          slog.NewLogLogger(log.Handler(), level),
	}
}

// NamesFlag adds the flag -http-host to those of a program. The result returns its names once the flags are parsed.
func NamesFlag(fs *cli.Flags) func() []string {
	text := fs.String("http-host", "",
		"`NAME`s, with commas, by which browsers may address the page as well, as behind a reverse proxy")
	return func() []string {
		return strings.FieldsFunc(*text, func(r rune) bool { return r == ',' || r == ' ' })
	}
}

// Guard decides who gets an answer from one listener. It is safe for concurrent use.
type Guard struct {
	names []string // by which browsers may address the page, besides numbers
	at    *net.TCPAddr
}

// New returns the guard of a TCP listener. asked is the address that was asked for, whose name counts,
// and names are further ones, as of a reverse proxy.
func New(l net.Listener, asked string, names ...string) *Guard {
	names = append(slices.Clone(names), "localhost")
	if host, _, err := net.SplitHostPort(asked); err == nil && host != "" {
		names = append(names, host)
	}
	return &Guard{names, l.Addr().(*net.TCPAddr)}
}

// Wide reports whether other machines can connect.
func (g *Guard) Wide() bool { return !g.at.IP.IsLoopback() }

// URL returns the address for a browser on this machine, with a query such as "?tick=5" or "", and with the token if
// one is needed.
func (g *Guard) URL(query string) string {
	ip := g.at.IP
	if ip.IsUnspecified() { // of both kinds, even as ::
		ip = net.IPv4(127, 0, 0, 1)
	}
	return g.url(ip, query)
}

func (g *Guard) url(ip net.IP, query string) string {
	url := fmt.Sprintf("http://%s/%s", net.JoinHostPort(ip.String(), strconv.Itoa(g.at.Port)), query)
	if g.Wide() {
		url += "#" + token()
	}
	return url
}

// Warn says what it means that other machines can connect, if they can. what is what is served.
func (g *Guard) Warn(log *slog.Logger, what string) {
	if !g.Wide() {
		return
	}
	var elsewhere []string
	if g.at.IP.IsUnspecified() {
		addrs, _ := net.InterfaceAddrs() // without them the text is as true
		for _, a := range addrs {
			if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
				elsewhere = append(elsewhere, g.url(n.IP, ""))
			}
		}
	}
	log.Warn(what+" is served to other machines: who has the address with its token sees it, and so can who reads "+
		"along, because it is plain HTTP",
		"address", g.URL(""), "elsewhere", strings.Join(elsewhere, " "))
}

// Handler answers only requests that no foreign page can have made. It serves token.js as well.
func (g *Guard) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch site := r.Header.Get("Sec-Fetch-Site"); {
		case !g.named(r.Host):
			http.Error(w,
				fmt.Sprintf("this page is not served under the name %s; -http-host NAME allows a name", r.Host),
				http.StatusMisdirectedRequest)
		case !sameOrigin(r):
			http.Error(w, fmt.Sprintf("not for pages of %s", r.Header.Get("Origin")), http.StatusForbidden)
		case site != "" && site != "same-origin" && site != "none":
			http.Error(w, "not for pages of other sites: enter the address in the browser", http.StatusForbidden)
		case r.URL.Path == "/token.js":
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			fmt.Fprint(w, tokenScript)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// sameOrigin reports whether the origin that a request names, if any, is the host that it is for. Behind a
// proxy the scheme may be https.
func sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		_, host, ok := strings.Cut(origin, "://")
		if !ok || !strings.EqualFold(host, r.Host) {
			return false
		}
	}
	return true
}

// named checks the Host of a request. The port may differ from ours, behind a tunnel.
func (g *Guard) named(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return net.ParseIP(host) != nil ||
		slices.ContainsFunc(g.names, func(name string) bool { return strings.EqualFold(name, host) })
}

// Private answers requests for paths that begin like one of private only with the token, if one is needed.
func (g *Guard) Private(next http.Handler, private ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		wanted := slices.ContainsFunc(private, func(prefix string) bool {
			return strings.HasPrefix(r.URL.Path, prefix)
		})
		if wanted && !g.Admits(given) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w,
				"open the address with its token, which the program has printed; programs send it as "+
					"Authorization: Bearer TOKEN",
				http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Admits reports whether a token is good enough: any is if no other machine can connect.
func (g *Guard) Admits(given string) bool {
	return !g.Wide() || subtle.ConstantTimeCompare([]byte(given), []byte(token())) == 1
}
