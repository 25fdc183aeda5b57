//go:build external && unix

package main

import (
	"errors"
	"os/exec"
	"syscall"
	"testing"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

// TestBrowserSaysThatThePlayerWasKicked: the page says that the player was kicked, and why. So does the exit code.
func TestBrowserSaysThatThePlayerWasKicked(t *testing.T) {
	takeTurn(t)
	addr, kick := roomToKickIn(t)
	url, end := startProgram(t, t.TempDir(), "-name", "ada", addr)
	b := startBrowser(t)
	b.Open(url)
	b.WaitFor("window.hindcast.view?.tick > 0")
	kick(1, "rude <b>words</b>")
	b.WaitFor("document.getElementById('notice').innerText.includes('Kicked by the host: rude <b>words</b>')")
	var exit *exec.ExitError
	if err := end(syscall.Signal(0)); !errors.As(err, &exit) || exit.ExitCode() != int(cli.Network) {
		t.Errorf("the client ends with %v", err)
	}
}
