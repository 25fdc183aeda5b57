//go:build external && unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// attack plays in the page: it runs to the ball and with it to the goal at the right. From the middle of the other half it
// shoots, which takes a third of a second. steer gets the direction in which to run, kick whether to hold the button.
const attack = `((steer, kick) => {
	let since = 0; // when the kick began to charge
	clearInterval(window.playing);
	window.playing = setInterval(() => {
		const v = window.hindcast.view, ball = v.bodies.find((b) => b.class === 'Ball');
		const me = v.bodies.find((b) => b.owner === v.player && b.class === 'Player');
		if (!me) return;
		const has = Math.hypot(ball.x - me.x, ball.y - me.y) < 0.9, x = (has ? 19 : ball.x) - me.x, y = (has ? 0 : ball.y) - me.y;
		const far = Math.hypot(x, y) || 1;
		steer(x / far, y / far);
		since = has && me.x > 6 && (since || performance.now());
		kick(since > 0 && performance.now() - since < 250); // a slow machine comes here a few times a second
	}, 30);
	return 1;
})`

// byKeys and byPad are what attack gets.
const (
	byKeys = `(() => {
		const down = new Set(), hold = (key, code, on) => {
			if (down.has(key) === on) return;
			if (on) down.add(key); else down.delete(key);
			dispatchEvent(new KeyboardEvent(on ? 'keydown' : 'keyup', { key, code }));
		};
		return [(x, y) => {
			hold('d', 'KeyD', x > 0.3);
			hold('a', 'KeyA', x < -0.3);
			hold('w', 'KeyW', y > 0.3);
			hold('s', 'KeyS', y < -0.3);
		}, (on) => hold(' ', 'Space', on)];
	})()`
	byPad = `[(x, y) => { [window.pad.axes[0], window.pad.axes[1]] = [x, -y]; }, (on) => { window.pad.buttons[0].pressed = on; }]`
)

// dribbleByTouch drags the stick so that the player runs to the ball and with it into the goal at the right, until a
// condition holds.
func dribbleByTouch(t *testing.T, b *browser, until string) {
	t.Helper()
	at := b.middle(steerStick)
	b.touch("touchStart", at)
	for end := time.Now().Add(patience); ; {
		var to struct {
			X, Y float64
			Done bool
		}
		b.Eval(`new Promise((done) => setTimeout(() => {
			const v = window.hindcast.view, ball = v.bodies.find((b) => b.class === 'Ball'), me = `+ownBody+`;
			const has = me && Math.hypot(ball.x - me.x, ball.y - me.y) < 0.9;
			const x = me ? (has ? 19 : ball.x) - me.x : 0, y = me ? (has ? 0 : ball.y) - me.y : 0, far = Math.hypot(x, y) || 1;
			done({ X: x / far, Y: y / far, Done: Boolean(`+until+`) });
		}, 100))`, &to)
		if to.Done {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("never true by touch: %s", until)
		}
		b.touch("touchMove", [2]float64{at[0] + 60*to.X, at[1] - 60*to.Y})
	}
	b.touch("touchEnd")
}

// teamPixels returns, for each footballer, whether it is on the left, and how many pixels near it have about the colour of
// the red team, and of the blue one.
const teamPixels = `(() => {
	const { camera } = window.hindcast.arena, image = ` + pixels + `, near = Math.round(0.7 * camera.scale * camera.ratio);
	return window.hindcast.drawn.filter((b) => b.class === 'Player').map((b) => {
		let red = 0, blue = 0;
		const cx = Math.round(camera.left(b.x) * camera.ratio), cy = Math.round(camera.top(b.y) * camera.ratio);
		for (let y = cy - near; y < cy + near; y++) for (let x = cx - near; x < cx + near; x++) {
			const i = 4 * (y * image.width + x), [r, g, b] = image.data.subarray(i, i + 3);
			if (r > 200 && g < 130 && b < 130) red++;
			if (b > 200 && r < 130 && g > 120) blue++;
		}
		return [b.x < 0, red, blue];
	});
})()`

