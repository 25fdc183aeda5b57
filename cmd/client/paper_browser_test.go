//go:build external && unix

package main

import "testing"

// TestBrowserPlaysWithoutWebGL: a browser that has no WebGL2 draws on a plain canvas: pitch, footballers in the colours of
// their teams, and the picture of the ball.
func TestBrowserPlaysWithoutWebGL(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Sharp(1280, 800, 1)
	b.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `{
		const get = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (kind, ...args) { return kind === 'webgl2' ? null : get.call(this, kind, ...args); };
	}`}, nil)
	b.Open(startClient(t, startHost(t, "soccer")))
	b.WaitFor(ownBody + " !== undefined && window.hindcast.arena.scene?.renderer === 'canvas' && document.getElementById('notice').hidden")
	b.WaitFor("(() => { const all = " + teamPixels + "; return all.length === 4 && all.filter(([, red]) => red > 30).length === 2 && all.filter(([,, blue]) => blue > 30).length === 2; })()")
	b.WaitFor("window.hindcast.arena.scene.sprites.shown === 2") // the ball, and the circle in the middle
	b.WaitFor(`(() => { // the ball is white where it is drawn
		const { camera } = window.hindcast.arena, image = ` + pixels + `, ball = window.hindcast.drawn.find((b) => b.class === 'Ball');
		const x = Math.round(camera.left(ball.x) * camera.ratio), y = Math.round(camera.top(ball.y) * camera.ratio);
		let white = 0;
		for (let dy = -8; dy <= 8; dy++) for (let dx = -8; dx <= 8; dx++) {
			const i = 4 * ((y + dy) * image.width + x + dx);
			if (image.data[i] > 200 && image.data[i + 1] > 200 && image.data[i + 2] > 200) white++;
		}
		return white > 30;
	})()`)
	b.Eval("window.before = "+ownBody+".x, 1", new(int))
	b.Press("a")
	b.WaitFor(ownBody + ".x < window.before - 2")
	shot(b, "soccer-canvas.png")
	b.Release("a")
}
