//go:build unix

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
)

// readmeBlocks returns the lines of the README's code blocks of one language.
func readmeBlocks(t *testing.T, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

// readmeCommands are all commands that the README tells people to run, in its
// order. A new one must be added here, with what it shows when it works.
var readmeCommands = []struct {
	command, shows string
	beside         bool // it stays while the next ones run
}{
	{"go run ./cmd/client", "play at http://127.0.0.1:", false},
	{"go run ./cmd/host -listen 0.0.0.0:7777", "listening on 0.0.0.0:", true},
	{"go run ./cmd/client 127.0.0.1:7777", "play at http://127.0.0.1:", false},
	{"go run ./cmd/client -headless -bot chase -net bad -for 20s -report - 127.0.0.1:7777", `"mismatched":0`, false},
	{"cp -r scripts/arena ../mygame", "", false},
	{"go run ./cmd/host ../mygame", "listening on 127.0.0.1:", false},
	{"go run ./cmd/host check ../mygame", "mygame: ok", false},
	{"go run ./cmd/host test ../mygame", "ok  ", false},
	{"go run ./cmd/host -record ../match.replay -for 20s ../mygame", "listening on 127.0.0.1:", false},
	{"go run ./cmd/host replay ../match.replay -verify", "have the recorded hash", false},
}

// embedCommands make a program of the README's Go code; the first of them
// before it is written.
var embedCommands = []string{
	"mkdir ../rocket",
	"go -C ../rocket mod init rocket",
	"go -C ../rocket mod edit -replace github.com/hindcast/hindcast=$PWD",
	"go -C ../rocket mod tidy",
	"go -C ../rocket run .",
}

// TestReadmeCommands runs the README's commands as they stand, but for the
// port, the folder of the new game, and how long they last.
func TestReadmeCommands(t *testing.T) {
	if !draws.Full() {
		t.Log("not a full run: only comparing the list of commands")
	}
	var commands []string
	for _, block := range readmeBlocks(t, "sh") {
		commands = append(commands, strings.Split(strings.TrimSpace(block), "\n")...)
	}
	var known []string
	for _, c := range readmeCommands {
		known = append(known, c.command)
	}
	known = append(known, embedCommands...)
	if !slices.Equal(commands, known) {
		t.Fatalf("the README's commands are\n%s\nand this test runs\n%s", strings.Join(commands, "\n"), strings.Join(known, "\n"))
	}
	if !draws.Full() {
		return
	}
	t.Parallel()
	port, folder := freePort(t), t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, c := range readmeCommands {
		words := strings.Fields(c.command)
		for i, w := range words {
			w = strings.Replace(w, "7777", port, 1)
			w = strings.Replace(w, "20s", "3s", 1)
			if beside, ok := strings.CutPrefix(w, "../"); ok {
				w = filepath.Join(folder, beside)
			}
			words[i] = w
		}
		if c.beside {
			runBeside(ctx, t, words, c.shows)
			continue
		}
		if out := runReadme(ctx, t, words); !strings.Contains(out, c.shows) {
			t.Errorf("%s\nshows no %q:\n%s", c.command, c.shows, out)
		}
	}
}

func readmeCommand(ctx context.Context, words []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "HINDCAST_OPEN=false", "HINDCAST_HTTP=127.0.0.1:0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // go run has a child: both must hear the interrupt
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	return cmd
}

// runReadme runs a command for two seconds of its own time, if it would not end.
func runReadme(ctx context.Context, t *testing.T, words []string) string {
	t.Helper()
	cmd := readmeCommand(ctx, words)
	cmd.Env = append(cmd.Env, "HINDCAST_FOR=2s")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %v\n%s", words, err, out)
	}
	return string(out)
}

// runBeside starts a command and waits until it shows what it should.
func runBeside(ctx context.Context, t *testing.T, words []string, shows string) {
	t.Helper()
	cmd := readmeCommand(ctx, words)
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // it was interrupted
	waitFor(t, out.Name(), shows)
}

// waitFor waits until a file has a text.
func waitFor(t *testing.T, file, want string) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), want) {
			return
		}
	}
	text, _ := os.ReadFile(file)
	t.Fatalf("no %q in\n%s", want, text)
}

func freePort(t *testing.T) string {
	t.Helper()
	c, err := net.ListenUDP("udp", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return strconv.Itoa(c.LocalAddr().(*net.UDPAddr).Port)
}

// TestReadmeProgram makes the README's program as it says, and runs it.
func TestReadmeProgram(t *testing.T) {
	t.Parallel()
	blocks := readmeBlocks(t, "go")
	if len(blocks) != 1 || strings.Count(blocks[0], "\n") > 60 {
		t.Fatalf("%d Go blocks, want one of at most 60 lines", len(blocks))
	}
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	var out []byte
	for i, command := range embedCommands {
		if i == 3 {
			if err := os.WriteFile(filepath.Join(folder, "rocket", "main.go"), []byte(blocks[0]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		line := strings.NewReplacer("../", folder+"/", "$PWD", clone).Replace(command)
		if out, err = readmeCommand(t.Context(), strings.Fields(line)).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var tick int
	var agrees bool
	if _, err := fmt.Sscanf(lines[len(lines)-1], "confirmed tick %d, %t", &tick, &agrees); err != nil || tick < 1 || !agrees {
		t.Errorf("%v: it prints\n%s", err, out)
	}
}

// TestReadmeScript checks that the README's Lua class loads.
func TestReadmeScript(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"game.toml": "name = \"readme\"\n", "ship.lua": readmeBlocks(t, "lua")[0]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), filepath.Join(buildHost(t), "host"), "check", dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
