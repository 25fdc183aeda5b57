//go:build external && unix

package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	gamepage "github.com/hindcast/hindcast/cmd/client/page"
)

// browser is one tab of a headless Chromium, driven over its DevTools protocol.
// Everything it is asked waits for the answer and fails the test without one.
// What the page itself reports as an error fails the test too.
type browser struct {
	t       *testing.T
	conn    *websocket.Conn
	session string // of the tab

	mu       sync.Mutex
	next     int
	waiting  map[int]chan devtoolsMessage
	problems []string      // what the page reported as errors
	refused  chan string   // gets what the browser does not let a page do; nil: that is a problem
	gone     chan struct{} // closed when the connection has ended
}

// devtoolsMessage is a command, its answer, or an event.
type devtoolsMessage struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// startBrowser opens a tab of 1280 x 800 with a fresh profile.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	url, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(64 << 20)
	b := &browser{t: t, conn: conn, waiting: map[int]chan devtoolsMessage{}, gone: make(chan struct{})}
	go b.listen()
	t.Cleanup(b.close)
	var profile struct {
		ID string `json:"browserContextId"`
	}
	b.do("Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &profile)
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.do("Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": profile.ID, "newWindow": true}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.do("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page.enable", "Runtime.enable", "Log.enable"} {
		b.do(domain, nil, nil)
	}
	b.do("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	b.Size(1280, 800, 1)
	return b
}

// close closes the tab, with its profile.
func (b *browser) close() {
	_ = b.conn.CloseNow()
	<-b.gone
	for _, p := range b.problems {
		b.t.Errorf("the page reports: %s", p)
	}
}

// listen hands answers to those who wait for them and notes the page's errors.
func (b *browser) listen() {
	defer close(b.gone)
	for {
		_, data, err := b.conn.Read(context.Background())
		if err != nil {
			return
		}
		var m devtoolsMessage
		if err := json.Unmarshal(data, &m); err != nil {
			continue // nobody waits for what cannot be read
		}
		b.mu.Lock()
		if m.ID != 0 {
			if ch := b.waiting[m.ID]; ch != nil {
				delete(b.waiting, m.ID)
				ch <- m
			}
		} else if p := problem(&m); p != "" && b.refused != nil && strings.Contains(p, `"source":"security"`) {
			b.refused <- p
		} else if p != "" {
			b.problems = append(b.problems, p)
		}
		b.mu.Unlock()
	}
}

// problem returns what an event says went wrong in the page, "" if nothing.
func problem(m *devtoolsMessage) string {
	switch m.Method {
	case "Runtime.exceptionThrown":
		return string(m.Params)
	case "Runtime.consoleAPICalled":
		if strings.Contains(string(m.Params), `"type":"error"`) {
			return string(m.Params)
		}
	case "Log.entryAdded":
		// A line that is lost and dialled again is an error to the browser only. So is the icon of a page
		// that is left, or whose client has ended, which the browser still asks for.
		text := string(m.Params)
		left := strings.Contains(text, "/icon.svg") && (strings.Contains(text, `"category":"cors"`) || strings.Contains(text, "ERR_CONNECTION_REFUSED"))
		if strings.Contains(text, `"level":"error"`) && !strings.Contains(text, "WebSocket connection") && !left {
			return text
		}
	}
	return ""
}

// ask sends a command and waits for its answer.
func (b *browser) ask(ctx context.Context, session, method string, params any) (json.RawMessage, error) {
	ch := make(chan devtoolsMessage, 1)
	b.mu.Lock()
	b.next++
	id := b.next
	b.waiting[id] = ch
	b.mu.Unlock()
	m := devtoolsMessage{ID: id, SessionID: session, Method: method}
	if params != nil {
		m.Params = gamepage.Encode(params)
	}
	if err := b.conn.Write(ctx, websocket.MessageText, gamepage.Encode(m)); err != nil {
		return nil, err
	}
	select {
	case answer := <-ch:
		if answer.Error != nil {
			return nil, errors.New(answer.Error.Message)
		}
		return answer.Result, nil
	case <-b.gone:
		return nil, errors.New("the browser is gone")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// do is a command that must succeed; its result goes to out, which may be nil.
func (b *browser) do(method string, params, out any) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience) // WaitFor has a bound of its own
	defer cancel()
	result, err := b.ask(ctx, b.session, method, params)
	if err == nil && out != nil {
		err = json.Unmarshal(result, out)
	}
	if err != nil {
		b.t.Fatalf("%s: %v%s", method, err, b.said())
	}
}

// said returns what the page has reported so far, for failures.
func (b *browser) said() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) == 0 {
		return ""
	}
	return "\nthe page reports: " + strings.Join(b.problems, "\n")
}

// Size makes the window so large, in CSS pixels. Where nobody looks at pictures it has a quarter of the pixels of the
// device: it takes most of a core to draw them without a GPU.
func (b *browser) Size(width, height int, pixelRatio float64) {
	b.t.Helper()
	if os.Getenv("SCREENSHOTS") == "" {
		pixelRatio /= 2
	}
	b.Sharp(width, height, pixelRatio)
}

