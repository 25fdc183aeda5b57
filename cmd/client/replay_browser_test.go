//go:build external && unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBrowserScrubsAReplay records a room, and goes through the replay as a
// person would: by the address, the slider, the keys and the play button.
func TestBrowserScrubsAReplay(t *testing.T) {
	takeTurn(t)
	host := filepath.Join(buildHost(t), "host")
	file := filepath.Join(t.TempDir(), "m.replay")
	record(t, host, file)
	b := startBrowser(t)
	url := startReplay(t, host, file, "100")
	b.Open(url)
	shows := func(tick string) {
		t.Helper()
		b.WaitFor(`document.getElementById("status").textContent.startsWith("tick ` + tick + ` of ")`)
	}
	shows("100")
	const where = `document.querySelector("#bodies tbody").textContent`
	var at100, again string
	b.Eval(where, &at100)
	b.Eval(`(() => { const s = document.getElementById("scrub"); s.value = 30; s.dispatchEvent(new Event("input")); return 1; })()`, new(int))
	shows("30")
	b.Press("ArrowRight")
	b.Release("ArrowRight")
	shows("31")
	b.Eval(`(() => { const n = document.getElementById("tick"); n.value = 100; n.dispatchEvent(new Event("input")); return location.search; })()`, &again)
	shows("100")
	if again != "?tick=100" {
		t.Errorf("the address says %q", again)
	}
	b.Eval(where, &again)
	shown := again
	b.Open(strings.Replace(url, "?", "?look=first&", 1))
	shows("100")
	b.Press("ArrowRight")
	b.Release("ArrowRight")
	shows("101")
	if b.Eval("location.search", &again); again != "?look=first&tick=101" {
		t.Errorf("the address says %q", again)
	}
	again = shown
	if at100 == "" || again != at100 {
		t.Errorf("tick 100 shows\n%s\nand later\n%s", at100, again)
	}
	b.Eval(`(() => { document.getElementById("play").click(); return 1; })()`, new(int))
	b.WaitFor(`document.getElementById("play").textContent === "play" && document.getElementById("tick").value === document.getElementById("tick").max`)
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "replay.png"))
	}
}

// TestBrowserDrawsAReplayAsTheGame records a game: the page draws looks, labels and bars as the game page
// does, and the effects of cues of the ticks that it plays.
func TestBrowserDrawsAReplayAsTheGame(t *testing.T) {
	takeTurn(t)
	host := filepath.Join(buildHost(t), "host")
	game, file := t.TempDir(), filepath.Join(t.TempDir(), "m.replay")
	for name, text := range map[string]string{
		"game.toml": "name = \"blink\"\n",
		"game.lua": `
Tank = object "Tank" {
  state = { level = { "number", min = 0, max = 200, default = 50 }, paint = str(8, "#00ff00") },
  look = { shape = "square", label = "{level} l", bar = "level", color = "{paint}" }, body = { shape = { circle = 2 } },
}
function Tank:tick() if tickNumber() == 60 then self.level = 100 self:setVelocity(3, 0) end end
function onStart() spawn("Tank", { x = -10 }) end
function tick() if tickNumber() % 20 == 0 then cue("blink", { x = 0, y = 0 }) end end`,
		"view.lua": "onCue(\"blink\", function(c) flash { x = c.x, y = c.y, size = 8, ms = 2000, color = \"#f0f\" } sound {} end)\n",
	} {
		if err := os.WriteFile(filepath.Join(game, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	record(t, host, file, game)
	b := startBrowser(t)
	b.Open(startReplay(t, host, file, "100"))
	const play = `(() => { document.getElementById("play").click(); return 1; })()`
	b.WaitFor(`document.getElementById("status").textContent.startsWith("tick 100 of ")`)
	var seen int
	if b.Eval("hindcast.effects.taken", &seen); seen != 0 {
		t.Errorf("a jump shows %d cues", seen)
	}
	const tank = `(() => { const t = hindcast.drawn.find((b) => b.class === "Tank"); return [t.label, t.bar, t.kind.color, t.kind.shape, t.x.toFixed(2)].join(" "); })()`
	b.WaitFor(tank + ` === "100 l 0.5 #00ff00 square -7.95"`)
	b.WaitFor(`(() => { const d = (` + pixels + `).data; let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] < 90 && d[i + 1] > 200 && d[i + 2] < 90) n++; return n; })() > 100`)
	const tick30 = `(() => { const s = document.getElementById("scrub"); s.value = 30; s.dispatchEvent(new Event("input")); return 1; })()`
	b.Eval(tick30, new(int))
	b.WaitFor(tank + ` === "50 l 0.25 #00ff00 square -10.00"`)
	b.Eval(play, new(int))
	b.WaitFor("hindcast.effects.taken >= 3 && hindcast.effects.cues.size > 0")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "replay_cues.png"))
	}
	b.WaitFor(`document.getElementById("play").textContent === "play"`) // at the end
}

