//go:build external && unix

package main

import "testing"

// TestBrowserStaysInTheSafeArea: on a phone that is held sideways, bars, controls and the arena keep away from the
// parts of the window that its screen does not show.
func TestBrowserStaysInTheSafeArea(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.do("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true, "maxTouchPoints": 5}, nil)
	b.Size(844, 390, 2)
	b.do("Emulation.setSafeAreaInsetsOverride", map[string]any{"insets": map[string]int{"top": 0, "left": 44, "right": 44, "bottom": 21}}, nil)
	b.Open(startClient(t, startHost(t, "grapple")))
	b.WaitFor("window.hindcast.view?.tick > 10 && " + ownBody + " !== undefined")
	tap(b, "document.getElementById('arena')")
	b.WaitFor("!document.getElementById('touch').hidden && window.hindcast.arena.camera.free.left > 44")
	expectFit(t, b)
	shot(b, "safe-area.png")
	b.Eval(`(() => {
		for (const e of document.querySelectorAll('#touch .stick, #touch button, .title strong, #open-menu, #open-chat')) {
			const r = e.getBoundingClientRect();
			if (r.left < 44 || r.right > innerWidth - 44 || r.bottom > innerHeight - 21) throw Error((e.id || e.className || e.innerText) + ' is outside of the safe area');
		}
		return 1;
	})()`, new(int))
}
