package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	gamepage "github.com/hindcast/hindcast/cmd/client/page"
)

func get(t testing.TB, url, host string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestPageServesOnlyItsOwnFiles(t *testing.T) {
	p := newTestPage(t)
	res, index := get(t, p.URL(), "")
	if res.StatusCode != http.StatusOK || !strings.Contains(index, "<canvas") {
		t.Fatalf("%s: %s\n%s", p.URL(), res.Status, index)
	}
	if csp := res.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
		t.Errorf("policy %q", csp)
	}
	for _, id := range []string{"hud-tick", "hud-rtt", "hud-lead", "hud-rewinds", "hud-corrections", "hud-repredictions"} {
		if !strings.Contains(index, `id="`+id+`"`) {
			t.Errorf("no figure %s", id)
		}
	}
	wanted := regexp.MustCompile(`(?:src|href)="([^"]+)"|from '\./([^']+)'`)
	seen := map[string]bool{"": true}
	var follow func(name string)
	follow = func(name string) {
		seen[name] = true
		res, text := get(t, p.URL()+name, "")
		if res.StatusCode != http.StatusOK {
			t.Errorf("%q: %s", name, res.Status)
		}
		for _, m := range wanted.FindAllStringSubmatch(text, -1) {
			if next := m[1] + m[2]; !seen[next] {
				follow(next)
			}
		}
	}
	follow("index.html")
	_, several := get(t, newTestPages(t, 2).URL(), "")
	for _, m := range wanted.FindAllStringSubmatch(several, -1) {
		if !strings.HasSuffix(m[1], "/") { // that is a page
			follow(m[1])
		}
	}
	files, err := fs.Glob(gamepage.Files(), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[f] {
			t.Errorf("%s is served but nothing refers to it", f)
		}
		text, err := fs.ReadFile(gamepage.Files(), f)
		if err != nil {
			t.Fatal(err)
		}
		if at := regexp.MustCompile(`(https?:)?//[a-z]+\.[a-z]`).Find(text); at != nil && !strings.HasSuffix(f, ".svg") {
			t.Errorf("%s names something outside: %s", f, at)
		}
	}
	if res, _ := get(t, p.URL()+"nothing", ""); res.StatusCode != http.StatusNotFound {
		t.Errorf("a file that is not there: %s", res.Status)
	}
}

// TestPagesSideBySide: each has a path with its files and its socket, and only they can be framed, by their own
// origin.
func TestPagesSideBySide(t *testing.T) {
	s := newTestPages(t, 3)
	res, text := get(t, s.URL(), "")
	if res.StatusCode != http.StatusOK || strings.Count(text, "<iframe ") != 3 || !strings.Contains(res.Header.Get("Content-Security-Policy"), "frame-src 'self'; frame-ancestors 'self'") {
		t.Errorf("%s %v\n%s", res.Status, res.Header, text)
	}
	for i, p := range s.pages {
		if want := fmt.Sprintf("%s%d/", s.URL(), i+1); p.URL() != want {
			t.Errorf("page %d is at %s, want %s", i, p.URL(), want)
		}
		for _, name := range []string{"", "main.js", "style.css"} {
			if res, _ := get(t, p.URL()+name, ""); res.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", p.URL()+name, res.Status)
			}
		}
		p.Chat("somebody", fmt.Sprintf("hello to page %d", i+1))
		w := openWindow(t, p, nil)
		for text, _ := w.message(); text["t"] != "chat" || text["text"] != fmt.Sprintf("hello to page %d", i+1); text, _ = w.message() {
			if text["t"] == "chat" {
				t.Errorf("page %d: %v", i+1, text)
			}
		}
		if muted := p.feed.chosen.Muted; muted != (i > 0) {
			t.Errorf("page %d is muted: %v", i+1, muted)
		}
	}
	for _, name := range []string{"4/", "index.html", "ws", "1/nothing"} {
		if res, _ := get(t, s.URL()+name, ""); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", name, res.Status)
		}
	}
	if res, _ := get(t, newTestPage(t).URL(), ""); !strings.Contains(res.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Error("a page alone can be framed")
	}
}