// TestBrowserWinsSoccer: against bots that stand still, a goal by keys turns 0 into 1 in the text. It is the last one
// of a match to 1, whose winner is said, and the next match begins. That one is won by pad alone, and the third one by
// touch alone. The teams have their colours, the kick is seen and heard, and Tab lists five columns.
func TestBrowserWinsSoccer(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../scripts/soccer")); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "game.lua"), "MATCH, GOALS = 180, 5", "MATCH, GOALS = 180, 1")
	edit(t, filepath.Join(dir, "game.lua"), "over and 6 or 0.8", "over and 2 or 0.8")
	edit(t, filepath.Join(dir, "player_think.lua"), "function Player:think()", "function Player:think()\n  do return {} end")
	const row, over = `document.querySelector(".place.top .row")?.innerText.trim()`, `document.querySelector('.banner')?.innerText.startsWith('Red wins 1 : 0')`
	const begins, scored = "/^0\\n[0-3]:[0-9]{2}\\n0$/.test(" + row + ")", "/^1\\n[0-3]:[0-9]{2}\\n0$/.test(" + row + ")"
	b := startBrowser(t)
	b.Open(startAsking(t, startHost(t, dir)))
	b.WaitFor("!document.getElementById('start').hidden && document.querySelector('[data-answer=\"team=Red\"]')")
	b.Eval("(() => { document.querySelector('[data-answer=\"team=Red\"]').click(); return 1; })()", new(int))
	b.Click("play")
	b.WaitFor(ownBody + " !== undefined && " + begins)
	b.WaitFor("(() => { const all = " + teamPixels + "; return all.length === 4 && all.every(([left, red, blue]) => left ? red > 30 && blue === 0 : blue > 30 && red === 0); })()")

	b.Press("x") // a page may be heard after the first key
	b.Release("x")
	b.WaitFor("window.hindcast.effects.sounds.context?.state === 'running'")
	b.Eval(`(() => { // a kick's effects may be over before a slow machine draws another frame: they are drawn at once, too
		const { effects, arena } = window.hindcast, take = effects.take, start = AudioScheduledSourceNode.prototype.start;
		window.kick = { sounds: 0, pixels: 0 };
		AudioScheduledSourceNode.prototype.start = function (...args) {
			if (this.type === 'triangle') window.kick.sounds++;
			return start.apply(this, args);
		};
		effects.take = function (cue, now) {
			take.call(this, cue, now);
			const shown = this.cues.get(cue.key)?.effects;
			if (cue.what !== 'fired' || !shown || !cue.effects.some((e) => e.wave === 'triangle')) return;
			const screen = document.getElementById('arena'), look = () => {
				const paper = new OffscreenCanvas(screen.width, screen.height).getContext('2d');
				paper.drawImage(screen, 0, 0);
				return paper.getImageData(0, 0, screen.width, screen.height).data;
			};
			const before = look();
			for (const effect of shown) this.drawOne(arena, effect, 0.1);
			arena.scene?.flush();
			window.kick.pixels = Math.max(window.kick.pixels, look().filter((v, i) => v !== before[i]).length);
		};
		return 1;
	})()`, new(int))
	b.Press("Tab")
	b.WaitFor("[...document.querySelectorAll('#players tr:first-child > *')].map((e) => e.innerText).join() === 'name,goals,passes,steals,ping'")
	b.Eval(`(() => { // what is shown for a few seconds only is noted, because a busy machine may ask too late
		const shows = {
			scored: () => `+scored+`, over: () => `+over+`,
			said: () => / scores for Red$/.test(document.querySelector('.place.topRight .lines').innerText.trim()),
			counted: () => document.querySelectorAll('#players .you > *')[1].innerText === '1',
		};
		window.seen = {};
		new MutationObserver(() => {
			for (const [what, is] of Object.entries(shows)) window.seen[what] ||= is();
		}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
		return 1;
	})()`, new(int))
	b.Eval("("+attack+")(..."+byKeys+")", new(int))
	b.WaitFor("window.kick.sounds > 0 && window.kick.pixels > 50")
	b.WaitFor("window.seen.scored && window.seen.said && window.seen.counted && window.seen.over")
	b.Release("Tab")
	shot(b, "soccer-won.png")
	b.Eval("(() => { clearInterval(window.playing); return 1; })()", new(int))

	b.WaitFor(begins)
	b.Eval("(dispatchEvent(new Event('blur')), 1)", new(int)) // lets all keys go
	plug(b)
	b.Eval("(window.seen = {}, 1)", new(int))
	b.Eval("("+attack+")(..."+byPad+")", new(int))
	b.WaitFor("window.seen.scored")
	b.Eval("(() => { clearInterval(window.playing); window.pad = null; return 1; })()", new(int))

	b.do("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true, "maxTouchPoints": 5}, nil)
	b.Size(390, 844, 2)
	b.WaitFor(begins)
	tap(b, "document.getElementById('arena')")
	b.WaitFor("!document.getElementById('touch').hidden")
	b.Eval("(window.seen = {}, 1)", new(int))
	dribbleByTouch(t, b, "window.seen.scored")
	b.WaitFor("window.seen.over")
	shot(b, "soccer-won-phone.png")
}

// TestBrowserPlaysSoccer plays the built-in game on a line with loss: the player gets a footballer, the
// HUD has score, clock and names, the camera follows, and the footballer runs with the keys.
func TestBrowserPlaysSoccer(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
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
	b.WaitFor("document.getElementById('start-note').innerText.includes('lantern')") // what to do, in a line
	b.WaitFor("[...document.querySelectorAll('#games button')].map((e) => e.innerText).join() === 'Arena,Soccer'")
	b.WaitFor("window.hindcast.view.bodies.length > 0 && window.hindcast.view.bodies.every((b) => b.class !== 'Ball')")
	b.Click("play")
	b.WaitFor(ownBody + "?.class === 'Runner'")
}
