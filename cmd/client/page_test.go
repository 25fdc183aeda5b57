package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
	"go.uber.org/goleak"
)

// window is a browser window without the browser.
type window struct {
	t    testing.TB
	ctx  context.Context
	conn *websocket.Conn
}

func openWindow(t testing.TB, p *page, header http.Header) *window {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, p.URL()+"ws", &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 24)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &window{t, ctx, conn}
}

func (w *window) send(v any) {
	w.t.Helper()
	if err := w.conn.Write(w.ctx, websocket.MessageText, mustJSON(v)); err != nil {
		w.t.Fatal(err)
	}
}

// message returns the next message: decoded JSON, or a frame's bytes.
func (w *window) message() (text map[string]any, frame []byte) {
	w.t.Helper()
	kind, data, err := w.conn.Read(w.ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	if kind == websocket.MessageBinary {
		return nil, data
	}
	if err := json.Unmarshal(data, &text); err != nil {
		w.t.Fatal(err)
	}
	return text, nil
}

// texts reads up to the next frame and gives what came before it by kind.
func (w *window) texts() (texts map[string]map[string]any, frame []byte) {
	w.t.Helper()
	texts = map[string]map[string]any{}
	for {
		text, frame := w.message()
		if frame != nil {
			return texts, frame
		}
		texts[text["t"].(string)] = text
	}
}

// drain waits until the page has taken all that the window sent.
func (w *window) drain(p *page) {
	w.t.Helper()
	w.send(fromBrowser{T: "say", Text: "drained"})
	select {
	case <-p.said:
	case <-w.ctx.Done():
		w.t.Fatal("the page does not read")
	}
}

func TestPublishReachesAWindow(t *testing.T) {
	p := newTestPage(t)
	shapes, v := newFakeShapes(), runtime.View{}
	shapes.view(&v, 100)
	p.Publish(&v)
	w := openWindow(t, p, nil)
	texts, frame := w.texts()
	info := texts["info"]
	if info["stage"] != "playing" || info["status"] != "playing" || info["game"] != "arena" || info["player"] != 2.0 || info["width"] != 40.0 || info["over"] != false {
		t.Errorf("info %v", info)
	}
	if players := info["players"].([]any); len(players) != 6 || players[1].(map[string]any)["name"] != "grace" {
		t.Errorf("players %v", info["players"])
	}
	kinds := texts["kinds"]["kinds"].([]any)
	if len(kinds) != 10 || kinds[0].(map[string]any)["wall"] != true {
		t.Errorf("%d kinds, want 2 walls, a crate, a rock, 6 ships: %v", len(kinds), kinds)
	}
	le := binary.LittleEndian
	if len(frame) != frameHead+frameBody*len(v.Bodies) || le.Uint32(frame) != 100 || le.Uint32(frame[4:]) != 76 ||
		math.Float32frombits(le.Uint32(frame[20:])) != 93.4 || math.Float32frombits(le.Uint32(frame[28:])) != 0.25 || int(le.Uint32(frame[32:])) != len(v.Bodies) {
		t.Errorf("frame of %d bytes: % x", len(frame), frame[:frameHead])
	}
	i := len(v.Bodies) - 5
	at := frame[frameHead+i*frameBody:]
	if le.Uint64(at) != uint64(v.Bodies[i].ID) || le.Uint16(at[10:]) != 2 || math.Float32frombits(le.Uint32(at[12:])) != float32(v.Bodies[i].X) {
		t.Errorf("body %d is % x, want %+v", i, at[:frameBody], v.Bodies[i])
	}
	if kind := kinds[le.Uint16(at[8:])].(map[string]any); kind["class"] != "Ship" || kind["color"] != "#5bd" || kind["radius"] != 0.5 {
		t.Errorf("kind %v", kind)
	}
	shapes.view(&v, 101)
	p.Publish(&v)
	if text, frame := w.message(); text != nil || le.Uint32(frame) != 101 {
		t.Errorf("only a frame is news, but there came %v", text)
	}
	v.Stage, v.Status = runtime.StageOver, "the host has stopped"
	p.Publish(&v)
	if texts, _ := w.texts(); texts["info"]["over"] != true || texts["kinds"] != nil {
		t.Errorf("at the end: %v", texts)
	}
}

func TestEqualLooksAreOneKind(t *testing.T) {
	var f feed
	f.init()
	shapes, v := newFakeShapes(), runtime.View{}
	shapes.view(&v, 1)
	f.publish(&v, nil)
	first, at := f.frame.data, cursor{}
	f.news(&at)
	newFakeShapes().view(&v, 1) // the same shapes elsewhere, as after a reload
	f.publish(&v, nil)
	texts, frame := f.news(&at)
	if len(texts) != 0 || string(frame) != string(first) {
		t.Errorf("equal shapes at other addresses are new kinds: %s", texts)
	}
	v.Bodies[20].Look.Color = "red"
	f.publish(&v, nil)
	texts, _ = f.news(&at)
	if len(texts) != 1 || !strings.Contains(string(texts[0]), `"from":10,`) || !strings.Contains(string(texts[0]), `"red"`) {
		t.Errorf("a new look is sent as %s", texts)
	}
}

func TestKindNumbersRestartBeforeTheyOverflow(t *testing.T) {
	var table kindTable
	table.reset()
	shapes, at := newFakeShapes(), kindsRead{}
	for i := range 3 * maxKinds {
		b := runtime.ViewBody{Class: strings.Repeat("x", i%7) + string(rune('A'+i%26)), Shape: &shapes.ship, Look: world.Look{Label: string(rune(i))}}
		if len(table.kinds) > maxKinds {
			table.reset()
		}
		table.of(&b)
		if i%5000 == 0 && table.since(&at) == nil {
			t.Fatalf("after %d kinds there is no news", i)
		}
	}
	if at.generation < 2 || at.count > maxKinds+1 {
		t.Errorf("generation %d with %d kinds", at.generation, at.count)
	}
}

func TestSlowWindowDoesNotBlockOthers(t *testing.T) {
	p := newTestPage(t)
	openWindow(t, p, nil) // reads nothing
	fast := openWindow(t, p, nil)
	shapes, v := newFakeShapes(), runtime.View{}
	shapes.view(&v, 1)
	for len(v.Bodies) < 8000 {
		v.Bodies = append(v.Bodies, v.Bodies[len(v.Bodies)-1])
	}
	const ticks = 400 // 77 MB: more than any socket buffers
	// Both at once: who reads nothing for a while on a busy machine is shut, too.
	go func() {
		for v.Tick = 1; v.Tick <= ticks; v.Tick++ {
			p.Publish(&v)
		}
	}()
	for last := uint32(0); last != ticks; {
		_, frame := fast.texts()
		tick := binary.LittleEndian.Uint32(frame)
		if tick <= last {
			t.Fatalf("tick %d after %d", tick, last)
		}
		last = tick
	}
}

func TestTooManyWindows(t *testing.T) {
	p := newTestPage(t)
	for range maxViewers {
		openWindow(t, p, nil)
	}
	_, res, err := websocket.Dial(t.Context(), p.URL()+"ws", nil)
	if err == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one window too many: %v, %v", res, err)
	}
}