func TestPageTakesAnotherPort(t *testing.T) {
	p := newTestPage(t)
	addr := strings.TrimSuffix(strings.TrimPrefix(p.URL(), "http://"), "/")
	if _, err := servePages(addr, 1, slog.New(slog.DiscardHandler)); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("error %v, want one that is EADDRINUSE", err)
	}
	if _, err := servePages("", 1, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("no address, no error")
	}
}

func TestPageRefusesForeignHostNames(t *testing.T) {
	p := newTestPage(t)
	for host, want := range map[string]int{
		"127.0.0.1:7779": 200, "localhost:1234": 200, "LOCALHOST": 200, "[::1]:7779": 200, "[::1]": 200, "192.168.1.9": 200,
		"evil.example": 421, "evil.example:7779": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421, "1.2.3.4.5": 421,
	} {
		if res, _ := get(t, p.URL(), host); res.StatusCode != want {
			t.Errorf("Host %s: %s, want %d", host, res.Status, want)
		}
	}
}

func TestForeignOriginsGetNoSocket(t *testing.T) {
	p := newTestPage(t)
	own := strings.TrimSuffix(p.URL(), "/")
	for _, origin := range []string{"http://evil.example", "null", "http://127.0.0.1:1", "http://localhost", "https://" + own[7:] + ".evil.example"} {
		_, res, err := websocket.Dial(t.Context(), p.URL()+"ws", &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
		if err == nil || res == nil || res.StatusCode != http.StatusForbidden {
			t.Errorf("Origin %s: %v, %v; want 403", origin, res, err)
		}
	}
	openWindow(t, p, http.Header{"Origin": {own}})
}

// TestConnectionsWithoutTheTokenAreFew: who does not send the token of a page that other machines reach takes a few
// places for a few seconds, and a line of the log in ten seconds.
func TestConnectionsWithoutTheTokenAreFew(t *testing.T) {
	var logged strings.Builder
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s, err := servePages("0.0.0.0:0", 1, slog.New(slog.NewTextHandler(&logged, nil)))
	if err != nil {
		t.Fatal(err)
	}
	url, token, _ := strings.Cut(s.URL(), "#")
	dial := func() (*websocket.Conn, int) {
		conn, res, err := websocket.Dial(t.Context(), url+"ws", nil)
		if err != nil {
			return nil, res.StatusCode
		}
		return conn, res.StatusCode
	}
	waiting := s.pages[0].greetings
	waiting.now = func() time.Duration { return time.Second } // however long the test takes
	var ends []func()
	for range maxGreetingsFrom {
		end, err := waiting.begin("127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	if conn, code := dial(); conn != nil || code != http.StatusServiceUnavailable {
		t.Errorf("one more connection without the token: %v, %d", conn != nil, code)
	}
	if end, err := waiting.begin("192.0.2.1"); err != nil {
		t.Errorf("a connection of another address: %v", err)
	} else {
		end()
	}
	for _, end := range ends {
		end()
	}
	conn, code := dial()
	if conn == nil {
		t.Fatalf("after the others have gone: %d", code)
	}
	for _, m := range []string{`{"t":"token","token":"` + token + `"}`, `{"t":"nonsense"}`} {
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(m)); err != nil {
			t.Fatal(err)
		}
	}
	var closed websocket.CloseError
	for err := error(nil); err == nil; {
		_, _, err = conn.Read(t.Context())
		_ = errors.As(err, &closed)
	}
	if closed.Reason != "not understood" {
		t.Errorf("a window with the token is closed: %v", closed)
	}
	_ = conn.CloseNow()
	for range 20 {
		get(t, url+"ws", "") // is no WebSocket
	}
	if err := s.Close(t.Context(), "the test ends"); err != nil {
		t.Error(err)
	}
	if n := strings.Count(logged.String(), "was refused"); n != 1 {
		t.Errorf("%d lines about 20 refused connections:\n%s", n, logged.String())
	}
}
