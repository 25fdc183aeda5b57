//go:build external && unix

package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// feedFake publishes a moving room 60 times a second until the test ends, or
// until stop is called.
func feedFake(t *testing.T, p *page) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		shapes, v := newFakeShapes(), room.View{}
		pace := time.NewTicker(time.Second / 60)
		defer pace.Stop()
		for tick := 1; ; tick++ {
			shapes.view(&v, tick)
			p.Publish(&v)
			select {
			case <-pace.C:
			case <-done:
				return
			}
		}
	}()
	stop = sync.OnceFunc(func() { close(done); <-ended })
	t.Cleanup(stop)
	return stop
}

func TestBrowserShowsTheGameAndSendsKeys(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view?.tick > 5")
	b.Press("F3")
	b.Release("F3")
	b.WaitFor("document.getElementById('hud-tick').textContent > 5")
	for id, want := range map[string]string{"ping": "93 ms", "hud-rtt": "93.4 ms", "hud-lead": "4.2 ticks", "hud-corrections": "7"} {
		if got := b.Text(id); got != want {
			t.Errorf("%s reads %q, want %q", id, got, want)
		}
	}
	var view struct {
		Tick, Player int
		Game         string
		Bodies       []struct {
			Class string
			X, Y  float64
			Owner int
		}
	}
	b.Eval("window.hindcast.view", &view)
	if view.Game != "arena" || view.Player != 2 || len(view.Bodies) != 46 || view.Bodies[45].Class != "Ship" || view.Bodies[45].Owner != 6 {
		t.Errorf("the view is %+v", view)
	}
	var colors int
	b.Eval(`new Promise((done) => requestAnimationFrame(() => {
		const seen = new Set();
		const d = (`+pixels+`).data;
		for (let i = 0; i < d.length; i += 4) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
		done(seen.size);
	}))`, &colors)
	if colors < 50 {
		t.Errorf("the arena has %d colours: nothing is drawn", colors)
	}

	fields := classicFields()
	w, slot := shipWorld(t, fields)
	holds := func(want string) {
		t.Helper()
		for deadline := time.Now().Add(patience); ; w.Now.Tick++ {
			got := buttonsDown(fields, p.Controls().Input(w.Reader(), slot))
			if got == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("the controls see%q, want%q", got, want)
			}
			b.Eval("new Promise(requestAnimationFrame)", new(any))
		}
	}
	holds("")
	b.WaitFor("document.querySelectorAll('#help kbd').length > 4")
	if help := b.Text("help"); !strings.Contains(help, "accel") || !strings.Contains(help, "↑") {
		t.Errorf("the help reads %q", help)
	}
	b.Press("ArrowUp")
	holds(" Accel")
	b.Press("ArrowLeft")
	holds(" Turnleft Accel")
	b.Release("ArrowUp")
	holds(" Turnleft")
	b.Press("d")
	holds(" Turnleft Turnright")
	b.Eval("window.dispatchEvent(new Event('blur'))", nil)
	holds("")
}

// TestBrowserShowsAStalledPrediction: the page says that the client has predicted as far as it may, until the host is
// heard of again.
func TestBrowserShowsAStalledPrediction(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	stop := feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view && document.getElementById('notice').hidden")
	stop()
	var v room.View
	shapes := newFakeShapes()
	show := func(stage room.Stage, status string) {
		shapes.view(&v, 600)
		v.Stage, v.Status = stage, status
		p.Publish(&v)
	}
	show(room.StageStalled, "waiting for the host")
	b.WaitFor("!document.getElementById('notice').hidden && document.getElementById('notice-title').textContent === 'Waiting for the host …'")
	b.WaitFor("window.hindcast.drawn.length > 0") // the room stays visible
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "stalled.png"))
	}
	// Of a room that runs slower than real time, it says that, over the play that goes on.
	slow := wire.Failure{Tick: 600, Class: "Rock", Message: "the room runs slower than real time: most of the work is the hooks of Rock"}
	p.tell(func(f *feed) { f.problems(room.Problems{Failed: []wire.Failure{slow}}) })
	b.WaitFor("document.getElementById('notice').hidden && document.getElementById('errors').innerText.includes('slower than real time')")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "slow.png"))
	}
	p.tell(func(f *feed) { f.problems(room.Problems{}) })
	b.WaitFor("!document.getElementById('notice').hidden")
	show(room.StagePlaying, "playing")
	b.WaitFor("document.getElementById('notice').hidden")
}