// Sharp is Size with all pixels, for tests of what single pixels show.
func (b *browser) Sharp(width, height int, pixelRatio float64) {
	b.t.Helper()
	b.do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": pixelRatio, "mobile": false}, nil)
}

// Open shows an address and waits until the document is complete. At the end of the
// test the browser leaves the page before the program that serves it ends, so that a
// late request, as for the icon, does not fail.
func (b *browser) Open(url string) {
	b.t.Helper()
	var nav struct {
		ErrorText string `json:"errorText"`
	}
	b.do("Page.navigate", map[string]any{"url": url}, &nav)
	b.t.Cleanup(func() { b.do("Page.navigate", map[string]any{"url": "about:blank"}, nil) })
	if nav.ErrorText != "" {
		b.t.Fatalf("%s: %s", url, nav.ErrorText)
	}
	url, _, _ = strings.Cut(url, "#") // which the page removes
	b.WaitFor(fmt.Sprintf("location.href.startsWith(%q) && document.readyState === 'complete'", url))
}

// Eval runs JavaScript in the page, waits for a promise, and puts the value
// into out, which may be nil.
func (b *browser) Eval(js string, out any) {
	b.t.Helper()
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	b.do("Runtime.evaluate", map[string]any{"expression": js, "awaitPromise": true, "returnByValue": true}, &r)
	if r.Exception != nil {
		b.t.Fatalf("%s: %s", js, r.Exception.Exception.Description)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(r.Result.Value, out); err != nil {
		b.t.Fatalf("%s gives %s: %v", js, r.Result.Value, err)
	}
}

// WaitFor waits until a JavaScript expression is true, looking at every frame.
func (b *browser) WaitFor(js string) {
	b.t.Helper()
	var ok bool
	b.Eval(fmt.Sprintf(`new Promise((done) => {
		const end = performance.now() + %d;
		const look = () => {
			let is = false;
			try { is = Boolean(%s); } catch (e) { if (performance.now() > end) throw e; }
			if (is || performance.now() > end) done(is); else requestAnimationFrame(look);
		};
		requestAnimationFrame(look); // in a frame, so that what WebGL has drawn can be read
	})`, patience.Milliseconds(), js), &ok)
	if !ok {
		b.t.Fatalf("never true: %s%s", js, b.said())
	}
}

// Text returns what an element of the page reads.
func (b *browser) Text(id string) (text string) {
	b.t.Helper()
	b.Eval(fmt.Sprintf("document.getElementById(%q).innerText", id), &text)
	return text
}

// Press puts a key down: a letter, or a name as in KeyboardEvent.key.
func (b *browser) Press(key string) { b.t.Helper(); b.key("keyDown", key) }

// Release lets it up again.
func (b *browser) Release(key string) { b.t.Helper(); b.key("keyUp", key) }

// PressUntil presses and releases a key until a JavaScript expression is true. A press from before a machine stood still for
// longer than max_rewind is refused by the host; three seconds later it cannot count any more, and the key is pressed again.
func (b *browser) PressUntil(key, js string) {
	b.t.Helper()
	for done, tries := false, 1; !done; tries++ {
		if tries > 20 {
			b.t.Fatalf("the key %q does not lead to %s", key, js)
		}
		b.Press(key)
		b.Release(key)
		b.Eval("window.pressed = window.hindcast.view.tick, 1", new(int))
		b.WaitFor("window.hindcast.view.tick > window.pressed + 180 || (" + js + ")")
		b.Eval("(() => { try { return Boolean("+js+"); } catch { return false; } })()", &done)
	}
}

// Type presses and releases the keys of a text.
func (b *browser) Type(text string) {
	b.t.Helper()
	b.do("Input.insertText", map[string]any{"text": text}, nil)
}

func (b *browser) key(event, key string) {
	b.t.Helper()
	codes := map[string]int{"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, " ": 32, "Enter": 13, "Escape": 27, "Shift": 16, "Tab": 9, "F3": 114}
	params := map[string]any{"type": event, "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
	switch {
	case key == " ":
		params["code"], params["text"] = "Space", " "
	case key == "Enter":
		params["text"] = "\r"
	case len(key) == 1:
		upper := strings.ToUpper(key)
		params["code"], params["windowsVirtualKeyCode"], params["text"] = "Key"+upper, int(upper[0]), key
	}
	if event == "keyUp" {
		delete(params, "text")
	}
	b.do("Input.dispatchKeyEvent", params, nil)
}

// Click clicks an element of the page.
func (b *browser) Click(id string) {
	b.t.Helper()
	b.Eval(fmt.Sprintf("(() => { document.getElementById(%q).click(); return 1; })()", id), new(int))
}

// Play closes the start screen.
func (b *browser) Play() {
	b.t.Helper()
	b.WaitFor("!document.getElementById('start').hidden")
	b.Click("play")
}

// Point moves the mouse to a place of the window, in CSS pixels.
func (b *browser) Point(x, y float64) {
	b.t.Helper()
	b.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y}, nil)
}

// Screenshot writes what the window shows to a PNG file.
func (b *browser) Screenshot(path string) {
	b.t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	b.do("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(path, png, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
