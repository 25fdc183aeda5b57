package main

import (
	"embed"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// handler serves the page's files and the socket, to the right callers only.
func (p *page) handler() http.Handler {
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic("the folder page is not embedded: " + err.Error()) // a fault of the build
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(files))
	mux.HandleFunc("GET /ws", p.socket)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !p.names.allow(r.Host) {
			http.Error(w, "this page is not served under the name "+r.Host, http.StatusMisdirectedRequest)
			return
		}
		secure(w.Header(), r.Host)
		mux.ServeHTTP(w, r)
	})
}

// secure isolates the page: it loads nothing from other origins, and no page of
// another origin can frame or read it. The socket is named because some browsers do
// not count it as 'self'.
func secure(h http.Header, host string) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://"+
		host+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// hostNames are the names by which browsers may address the page. A request by
// another name is refused: a site may point a name of its own at this machine (DNS
// rebinding). A numeric address cannot be the name of another site.
type hostNames []string

// namesFor allows the name of the address listened at, and this machine's.
func namesFor(addr string) hostNames {
	names := hostNames{"localhost"}
	if host, _, err := net.SplitHostPort(addr); err == nil && host != "" {
		names = append(names, host)
	}
	if name, err := os.Hostname(); err == nil {
		names = append(names, name, name+".local")
	}
	return names
}

// allow checks the Host of a request. The port may differ from ours, behind a
// tunnel.
func (n hostNames) allow(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if net.ParseIP(host) != nil {
		return true
	}
	for _, name := range n {
		if strings.EqualFold(name, host) {
			return true
		}
	}
	return false
}