func TestChatBothWays(t *testing.T) {
	p := newTestPage(t)
	for range maxLines + 5 {
		p.Chat("ada", "hello")
	}
	p.Chat("grace", "<b>hi</b>")
	w := openWindow(t, p, nil)
	for range maxLines - 1 {
		w.message()
	}
	if text, _ := w.message(); text["from"] != "grace" || text["text"] != "<b>hi</b>" {
		t.Errorf("the last line is %v", text)
	}
	w.send(fromBrowser{T: "say", Text: "  two\nlines\x00 "})
	w.send(fromBrowser{T: "say", Text: " \t "})
	w.send(fromBrowser{T: "say", Text: strings.Repeat("ä", 400)})
	for _, want := range []string{"two lines", strings.Repeat("ä", 256)} {
		select {
		case got := <-p.said:
			if got != want {
				t.Errorf("said %q, want %q", got, want)
			}
		case <-w.ctx.Done():
			t.Fatal("nothing said")
		}
	}
	if text, ok := p.Said(); ok {
		t.Errorf("said %q", text)
	}
	for range maxSaid + 1 {
		w.send(fromBrowser{T: "say", Text: "spam"})
	}
	if text, _ := w.message(); !strings.Contains(text["text"].(string), "not sent") {
		t.Errorf("a line too many: %v", text)
	}
	if text, ok := p.Said(); !ok || text != "spam" {
		t.Errorf("Said gives %q, %v", text, ok)
	}
}

func TestInvalidMessageEndsTheConnection(t *testing.T) {
	many := fromBrowser{T: "keys", Down: strings.Split(strings.Repeat("k,", maxHeld), ",")}
	for name, data := range map[string]string{
		"no JSON": `{`, "another type": `{"t":"reboot"}`, "no type": `{}`, "a number for a list": `{"t":"keys","down":1}`,
		"no name": `{"t":"keys","down":[""]}`, "a long name": `{"t":"keys","down":["` + strings.Repeat("x", maxKeyName+1) + `"]}`,
		"too many keys": string(mustJSON(many)), "two axes": `{"t":"sticks","axes":[0,0]}`, "no number": `{"t":"pointer","x":1e999}`,
		"too long": `{"t":"say","text":"` + strings.Repeat("x", maxFromBrowser) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := openWindow(t, newTestPage(t), nil)
			if err := w.conn.Write(w.ctx, websocket.MessageText, []byte(data)); err != nil {
				t.Fatal(err)
			}
			_, _, err := w.conn.Read(w.ctx)
			if code := websocket.CloseStatus(err); code != websocket.StatusPolicyViolation && code != websocket.StatusMessageTooBig {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestCloseSaysGoodbyeAndFreesResources(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer http.DefaultClient.CloseIdleConnections()
	p, err := newPage("127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	w, deaf := openWindow(t, p, nil), openWindow(t, p, nil)
	w.send(fromBrowser{T: "keys", Down: []string{"w"}})
	w.drain(p)
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan error)
	go func() { closed <- p.Close(ctx) }()
	if text, _ := w.message(); text["t"] != "bye" {
		t.Errorf("%v, want a goodbye", text)
	}
	if _, _, err := w.conn.Read(w.ctx); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Error(err)
	}
	cancel() // who does not listen is not waited for
	if err := <-closed; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_ = deaf.conn.CloseNow()
	var s keySample
	p.keys.sample(&s)
	p.keys.sample(&s)
	if len(s.down) != 0 {
		t.Errorf("still held: %v", s.down)
	}
}

func BenchmarkPublish(b *testing.B) {
	p := newTestPage(b)
	shapes, v := newFakeShapes(), runtime.View{}
	shapes.view(&v, 1)
	for len(v.Bodies) < 100 {
		v.Bodies = append(v.Bodies, v.Bodies[4+len(v.Bodies)%42]) // not the walls
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Publish(&v)
	}
}
