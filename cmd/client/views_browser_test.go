//go:build external && unix

package main

import (
	"fmt"
	"testing"
)

// TestBrowserShowsPlayersSideBySide: one program shows four players on one page; the keys go to the one that was
// clicked, and only the first is heard.
func TestBrowserShowsPlayersSideBySide(t *testing.T) {
	takeAllTurns(t)
	b := startBrowser(t)
	b.Open(startClient(t, "-views", "4", "-net", "lan", startHost(t, "arena")))
	frame := func(i int) string { return fmt.Sprintf("window.frames[%d]", i) }
	ship := func(i int) string {
		return fmt.Sprintf("(() => { const v = %s.hindcast?.view; return v?.bodies.find((b) => b.owner === v.player && b.class === 'Ship'); })()", frame(i))
	}
	for i := range 4 {
		b.WaitFor(ship(i) + " !== undefined")
	}
	var players int
	b.Eval("new Set([0, 1, 2, 3].map((i) => window.frames[i].hindcast.view.player)).size", &players)
	if players != 4 {
		t.Errorf("%d players on 4 pages", players)
	}
	// A key that goes down before the focus has come to the frame is lost: after 60 displayed frames it goes down again.
	pressUntil := func(i int, key, before, js string) {
		for done, tries := false, 1; !done; tries++ {
			if tries > 20 {
				t.Fatalf("the key %q does not lead to %s", key, js)
			}
			b.Eval(fmt.Sprintf("%s.focus(), window.looks = 0, %s, 1", frame(i), before), new(int))
			b.Press(key)
			b.WaitFor("++window.looks > 60 || (" + js + ")")
			b.Release(key)
			b.Eval("(() => { try { return Boolean("+js+"); } catch { return false; } })()", &done)
		}
	}
	for _, i := range []int{2, 0} {
		pressUntil(i, "ArrowLeft", "window.before = "+ship(i)+".angle", "Math.abs("+ship(i)+".angle - window.before) > 0.5")
	}
	shot(b, "views.png")
	// Another key counts on all pages.
	key := func(i int) string {
		return fmt.Sprintf("[...%s.document.querySelectorAll('#bindings tr')].find((r) => r.textContent.includes('turn left')).querySelector('button')", frame(i))
	}
	pressUntil(0, "k", key(0)+".click()", key(0)+".textContent === 'K'")
	for i := range 4 {
		b.WaitFor(key(i) + ".textContent === 'K'")
	}
	b.Size(390, 844, 2)
	shot(b, "views-phone.png")
}