// TestBrowserShowsLabelsAndBars: the values of fields are shown below an object, and a
// bar above it is as full as its field.
func TestBrowserShowsLabelsAndBars(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	sim := tanks(t)
	var v room.View
	show := func(ticks int) {
		sim.Run(time.Duration(ticks) * time.Second / 60)
		sim.Host.View(&v)
		p.Publish(&v)
	}
	b := startBrowser(t)
	b.Sharp(1000, 650, 1)
	b.Open(p.URL())
	show(15)
	b.WaitFor("window.hindcast.drawn.length === 2")
	const tank, post = "window.hindcast.drawn.find((d) => d.class === 'Tank')", "window.hindcast.drawn.find((d) => d.class === 'Post')"
	b.WaitFor(tank + ".label === '51 l' && Math.abs(" + tank + ".bar - 51 / 200) < 1e-6 && " + post + ".label === 'a post' && " + post + ".bar < 0")
	show(600)
	b.WaitFor(tank + ".label === '111 l'")
	const green = `(() => {
		const d = (` + pixels + `).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] === 0x7f && d[i + 1] === 0xbf && d[i + 2] === 0x8a) n++;
		return n;
	})()`
	b.WaitFor(green + " > 20")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "labels.png"))
	}
}

// TestBrowserSumsUpTheWheel: the page sums up the notches of the wheel, and the movement
// of the pointer in metres.
func TestBrowserSumsUpTheWheel(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	p.devices.ticks.mu.Lock()
	p.devices.ticks.now = func() time.Time { return time.Unix(1000, 0) } // however long the browser takes, it comes in time
	p.devices.ticks.mu.Unlock()
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	axis := func(name string, i int, key string) world.InputField {
		return world.InputField{Name: name, Axis: true, Index: i, Min: -99, Max: 99, Merge: world.MergeSum, Keys: []string{key}}
	}
	w, slot := shipWorld(t, []world.InputField{axis("zoom", 0, "wheel"), axis("turn", 1, "mouse:dx"), axis("lift", 2, "-mouse:dy")})
	var sum [3]float64
	take := func() {
		w.Now.Tick++
		in := p.Controls().Input(w.Reader(), slot)
		for i := range sum {
			sum[i] += in.Axes[i]
		}
	}
	take()
	b.WaitFor("document.querySelectorAll('#help kbd').length === 3")
	b.Eval(`(() => {
		const c = document.getElementById("arena");
		c.dispatchEvent(new WheelEvent("wheel", { deltaY: -150, cancelable: true }));
		c.dispatchEvent(new WheelEvent("wheel", { deltaY: -6, deltaMode: 1, cancelable: true }));
		for (const x of [300, 310, 330]) c.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: 200, movementX: x > 300 ? x - 300 : 0, movementY: -5 }));
	})()`, nil)
	for deadline := time.Now().Add(patience); sum[0] == 0 || sum[1] == 0; take() {
		if time.Now().After(deadline) {
			t.Fatalf("what came is %v", sum)
		}
		b.Eval("new Promise(requestAnimationFrame)", new(any))
	}
	if math.Abs(sum[0]-3.5) > 1e-9 || sum[1] <= 0 || math.Abs(sum[1]/sum[2]+40.0/15) > 1e-6 {
		t.Errorf("what came is %v", sum)
	}
}

// TestBrowserShowsReasonsOfDisplacements: the last reasons stand in a corner.
func TestBrowserShowsReasonsOfDisplacements(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	b.Press("F3")
	b.Release("F3")
	m := room.Displacement{Distance: 0.42, Provenance: timeline.Provenance{Tick: 815, Cause: timeline.CauseInput, Player: 3, InputTick: 812, LateBy: 5, KnownBy: 14, File: "ship.lua", Line: 14,
		Text: "setDirectionalForce(0, 40)", Through: []timeline.Through{{Kind: world.FromTouch, Class: "Crate", Object: 9}}}}
	p.Displaced(m)
	m.Kind, m.Provenance.Cause, m.Provenance.Player, m.Provenance.Line, m.Provenance.Through, m.Wrong = room.Correction, timeline.CauseComputed, 0, 0, nil, []string{"position"}
	p.Displaced(m)
	b.WaitFor("document.querySelector('#moves .repredicted').innerText.includes('arrived 5 ticks late') && document.querySelector('#moves .corrected').innerText.includes('computed another result')")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "moved.png"))
	}
	m.Kind, m.Distance = room.Reprediction, 0.001 // nobody sees it
	p.Displaced(m)
	m.Kind = room.Correction
	for range 4 {
		p.Displaced(m)
	}
	b.WaitFor("document.querySelectorAll('#moves p').length === 4 && !document.querySelector('#moves .repredicted')")
}

