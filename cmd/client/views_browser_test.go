//go:build external && unix

package main

import (
	"fmt"
	"testing"
)

// TestBrowserShowsPlayersSideBySide: one program shows four players on one page; the keys go to the one that was
// clicked, and only the first is heard.
func TestBrowserShowsPlayersSideBySide(t *testing.T) {
	takeTurn(t)
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
	for _, i := range []int{2, 0} {
		b.Eval(fmt.Sprintf("%s.focus(), window.before = [0, 1, 2, 3].map((i) => { const v = window.frames[i].hindcast.view; return v.bodies.find((b) => b.owner === v.player && b.class === 'Ship').angle; }), 1", frame(i)), new(int))
		b.Press("ArrowLeft")
		b.WaitFor(fmt.Sprintf("Math.abs(%s.angle - window.before[%d]) > 0.5", ship(i), i))
		b.Release("ArrowLeft")
	}
	shot(b, "views.png")
	// Another key counts on all pages.
	key := func(i int) string {
		return fmt.Sprintf("[...%s.document.querySelectorAll('#bindings tr')].find((r) => r.textContent.includes('turn left')).querySelector('button')", frame(i))
	}
	for bound, tries := false, 0; !bound; tries++ { // on a machine that is busy, the focus may come to the frame after the key
		if tries == 20 {
			t.Fatal("the key k is bound to nothing")
		}
		b.Eval(frame(0)+".focus(), "+key(0)+".click(), 1", new(int))
		b.Press("k")
		b.Release("k")
		b.Eval(fmt.Sprintf("new Promise((done) => setTimeout(() => done(%s.textContent === 'K'), 1000 * %d))", key(0), min(tries, 5)), &bound)
	}
	for i := range 4 {
		b.WaitFor(key(i) + ".textContent === 'K'")
	}
	b.Size(390, 844, 2)
	shot(b, "views-phone.png")
}