// TestBrowserShowsEditedWallsInAReplay: walls that were edited while a replay was recorded stand in it from the tick of
// the edit on, and not before.
func TestBrowserShowsEditedWallsInAReplay(t *testing.T) {
	takeTurn(t)
	host := filepath.Join(buildHost(t), "host")
	game, file := t.TempDir(), filepath.Join(t.TempDir(), "m.replay")
	write(t, game, map[string]string{"game.toml": "name = \"walls\"\n[[wall]]\nx = 3\nw = 1\nh = 4\n", "game.lua": "-- no rules"})
	hashes := file + ".hashes"
	cmd := exec.Command(host, "-listen", "127.0.0.1:0", "-http", "", "-record", file, "-hashes", hashes, game)
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	confirmed := func(ticks int) bool {
		return await(func() bool {
			text, _ := os.ReadFile(hashes)
			return bytes.Count(text, []byte("\n")) >= ticks
		})
	}
	begun := confirmed(5)
	write(t, game, map[string]string{"game.toml": "name = \"walls\"\n[[wall]]\nx = -3\nw = 1\nh = 4\n[[wall]]\nx = -6\nw = 1\nh = 4\n"})
	played := confirmed(240)
	_ = cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil || !begun || !played {
		t.Fatalf("begun: %v, played: %v, %v", begun, played, err)
	}
	b := startBrowser(t)
	b.Open(startReplay(t, host, file, "230"))
	b.WaitFor(`document.getElementById("status").textContent.startsWith("tick 230 of ")`)
	const walls = `hindcast.drawn.filter((b) => b.class === "Wall").map((b) => b.x).sort().join(" ")`
	b.WaitFor(walls + ` === "-3 -6"`)
	shot(b, "replay-walls.png")
	b.Eval(`(() => { const s = document.getElementById("scrub"); s.value = 3; s.dispatchEvent(new Event("input")); return 1; })()`, new(int))
	b.WaitFor(walls + ` === "3"`)
}

// record records a match without players, of 200 ticks at least.
func record(t *testing.T, host, file string, game ...string) {
	t.Helper()
	hashes := file + ".hashes"
	var log bytes.Buffer
	cmd := exec.Command(host, append([]string{"-listen", "127.0.0.1:0", "-http", "", "-record", file, "-hashes", hashes}, game...)...)
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	played := await(func() bool {
		text, _ := os.ReadFile(hashes) // the host may not have opened it yet
		return bytes.Count(text, []byte("\n")) >= 200
	})
	_ = cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); err != nil || !played {
		t.Fatalf("played: %v, %v\n%s", played, err, log.String())
	}
}

// startReplay serves the replay until the test ends, and gives the address of
// tick 100.
func startReplay(t *testing.T, host, file, to string) string {
	t.Helper()
	cmd := exec.Command(host, "replay", file, "-http", "127.0.0.1:0", "-to", to)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("host replay: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "replay at ")
	if err != nil || !ok {
		t.Fatalf("host replay says %q, %v", line, err)
	}
	return url
}
