//go:build external && unix

package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// square returns a png of one colour.
func square(t *testing.T, c color.Color) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 32, 32))
	for i := range 32 * 32 {
		m.Set(i%32, i/32, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// undecodable returns a font that has a right header and nothing else.
func undecodable() []byte {
	b := make([]byte, 64)
	copy(b, "wOF2")
	binary.BigEndian.PutUint32(b[8:], uint32(len(b)))
	return b
}

// tone returns a wav of a second.
func tone() []byte {
	const rate = 8000
	b := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, 36+rate)...)
	b = append(b, "WAVEfmt "...)
	for _, v := range []any{uint32(16), uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8)} {
		b, _ = binary.Append(b, binary.LittleEndian, v)
	}
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), rate)
	for i := range rate {
		b = append(b, byte(128+100*(i/8%2)))
	}
	return b
}

// hostileSVG tries to run a script, to load from elsewhere, and to say so to its opener.
const hostileSVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" onload="document.title='loaded'">
<script>document.title = 'script'; parent.pwned = true; fetch('/pwned')</script>
<image xlink:href="/pwned.png" href="/pwned.png" width="10" height="10"/>
<rect width="40" height="40" fill="#00ff00"/></svg>`

// write writes the files of a game.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// count returns JavaScript that counts the pixels of a colour: each condition is about r, g or b.
func count(condition string) string {
	return `(() => {
		const d = (` + pixels + `).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) { const r = d[i], g = d[i + 1], b = d[i + 2]; if (` + condition + `) n++; }
		return n;
	})()`
}

// hostile says that the next page may try what the browser refuses. The channel gets each refusal.
func (b *browser) hostile() <-chan string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused = make(chan string, 100)
	return b.refused
}

// TestBrowserShowsAssets plays a game with pictures, a tile map, a sound and a hostile drawing. A picture that is
// edited on the disk is seen without a reload, and no bundle event comes of it.
func TestBrowserShowsAssets(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	game := `
Ship = object "Ship" { input = { Fire = "bool" }, body = { shape = { circle = 1 }, type = "static" }, look = { image = "ship.png", w = 4, h = 4, color = "#123456" } }
Bad = object "Bad" { body = { shape = { circle = 1 }, type = "static" }, look = { image = "bad.svg", w = 4 } }
function Ship:applyInput(input) if input:pressed("Fire") then cue("fire", { x = 0, y = 0 }) end end
Odd = object "Odd" { state = { paint = str(8) }, body = { shape = { circle = 1 }, type = "static" }, look = { color = "{paint}" } }
function onStart() spawn("Bad", { x = -10 }) spawn("Odd", { x = -14, y = 9, paint = "blu" }) end
function onJoin(p) spawn("Ship", { owner = p }) end`
	write(t, dir, map[string]string{
		"game.toml": "name = \"pictures\"\n[arena]\nwidth = 40\nheight = 24\n",
		"game.lua":  game,
		"view.lua": `
