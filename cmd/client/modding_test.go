//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// step is a block of docs/modding.md: commands, or a file.
type step struct {
	commands []string
	file     string // that text goes into
	text     string
}

var rxNamed = regexp.MustCompile("`(tag/\\w+\\.(?:lua|toml))`[^`]*$")

// guide reads the page's blocks, in order.
func guide(t *testing.T) (steps []step) {
	t.Helper()
	page, err := os.ReadFile("../../docs/modding.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```")
	for i := 1; i < len(parts); i += 2 {
		language, text, _ := strings.Cut(parts[i], "\n")
		switch language {
		case "sh":
			steps = append(steps, step{commands: strings.Split(strings.TrimSpace(text), "\n")})
		case "lua", "toml":
			name := rxNamed.FindStringSubmatch(parts[i-1])
			if name == nil {
				t.Fatalf("the page does not name the file of\n%s", text)
			}
			steps = append(steps, step{file: name[1], text: text})
		default:
			t.Errorf("a block of %q: this test knows sh, lua and toml", language)
		}
	}
	return steps
}

// shows is what the guide's commands show when they work.
var shows = map[string]string{
	"host new tag":                   "a new game",
	"host check tag":                 "tag: ok",
	"host test tag":                  "ok  \ttag",
	"host tag":                       "listening on 127.0.0.1:",
	"client 127.0.0.1:7777":          "play at http://",
	"host test -v -run touch tag":    "--- PASS: a touch passes it on, and not back",
	"host test -v -run team tag":     "--- PASS: a tag counts for team and player",
	"client -net bad 127.0.0.1:7777": "play at http://",
	"client -headless -bot tag/circle_bot.lua 127.0.0.1:7777": "",
	"host defs tag": "",
}

// TestModdingPage does what docs/modding.md says, in its order, with a host
// that runs meanwhile and reloads what is saved.
func TestModdingPage(t *testing.T) {
	if !draws.Full() {
		guide(t) // reading it is quick
		return
	}
	t.Parallel()
	dir, bin, port := t.TempDir(), t.TempDir(), freePort(t)
	var log string
	ran := map[string]bool{}
	for _, s := range guide(t) {
		if s.file != "" {
			if err := os.WriteFile(filepath.Join(dir, s.file), []byte(s.text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for _, c := range s.commands {
			ran[c] = true
			switch words := strings.Fields(strings.Replace(c, "7777", port, 1)); {
			case words[0] == "go":
				install(t, words, bin)
			case c == "host tag":
				log = beside(t, dir, bin, port, words, shows[c])
			default:
				guided(t, dir, bin, words, shows[c])
			}
		}
	}
	for c := range shows {
		if !ran[c] {
			t.Errorf("the page has no %q", c)
		}
	}
	for _, want := range []string{"changed: Ship.it added (boolean)", "changed: class Crown added", "scripts reloaded", "changed: Ship.team added (number)", "changed: game.toml: wall[1] added"} {
		waitFor(t, log, want)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if t.Failed() {
		t.Logf("the host:\n%s", text)
	}
	if strings.Contains(string(text), `"level":"ERROR"`) {
		t.Errorf("the host complains:\n%s", text)
	}
}

// install runs go install of this clone, into bin.
func install(t *testing.T, words []string, bin string) {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "GOBIN="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
}

func guideCommand(ctx context.Context, dir, bin string, words []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(bin, words[0]), words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HINDCAST_OPEN=false", "HINDCAST_HTTP=127.0.0.1:0", "XDG_CACHE_HOME="+filepath.Join(bin, "cache"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	return cmd
}

// guided runs a command to its end; a client plays for two seconds.
func guided(t *testing.T, dir, bin string, words []string, want string) {
	t.Helper()
	cmd := guideCommand(t.Context(), dir, bin, words)
	cmd.Env = append(cmd.Env, "HINDCAST_FOR=2s")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v: %v, want %q in\n%s", words, err, want, out)
	}
}

// beside starts a host that keeps running, and returns the file with its output.
func beside(t *testing.T, dir, bin, port string, words []string, want string) (log string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := guideCommand(ctx, dir, bin, words)
	cmd.Env = append(cmd.Env, "HINDCAST_LISTEN=127.0.0.1:"+port)
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = cmd.Wait() }) // it was interrupted
	waitFor(t, out.Name(), want)
	return out.Name()
}
