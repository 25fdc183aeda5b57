package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// runHost drives the arena without players until the test ends.
func runHost(t *testing.T) (*host.Host, *room.Driver, context.CancelFunc) {
	t.Helper()
	game, err := openGame("")
	if err != nil {
		t.Fatal(err)
	}
	host, err := host.New(host.Config{Bundle: game.Bundle, Compile: compiler(game), Link: memlink.New(1).Host()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	driver, done := room.NewDriver(), make(chan struct{})
	go func() {
		defer close(done)
		if err := driver.Run(ctx, host); err != nil {
			t.Error(err)
		}
	}()
	stop := func() { cancel(); <-done }
	t.Cleanup(stop)
	return host, driver, stop
}

func get(t *testing.T, h http.Handler, method, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(body)
}

// TestInspectorShowsProblems: errors of hooks, refused scripts and likely mistakes, each with its
// text, until scripts without them take effect.
func TestInspectorShowsProblems(t *testing.T) {
	p := &problems{folder: "mine"}
	h := (&inspector{problems: p}).handler()
	list := func() (texts []string) {
		_, body := get(t, h, "GET", "/api/problems")
		var list []problem
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		for _, p := range list {
			texts = append(texts, strings.TrimSpace(fmt.Sprint(p.Kind, " ", p.Text, " ", p.Class, p.Hook)))
		}
		return texts
	}
	failed := func(t world.Tick, line int) {
		p.Failed(t, world.Fault{Class: "Ship", Hook: world.OnContact, Err: &world.ScriptError{File: "ship.lua", Line: line, Message: "no"}})
	}
	check := func(want ...string) {
		t.Helper()
		if got := list(); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check()
	p.Reloaded(0, []string{"mine/ship.lua:1:2: likely"})
	failed(7, 14)
	p.Refused("mine/ship.lua:3: broken", "mine/rock.lua:1: too")
	check("refused mine/ship.lua:3: broken", "refused mine/rock.lua:1: too", "error mine/ship.lua:14: no ShiponContact", "warning mine/ship.lua:1:2: likely")
	p.Refused()
	for i := range 2 * maxProblems {
		failed(8, i)
	}
	if got := list(); len(got) != maxProblems+1 {
		t.Errorf("%d problems are kept", len(got))
	}
	p.Reloaded(100, nil)
	failed(99, 14) // by the scripts that were in force
	failed(100, 15)
	check("error mine/ship.lua:15: no ShiponContact")
}

func TestInspectorShowsTheRunningHost(t *testing.T) {
	host, driver, stop := runHost(t)
	h := (&inspector{host: host, driver: driver}).handler()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); { // until it ticks
		var r room.Report
		_, body := get(t, h, "GET", "/api/report")
		if err := json.Unmarshal([]byte(body), &r); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		if r.Tick > 5 {
			break
		}
	}
	for path, want := range map[string]string{
		"/":           "<title>Hindcast host</title>",
		"/main.js":    "api/report",
		"/api/report": `"think":{"calls":`,
		"/api/view":   `"Class":"Crate"`,
		"/healthz":    "ok",
		"/main.js?":   "showHooks",
		"/metrics?":   `hindcast_hook_calls_total{class="Drone",hook="think",run="first"}`,
		"/metrics":    `hindcast_inputs_total{outcome="late_rewound"} 0`,
	} {
		if code, body := get(t, h, "GET", path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, without %q:\n%.300s", path, code, want, body)
		}
	}
	if code, _ := get(t, h, "POST", "/api/report"); code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", code)
	}
	stop()
	for _, path := range []string{"/healthz", "/api/view"} {
		if code, _ := get(t, h, "GET", path); code != http.StatusServiceUnavailable {
			t.Errorf("%s after the end: %d", path, code)
		}
	}
}

func TestInspectorPorts(t *testing.T) {
	host, driver, _ := runHost(t)
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	first, err := openInspector(cli.Addr{Text: "127.0.0.1:0"}, nil, host, driver, &problems{}, log)
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	off, err := openInspector(cli.Addr{Asked: true}.Or("127.0.0.1:7778"), nil, host, driver, &problems{}, log)
	if err != nil || off.server != nil {
		t.Errorf("turned off: %v %v", off, err)
	}
	off.close()
	taken := httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	addr := strings.TrimPrefix(taken.URL, "http://")
	if _, err := openInspector(cli.Addr{Text: addr, Asked: true}.Or(""), nil, host, driver, &problems{}, log); err == nil {
		t.Error("a port that was asked for and is taken gives no error")
	}
	other, err := openInspector(cli.Addr{Text: addr}, nil, host, driver, &problems{}, log)
	if err != nil {
		t.Fatalf("a default port that is taken must give way: %v", err)
	}
	other.close()
	if text := out.String(); !strings.Contains(text, "HTTP "+addr+" is taken") || !strings.Contains(text, "the inspector is at http://127.0.0.1:") {
		t.Errorf("logged %s", text)
	}
}

// TestInspectorIsNotForEverybody: a foreign name, a foreign page, and other machines without the token get nothing of
// the room. What -metrics serves is for everybody.
func TestInspectorIsNotForEverybody(t *testing.T) {
	host, driver, _ := runHost(t)
	log := slog.New(slog.DiscardHandler)
	open := func(at string) (*inspector, string) {
		in, err := openInspector(cli.Addr{Text: at}, []string{"stats.example"}, host, driver, &problems{}, log)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(in.close)
		_, port, _ := strings.Cut(in.addr().Text, "]:")
		if port == "" {
			_, port, _ = strings.Cut(in.addr().Text, ":")
		}
		return in, "127.0.0.1:" + port
	}
	ask := func(addr, path string, change func(r *http.Request)) int {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	asIs := func(*http.Request) {}
	foreign := func(r *http.Request) { r.Host = "evil.example" }
	in, near := open("127.0.0.1:0")
	if err := in.openMetrics(cli.Addr{Text: "0.0.0.0:0"}, log); err != nil {
		t.Fatal(err)
	}
	_, far := open("0.0.0.0:0")
	for _, path := range []string{"/", "/main.js", "/api/report", "/api/view", "/api/problems", "/metrics", "/healthz"} {
		if got := ask(near, path, foreign); got != http.StatusMisdirectedRequest {
			t.Errorf("%s for evil.example: %d", path, got)
		}
		if got := ask(near, path, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }); got != http.StatusForbidden {
			t.Errorf("%s for a page of another site: %d", path, got)
		}
		for _, good := range []func(*http.Request){asIs, func(r *http.Request) { r.Host = "stats.example" }} {
			if got := ask(near, path, good); got != http.StatusOK {
				t.Errorf("%s: %d", path, got)
			}
		}
		want := http.StatusUnauthorized
		if path == "/" || path == "/main.js" {
			want = http.StatusOK
		}
		if got := ask(far, path, asIs); got != want {
			t.Errorf("%s for another machine: %d, want %d", path, got, want)
		}
	}
	alone := in.aloneAt.String()
	_, port, _ := strings.Cut(alone, "]:")
	for path, want := range map[string]int{"/metrics": 200, "/healthz": 200, "/": 404, "/api/view": 404} {
		if got := ask("127.0.0.1:"+port, path, foreign); got != want {
			t.Errorf("-metrics, %s: %d, want %d", path, got, want)
		}
	}
	answer, err := http.Get("http://127.0.0.1:" + port + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if !answer.Close {
		t.Error("-metrics keeps connections")
	}
}