tiles { image = "tiles.png", keys = "#", size = 2, grid = { "#" }, x = 8, y = -6 }
onCue("fire", function(c) sound { file = "shot.wav", x = c.x, y = c.y } end)
font("no.woff2")
hud(function(v) text { "hello" } end)`,
		"assets/ship.png":  string(square(t, color.RGBA{255, 0, 0, 255})),
		"assets/tiles.png": string(square(t, color.RGBA{0, 0, 255, 255})),
		"assets/bad.svg":   hostileSVG,
		"assets/named.svg": `<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://example.com/" width="300" height="200" x:width="1" x:height="1"/>`,
		"assets/box.svg":   `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 40"><rect width="30" height="40"/></svg>`,
		"assets/shot.wav":  string(tone()),
	})
	b := startBrowser(t)
	url := startClient(t, startHost(t, dir))
	b.Open(url)
	b.WaitFor(count("r > 240 && g < 20 && b < 20") + " > 1000")
	b.WaitFor(count("b > 240 && g < 20 && r < 20") + " > 500")
	b.WaitFor(count("g > 240 && r < 20 && b < 20") + " > 1000")
	testSizes(t, b)
	b.WaitFor("document.getElementById('error-list').textContent.includes('Odd look.color is \"blu\", which is no colour')")
	write(t, dir, map[string]string{"game.lua": game + "\nfunction Odd:tick() self.paint = \"blue\" end\n"})
	b.WaitFor("!document.getElementById('error-list').textContent.includes('no colour')")
	b.Press(" ")
	b.WaitFor("window.hindcast.effects.sounds.heard === 1")
	b.Release(" ")
	shot(b, "assets.png")
	// A sound that comes late begins where it would be by now; one that is over by then is not heard.
	b.Eval(`(() => { const s = window.hindcast.effects.sounds; s.play("late", { file: "shot.wav", volume: 0.1, ms: 120 }, 400); const { audio } = s.playing.get("late")[0]; audio.ontimeupdate = () => { window.least = Math.min(window.least ?? 9, audio.currentTime || 9); }; s.play("over", { file: "shot.wav", volume: 0.1, ms: 120 }, 4000); return 1; })()`, new(int))
	b.WaitFor("window.least >= 0.4 && window.least < 9") // the least time that it has reported
	b.WaitFor("window.hindcast.effects.sounds.count === 0")

	// Two tile maps are laid out once each.
	b.Eval(`(() => { const m = { image: "tiles.png", x: 0, y: 6, size: 1, columns: 1 }; window.hindcast.arena.tiles = [{ ...m, cells: [[0, 0]] }, { ...m, y: 8, cells: [[0]] }]; return 1; })()`, new(int))
	b.WaitFor("window.hindcast.arena.scene.sprites.sent === 3 && window.hindcast.arena.scene.sprites.laid.size === 2")
	b.Eval("new Promise((done) => { let n = 10; const next = () => (n-- ? requestAnimationFrame(next) : done(1)); next(); })", new(int))
	b.WaitFor("window.hindcast.arena.scene.sprites.sent === 3")
	b.Eval("(() => { window.same = true; return 1; })()", new(int))
	write(t, dir, map[string]string{"assets/ship.png": string(square(t, color.RGBA{255, 0, 255, 255}))})
	b.WaitFor(count("r > 240 && g < 20 && b > 240") + " > 1000")
	b.WaitFor("window.same === true") // the page was not loaded again
	if err := os.Remove(filepath.Join(dir, "assets", "ship.png")); err != nil {
		t.Fatal(err)
	}
	b.WaitFor(count("r > 240 && g < 20 && b > 240") + " === 0") // the placeholder
	write(t, dir, map[string]string{"assets/no.woff2": string(undecodable())})
	b.WaitFor("document.getElementById('error-list').textContent.includes('assets/no.woff2 the browser cannot decode it')")
	shot(b, "undecodable.png")
	if err := os.Remove(filepath.Join(dir, "assets", "no.woff2")); err != nil {
		t.Fatal(err)
	}
	b.WaitFor("!document.getElementById('error-list').textContent.includes('cannot decode')")
	b.WaitFor("window.pwned === undefined && document.title !== 'script'")

	// The drawing by itself, as somebody might open it.
	var address string
	b.Eval("window.hindcast.assets.url('bad.svg')", &address)
	answer, err := http.Get(url + address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	for key, want := range map[string]string{"Content-Type": "image/svg+xml", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "sandbox; default-src 'none'", "Cache-Control": "private, max-age=31536000, immutable"} {
		if got := answer.Header.Get(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if string(body) != hostileSVG || !strings.HasPrefix(address, "asset/") {
		t.Errorf("%s: %d bytes", address, len(body))
	}
	refused := b.hostile()
	b.do("Page.navigate", map[string]any{"url": url + address}, nil)
	for script, load := false, false; !script || !load; {
		select {
		case text := <-refused:
			script = script || strings.Contains(text, "Blocked script execution")
			load = load || strings.Contains(text, "pwned.png")
		case <-time.After(patience):
			t.Fatal("the browser has refused neither the script nor the load of the drawing")
		}
	}
	var title string
	b.Eval("document.title", &title)
	if title != "" {
		t.Errorf("a script of the drawing has run: %q", title)
	}
}

// testSizes tests that drawings have the sizes that asset.Inspect has found, and that the page shows no image that is too large,
// alone or with the others.
func testSizes(t *testing.T, b *browser) {
	for _, size := range []string{"named.svg 300 200", "box.svg 113 150"} {
		name, _, _ := strings.Cut(size, " ")
		b.WaitFor(`(() => { const i = window.hindcast.assets.image("` + name + `"); return i && "` + name + ` " + i.width + " " + i.height === "` + size + `" })()`)
	}
	var shown []bool
	b.Eval(`(() => {
		const { assets } = window.hindcast, Assets = assets.constructor, one = new Assets();
		const show = (name, naturalWidth, naturalHeight) => {
			const entry = {};
			one.images.set(name, entry);
			one.show(entry, Object.assign(document.createElement('canvas'), { naturalWidth, naturalHeight }), name);
			return entry.image !== null;
		};
		return [show('wide.png', 4097, 1), show('a.png', 4096, 4095), show('b.png', 65, 64), show('c.png', 64, 64)];
	})()`, &shown)
	if want := []bool{false, true, false, true}; !slices.Equal(shown, want) {
		t.Errorf("images shown: %v, want %v", shown, want)
	}
}