// TestBrowserShowsScriptErrors: with their place, message and object, until other scripts are in
// force.
func TestBrowserShowsScriptErrors(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	fail := func(t world.Tick, e world.Fault) { p.tell(func(f *feed) { f.scriptError(t, e) }) }
	reloaded := func(after world.Tick) { p.tell(func(f *feed) { f.reloaded(after) }) }
	fail(40, world.Fault{Object: 9, Class: "Ship", Hook: world.OnContact, Err: &world.ScriptError{File: "ship.lua", Line: 14, Message: "<b>attempt to index nil"}})
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("document.getElementById('errors').innerText.includes('ship.lua:14 <b>attempt to index nil Ship:onContact, object " + world.ObjectID(9).String() + ", tick 40')")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "errors.png"))
	}
	b.Click("close-errors")
	b.WaitFor("document.getElementById('errors').hidden")
	wrote := &world.ScriptError{File: "ship.lua", Line: 14, Message: "<b>attempt to index nil", Wrote: true}
	fail(41, world.Fault{Object: 9, Class: "Ship", Hook: world.OnContact, Err: wrote}) // what was closed stays so
	fail(42, world.Fault{Object: 9, Class: "Ship", Hook: world.OnTick, Err: errors.New("another one")})
	b.WaitFor("document.getElementById('errors').innerText.includes('another one')")
	b.WaitFor("document.querySelectorAll('#errors p').length === 1")
	fail(100, world.Fault{Class: "Game", Hook: world.OnJoin, Err: errors.New("of the new scripts")})
	reloaded(99)
	b.WaitFor("document.querySelectorAll('#errors p').length === 1 && document.getElementById('errors').innerText.includes('of the new scripts')")
	reloaded(101)
	b.WaitFor("document.getElementById('errors').hidden")
}

func TestBrowserChats(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	b.Press("Enter")
	b.Release("Enter")
	b.Type("hello <all>")
	b.Press("a") // goes into the line, not to the ship
	b.Release("a")
	b.Press("Enter")
	select {
	case text := <-p.requests.said:
		if text != "hello <all>a" {
			t.Errorf("said %q", text)
		}
	case <-time.After(patience):
		t.Fatal("nothing said")
	}
	var s keySample
	if p.devices.ticks.sample(&s); s.down["a"] > 0 {
		t.Error("a letter of the chat reached the ship")
	}
	p.Chat("ada", "<i>hi</i>")
	b.WaitFor("document.getElementById('chat').innerText.includes('<i>hi</i>')")
}

func TestBrowserNeverShowsTheRoomGoingBack(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.drawn.length > 0")
	// The first ship flies counter-clockwise: its way round, from frame to frame.
	var steps []float64
	b.Eval(`new Promise((done) => {
		const steps = [];
		let last = null;
		const look = () => {
			const ship = window.hindcast.drawn.find((d) => d.owner === 1);
			const at = Math.atan2(ship.y, ship.x / 1.5);
			if (last !== null) steps.push(Math.atan2(Math.sin(at - last), Math.cos(at - last)));
			last = at;
			if (steps.length < 90) requestAnimationFrame(look); else done(steps);
		};
		look();
	})`, &steps)
	moved := 0
	for i, s := range steps {
		if s < -1e-6 {
			t.Errorf("frame %d goes back by %v rad", i, -s)
		}
		if s > 0 {
			moved++
		}
	}
	if moved == 0 {
		t.Errorf("it moves in none of %d frames", len(steps))
	}
}

func TestBrowserShowsTheEndAndReconnects(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	stop := feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view && document.getElementById('notice').hidden")
	stop()
	p.Publish(&room.View{Stage: room.StageOver, Status: "the host has stopped"})
	b.WaitFor("document.getElementById('notice').innerText.includes('the host has stopped')")
	p.tell(func(f *feed) { f.wait("the room has ended and may be back: tick_rate has changed") })
	b.WaitFor("/Waiting for the host[^]*The room has ended and may be back: tick_rate has changed/.test(document.getElementById('notice').innerText)")
	p.tell(func(f *feed) { f.wait("") })
	b.WaitFor("!document.getElementById('notice').innerText.includes('restarts')")
	p.mu.Lock()
	for v := range p.viewers {
		v.cancel() // as if the program had died
	}
	p.mu.Unlock()
	b.WaitFor("document.getElementById('notice').innerText.includes('lost')")
	b.WaitFor("document.getElementById('notice').innerText.includes('the host has stopped')")
}

// pixels is JavaScript that reads what the arena shows, during a displayed frame.
const pixels = `(() => {
	const ground = document.getElementById('arena'), paper = new OffscreenCanvas(ground.width, ground.height).getContext('2d');
	paper.drawImage(ground, 0, 0);
	paper.drawImage(document.getElementById('texts'), 0, 0);
	return paper.getImageData(0, 0, ground.width, ground.height);
})()`
