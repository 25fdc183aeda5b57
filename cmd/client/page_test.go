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
	"time"

	"github.com/coder/websocket"
	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/runtime/room"
	"go.uber.org/goleak"
)

// window is a browser window without the browser.
type window struct {
	t    testing.TB
	ctx  context.Context
	late *time.Timer // ends ctx: no message has come for long
	conn *websocket.Conn
}

func openWindow(t testing.TB, p *page, header http.Header) *window {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	late := time.AfterFunc(patience, cancel)
	t.Cleanup(func() { late.Stop(); cancel() })
	conn, _, err := websocket.Dial(ctx, p.URL()+"ws", &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 24)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return &window{t, ctx, late, conn}
}

func (w *window) send(v any) {
	w.t.Helper()
	if err := w.conn.Write(w.ctx, websocket.MessageText, gamepage.Encode(v)); err != nil {
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
	w.late.Reset(patience)
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
	case <-p.requests.said:
	case <-w.ctx.Done():
		w.t.Fatal("the page does not read")
	}
}

func TestPublishReachesAWindow(t *testing.T) {
	p := newTestPage(t)
	shapes, v := newFakeShapes(), room.View{}
	shapes.view(&v, 100)
	p.Publish(&v)
	w := openWindow(t, p, nil)
	texts, frame := w.texts()
	info := texts["info"]
	if info["stage"] != "playing" || info["status"] != "playing" || info["game"] != "arena" || info["player"] != 2.0 || info["width"] != 40.0 || info["onlooker"] != false {
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
	if le.Uint32(frame) != 100 || le.Uint32(frame[4:]) != 76 ||
		math.Float32frombits(le.Uint32(frame[20:])) != 93.4 || math.Float32frombits(le.Uint32(frame[28:])) != 0.25 {
		t.Errorf("the head of the frame is % x", frame[:gamepage.FrameHead])
	}
	var shown frameReader
	shown.read(t, frame)
	shown.check(t, &v)
	ship := shown.byID(v.Bodies[len(v.Bodies)-5].ID)
	if ship.owner != 2 {
		t.Errorf("the ship of player 2 is %+v", ship)
	}
	if kind := kinds[ship.kind].(map[string]any); kind["class"] != "Ship" || kind["color"] != "#5bd" || kind["radius"] != 0.5 {
		t.Errorf("kind %v", kind)
	}
	shapes.view(&v, 101)
	p.Publish(&v)
	if text, frame := w.message(); text != nil || le.Uint32(frame) != 101 {
		t.Errorf("only a frame is news, but there came %v", text)
	}
	v.Stage, v.Status = room.StageOver, "the host has stopped"
	p.Publish(&v)
	if texts, _ := w.texts(); texts["info"]["stage"] != "over" || texts["kinds"] != nil {
		t.Errorf("at the end: %v", texts)
	}
}

func TestEqualLooksAreOneKind(t *testing.T) {
	var f feed
	shapes, v := newFakeShapes(), room.View{}
	shapes.view(&v, 1)
	f.publish(&v, nil, false)
	at := cursor{}
	f.news(&at)
	newFakeShapes().view(&v, 1) // the same shapes elsewhere, as after a reload
	f.publish(&v, nil, false)
	texts, frame := f.news(&at)
	if len(texts) != 0 || len(frame) != gamepage.FrameHead+4*4 {
		t.Errorf("equal shapes at other addresses are new kinds: %s", texts)
	}
	v.Bodies[20].Look.Color = "red"
	f.publish(&v, nil, false)
	texts, _ = f.news(&at)
	if len(texts) != 1 || !strings.Contains(string(texts[0]), `"from":10,`) || !strings.Contains(string(texts[0]), `"red"`) {
		t.Errorf("a new look is sent as %s", texts)
	}
}

func TestSlowWindowDoesNotBlockOthers(t *testing.T) {
	p := newTestPage(t)
	openWindow(t, p, nil) // reads nothing
	fast := openWindow(t, p, nil)
	shapes, v := newFakeShapes(), room.View{}
	shapes.view(&v, 1)
	for len(v.Bodies) < 8000 {
		shapes.add(&v, v.Bodies[len(v.Bodies)-1])
	}
	const ticks = 700 // 77 MB: more than any socket buffers
	// Both at once: who reads nothing for a while on a busy machine is shut, too.
	go func() {
		for v.Tick = 1; v.Tick <= ticks; v.Tick++ {
			for i := range v.Bodies {
				v.Bodies[i].X++
			}
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
	ends := time.Now().Add(time.Minute)
	for entered := 0; entered < maxViewers; time.Sleep(time.Millisecond) { // a connection is accepted before it is counted
		p.mu.Lock()
		entered = len(p.viewers)
		p.mu.Unlock()
		if time.Now().After(ends) {
			t.Fatalf("%d of %d windows are counted after a minute", entered, maxViewers)
		}
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
		case got := <-p.requests.said:
			if got != want {
				t.Errorf("said %q, want %q", got, want)
			}
		case <-w.ctx.Done():
			t.Fatal("nothing said")
		}
	}
	if lines := p.requests.Said(); lines != nil {
		t.Errorf("said %q", lines)
	}
	for range maxSaid + 1 {
		w.send(fromBrowser{T: "say", Text: "spam"})
	}
	if text, _ := w.message(); !strings.Contains(text["text"].(string), "not sent") {
		t.Errorf("a line too many: %v", text)
	}
	if lines := p.requests.Said(); len(lines) != maxSaid || lines[0] != "spam" {
		t.Errorf("Said gives %q", lines)
	}
}

func TestInvalidMessageEndsTheConnection(t *testing.T) {
	many := fromBrowser{T: "keys", Down: strings.Split(strings.Repeat("k,", maxHeld), ",")}
	for name, data := range map[string]string{
		"no JSON": `{`, "another type": `{"t":"reboot"}`, "no type": `{}`, "a number for a list": `{"t":"keys","down":1}`,
		"no name": `{"t":"keys","down":[""]}`, "a long name": `{"t":"keys","down":["` + strings.Repeat("x", maxKeyName+1) + `"]}`,
		"too many keys": string(gamepage.Encode(many)), "two axes": `{"t":"sticks","axes":[0,0]}`, "no number": `{"t":"pointer","x":1e999}`,
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
	s, err := servePages("127.0.0.1:0", 1, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	p := s.pages[0]
	w, deaf := openWindow(t, p, nil), openWindow(t, p, nil)
	w.send(fromBrowser{T: "keys", Down: []string{"w"}})
	w.drain(p)
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan error)
	go func() { closed <- s.Close(ctx, "it was stopped") }()
	if text, _ := w.message(); text["t"] != "bye" || text["why"] != "it was stopped" {
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
	var keys keySample
	p.devices.ticks.sample(&keys)
	p.devices.ticks.sample(&keys)
	if len(keys.down) != 0 {
		t.Errorf("still held: %v", keys.down)
	}
}

func BenchmarkPublish(b *testing.B) {
	p := newTestPage(b)
	shapes, v := newFakeShapes(), room.View{}
	shapes.view(&v, 1)
	for len(v.Bodies) < 100 {
		v.Bodies = append(v.Bodies, v.Bodies[4+len(v.Bodies)%42]) // not the walls
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Publish(&v)
	}
}
