//go:build external && unix

package main

import (
	"strings"
	"testing"
)

// TestBrowserNeedsTheToken: a page that other machines can reach is played by those who have its whole address. The
// token leaves the address bar, and the tab keeps it for the next time. Without it the page says what to do.
func TestBrowserNeedsTheToken(t *testing.T) {
	takeTurn(t)
	address := startClient(t, "-http", "0.0.0.0:0")
	plain, token, _ := strings.Cut(address, "#")
	if len(token) < 26 || !strings.HasPrefix(plain, "http://127.0.0.1:") {
		t.Fatalf("the address is %s", address)
	}
	b := startBrowser(t)
	b.Open(plain)
	b.WaitFor("document.getElementById('notice').innerText.includes('This page needs its token')")
	shot(b, "token.png")
	b.Open("about:blank") // another fragment alone loads nothing
	b.Open(plain + "#wrong")
	b.WaitFor("document.getElementById('notice').innerText.includes('This page needs its token')")

	other := startBrowser(t)
	other.Open(address)
	other.WaitFor("window.hindcast.view?.tick > 10 && location.hash === ''")
	other.Open("about:blank")
	other.Open(plain)
	other.WaitFor("window.hindcast?.view?.tick > 10 && document.getElementById('notice').hidden")
}
