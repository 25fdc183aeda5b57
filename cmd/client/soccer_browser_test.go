//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// edit replaces text in a file, which must have it.
func edit(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), from) {
		t.Fatalf("%s has no %q: %v", path, from, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// dribble runs to the ball and with it into the goal at the right, by keys.
const dribble = `(() => {
	const held = new Set(), hold = (key, on) => {
		if (held.has(key) === on) return;
		if (on) held.add(key); else held.delete(key);
		dispatchEvent(new KeyboardEvent(on ? 'keydown' : 'keyup', { key, code: 'Key' + key.toUpperCase() }));
	};
	setInterval(() => {
		const v = window.hindcast.view, ball = v.bodies.find((b) => b.class === 'Ball');
		const me = v.bodies.find((b) => b.owner === v.player && b.class === 'Player');
		if (!me) return;
		const has = Math.hypot(ball.x - me.x, ball.y - me.y) < 0.9, x = (has ? 19 : ball.x) - me.x, y = (has ? 0 : ball.y) - me.y;
		hold('d', x > 0.3);
		hold('a', x < -0.3);
		hold('w', y > 0.3);
		hold('s', y < -0.3);
	}, 30);
	return 1;
})()`

// TestBrowserWinsSoccer: against bots that stand still, a goal by keys turns 0 into 1 in the text. It is the last one
// of a match to 1, whose winner is said, and the next match begins.
func TestBrowserWinsSoccer(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../scripts/soccer")); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "game.lua"), "MATCH, GOALS = 180, 5", "MATCH, GOALS = 180, 1")
	edit(t, filepath.Join(dir, "player_think.lua"), "function Player:think()", "function Player:think()\n  do return {} end")
	const score = `document.querySelector(".place.top .row")?.innerText.trim()`
	b := startBrowser(t)
	b.Size(1280, 800, 1)
	b.Open(startAsking(t, startHost(t, dir)))
	b.WaitFor("!document.getElementById('start').hidden && document.querySelector('[data-answer=\"team=Red\"]')")
	b.Eval("(() => { document.querySelector('[data-answer=\"team=Red\"]').click(); return 1; })()", new(int))
	b.Click("play")
	b.WaitFor(ownBody + " !== undefined && /^0\\n[0-3]:[0-9]{2}\\n0$/.test(" + score + ")")
	b.Eval(dribble, new(int))
	b.WaitFor("/^1\\n[0-3]:[0-9]{2}\\n0$/.test(" + score + ")")
	b.WaitFor("document.querySelector('.banner')?.innerText.startsWith('Red wins 1 : 0')")
	b.WaitFor("/ scores for Red$/.test(document.querySelector('.place.topRight .lines').innerText.trim())")
	shot(b, "soccer-won.png")
	b.WaitFor("/^0\\n[0-3]:[0-9]{2}\\n0$/.test(" + score + ")")
}

// TestBrowserPlaysSoccer plays the built-in game on a line with loss: the player gets a footballer, the
// HUD has score, clock and names, the camera follows, and the footballer runs with the keys.
func TestBrowserPlaysSoccer(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Size(1280, 800, 1)
	b.Open(startClient(t, "-net", "delay=60ms,loss=3%", startHost(t, "soccer")))
	const mine = `(() => { const v = window.hindcast.view; return v?.bodies.find((b) => b.owner === v.player && b.class === "Player"); })()`
	b.WaitFor(mine + " !== undefined")
	b.WaitFor(`/^[0-9]\n[0-3]:[0-9]{2}\n[0-9]$/.test(document.querySelector(".place.top .row")?.innerText.trim() ?? "")`)
	b.WaitFor(`document.querySelector(".place.bottomLeft canvas") !== null && window.hindcast.arena.camera.scale > 25`)
	b.WaitFor("window.hindcast.widgets.tagged.size === 1 && window.hindcast.arena.named === 0") // a name is drawn once
	b.WaitFor("window.hindcast.assets.images.get('ball.svg')?.image")
	b.Eval("window.before = "+mine+".x, 1", new(int))
	b.Press("d")
	b.WaitFor("window.hindcast.view.tick > 240 && " + mine + ".x > window.before + 3")
	shot(b, "soccer.png")
	b.Release("d")
	b.Press("Tab")
	b.WaitFor("document.getElementById('scores').innerText.includes('steals') && document.querySelector('#players .you td').innerText === 'ada'")
	shot(b, "soccer-scores.png")
	b.Release("Tab")
	b.Size(390, 844, 3)
	b.WaitFor("window.hindcast.arena.camera.width === 390")
	shot(b, "soccer-phone.png")
	b.Eval(panel+".hidden = false, document.getElementById('error-list').innerText = 'player.lua:24 Player has no field or method shield: declare a field in state Player:tick, object 9801395f3dc2f093, tick 92, paused until tick 152 (for 1 s)', 1", new(int))
	b.WaitFor(panel + ".getBoundingClientRect().top >= document.querySelector('.place.top .row').getBoundingClientRect().bottom")
	shot(b, "soccer-phone-error.png")
}

// TestBrowserExplainsSoccer: the start screen says what to do and how, in words, and the player knows which goal to
// shoot at.
func TestBrowserExplainsSoccer(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Size(1280, 800, 1)
	b.Open(startAsking(t, "soccer"))
	b.WaitFor("!document.getElementById('start').hidden && document.getElementById('start-note').innerText.includes('goal of the other team')")
	b.WaitFor("document.querySelector('#help li').innerText.replace(/\\s+/g, ' ').trim() === 'W A S D ↑ ← ↓ → move'")
	b.WaitFor("!document.body.innerText.includes('Rewinds')")
	b.Press("F3")
	b.Release("F3")
	b.WaitFor("document.body.innerText.includes('Rewinds')")
	b.Press("F3")
	b.Release("F3")
	b.WaitFor("!document.body.innerText.includes('Rewinds')")
	shot(b, "soccer-start.png")
	b.Eval("(() => { document.querySelector('[data-answer=\"team=Red\"]').click(); return 1; })()", new(int))
	b.Click("play")
	b.WaitFor("document.querySelector('.place.top')?.innerText.includes('blue goal, on the right')")
	b.WaitFor(`(() => { const nets = window.hindcast.drawn.filter((b) => b.class === "Net"); return nets.length === 2; })()`)
	shot(b, "soccer-first.png")
	b.Size(390, 844, 2)
	b.WaitFor("window.hindcast.arena.camera.width === 390")
	shot(b, "soccer-first-phone.png")
}

// TestBrowserOffersGames: without a word the client plays soccer, and the start screen offers the other games, which
// begin at once.
func TestBrowserOffersGames(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Size(390, 844, 2)
	b.Open(startAsking(t))
	b.WaitFor("!document.getElementById('start').hidden && document.getElementById('start-game').innerText === 'Soccer'")
	b.WaitFor("[...document.querySelectorAll('#games button')].map((e) => e.innerText).join() === 'Arena,Grapple'")
	shot(b, "games.png")
	b.Eval("(() => { document.querySelectorAll('#games button')[1].click(); return 1; })()", new(int))
	b.WaitFor("!document.getElementById('start').hidden && document.getElementById('start-game').innerText === 'Grapple'")
	b.WaitFor("[...document.querySelectorAll('#games button')].map((e) => e.innerText).join() === 'Arena,Soccer'")
	b.WaitFor("window.hindcast.view.bodies.length > 0 && window.hindcast.view.bodies.every((b) => b.class !== 'Ball')")
	b.Click("play")
	b.WaitFor(ownBody + "?.class === 'Runner'")
}
