//go:build external && unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// chromium starts the browser that all tests share, and returns the address of its DevTools. It runs until
// the last test has ended.
var chromium = sync.OnceValues(startChromium)

// turns are two, because a page that is drawn without a GPU can take a whole core.
var turns = make(chan struct{}, 2)

// takeTurn lets a test run beside the others, until its end as one of two with a browser.
func takeTurn(t *testing.T) {
	t.Helper()
	t.Parallel()
	turns <- struct{}{}
	t.Cleanup(func() { <-turns })
}

// takeAllTurns lets a test run as the only one with a browser, because its page draws more than a page does: on a
// machine without a GPU, pages that draw at once wait seconds for each of their frames.
func takeAllTurns(t *testing.T) {
	t.Helper()
	t.Parallel()
	alone.Lock() // two that each hold some of the turns would wait for each other
	t.Cleanup(alone.Unlock)
	for range cap(turns) {
		turns <- struct{}{}
		t.Cleanup(func() { <-turns })
	}
}

var alone sync.Mutex

func startChromium() (url string, err error) {
	home, err := os.MkdirTemp("", "hindcast-chromium")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { os.RemoveAll(home) })
	// Smooth edges would cost a machine without a GPU half of its time.
	cmd := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader",
		"--webgl-antialiasing-mode=none", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Join(home, "profile"), "--remote-debugging-port=0", "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("these tests need chromium: %w", err)
	}
	exited := make(chan struct{})
	said := make(chan string, 1)
	go func() {
		defer close(exited)
		said <- devtoolsAddress(stderr)
		_, _ = io.Copy(io.Discard, stderr) // or it would block on its own complaints
		_ = cmd.Wait()
	}()
	atEnd = append(atEnd, func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it and its children
		<-exited
	})
	select {
	case url := <-said:
		if !strings.HasPrefix(url, "ws://") {
			return "", fmt.Errorf("chromium does not start: %s", url)
		}
		return url, nil
	case <-time.After(patience):
		return "", errors.New("chromium does not say where its DevTools are")
	}
}

// devtoolsAddress reads what Chromium says up to the address; where it says
// none, all it said.
func devtoolsAddress(stderr io.Reader) string {
	var all strings.Builder
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			return strings.TrimSpace(url)
		}
		all.WriteString(lines.Text() + "\n")
	}
	return all.String()
}
