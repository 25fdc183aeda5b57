package main

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"
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
	files, err := fs.Glob(pageFiles, "page/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimPrefix(f, "page/"); !seen[name] {
			t.Errorf("%s is served but nothing refers to it", name)
		}
		text, err := fs.ReadFile(pageFiles, f)
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

func TestPageTakesAnotherPort(t *testing.T) {
	p := newTestPage(t)
	addr := strings.TrimSuffix(strings.TrimPrefix(p.URL(), "http://"), "/")
	if _, err := newPage(addr, slog.New(slog.DiscardHandler)); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("error %v, want one that is EADDRINUSE", err)
	}
	if _, err := newPage("", slog.New(slog.DiscardHandler)); err == nil {
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
