package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
	"github.com/hindcast/hindcast/net/wire"
)

// viewer is one browser window.
type viewer struct {
	page   *page
	conn   *websocket.Conn
	from   string // the address of its machine
	cancel context.CancelFunc
	wake   chan struct{} // has a value when there may be something to send
	at     cursor        // the writer's
	hand   hand          // the reader's: the keys that are down in this browser
	pushes bool          // the reader's: a stick of this browser is pushed
}

// Limits of one browser's connection.
const (
	maxFromBrowser = 8 << 10 // bytes of a message
	sendTimeout    = 5 * time.Second
)

func (v *viewer) wakeUp() {
	select {
	case v.wake <- struct{}{}:
	default: // a wake-up is waiting already
	}
}

// hangUp ends the connection at once.
func (v *viewer) hangUp() { v.cancel() }

// socket serves a browser's connection until one side ends it. Accept refuses
// requests from pages of another origin.
func (p *page) socket(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	v := &viewer{page: p, cancel: cancel, wake: make(chan struct{}, 1), from: callerOf(r)}
	if err := p.mayEnter(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	greeted, err := p.greetings.begin(v.from)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		greeted()
		p.greetings.warn(v.from, "a connection to the game page was refused", err)
		return
	}
	conn.SetReadLimit(maxFromBrowser)
	v.conn = conn
	admitted := p.admits(ctx, conn)
	if greeted(); !admitted {
		_ = conn.Close(websocket.StatusPolicyViolation, "token")
		return
	}
	if err := p.enter(v); err != nil {
		_ = conn.Close(websocket.StatusTryAgainLater, err.Error())
		return
	}
	defer p.leave(v)
	written := make(chan struct{})
	go func() {
		defer close(written)
		v.write(ctx)
	}()
	v.read(ctx)
	cancel()
	<-written
	_ = conn.CloseNow() // usually it is closed already
}

// admits reports whether a browser sends the token as its first message, if it must.
func (p *page) admits(ctx context.Context, conn *websocket.Conn) bool {
	if !p.guard.Wide() {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	_, data, err := conn.Read(ctx)
	var first struct{ Token string }
	return err == nil && json.Unmarshal(data, &first) == nil && p.guard.Admits(first.Token)
}

// mayEnter returns why no more browser may show the page.
func (p *page) mayEnter() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refusal()
}

// refusal is mayEnter under the mutex.
func (p *page) refusal() error {
	if p.bye != nil {
		return errors.New("the program is ending")
	}
	if len(p.viewers) >= maxViewers {
		return fmt.Errorf("%d windows show this game already, which is the limit", maxViewers)
	}
	return nil
}

func (p *page) enter(v *viewer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.refusal(); err != nil {
		return err
	}
	v.at = p.feed.enter()
	p.viewers[v] = struct{}{}
	p.open.Add(1)
	v.wakeUp()
	return nil
}

// leave removes a browser and releases its keys and sticks.
func (p *page) leave(v *viewer) {
	p.devices.hold(&v.hand, nil)
	if v.pushes {
		_ = p.devices.push(make([]float64, numSticks)) // no error: they are enough
	}
	p.requests.show(v, 0)
	p.requests.pause(v, false)
	p.mu.Lock()
	delete(p.viewers, v)
	p.mu.Unlock()
	p.open.Done()
}

// write sends messages as they arrive. It ends with the connection.
func (v *viewer) write(ctx context.Context) {
	defer v.cancel()
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.wake:
		}
		v.page.mu.Lock()
		texts, frame := v.page.feed.news(&v.at)
		bye := v.page.bye
		v.page.mu.Unlock()
		if err := v.sendAll(ctx, texts, frame); err != nil {
			return
		}
		if bye != nil {
			_ = v.send(ctx, websocket.MessageText, bye)
			_ = v.conn.Close(websocket.StatusGoingAway, "the program ends")
			return
		}
	}
}

func (v *viewer) sendAll(ctx context.Context, texts [][]byte, frame []byte) error {
	for _, t := range texts {
		if err := v.send(ctx, websocket.MessageText, t); err != nil {
			return err
		}
	}
	if frame == nil {
		return nil
	}
	return v.send(ctx, websocket.MessageBinary, frame)
}

// send fails after a few seconds if the browser does not receive; the connection
// then ends, and the browser makes a new one.
func (v *viewer) send(ctx context.Context, kind websocket.MessageType, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return v.conn.Write(ctx, kind, data)
}

// fromBrowser is a message of a browser. T decides which of the other fields count.
type fromBrowser struct {
	T    string    `json:"t"`
	Down []string  `json:"down"` // keys: all that are down
	X    float64   `json:"x"`    // pointer: metres in the arena
	Y    float64   `json:"y"`
	Axes []float64 `json:"axes"` // sticks: left x, y, right x, y; -1 to 1, y down
	// flow: the wheel, in notches away from the player; metres that the pointer moved, x, y
	Flow  []float64 `json:"flow"`
	Text  string    `json:"text"`  // say
	Delay int       `json:"delay"` // delay: of inputs, in ticks
	What  string    `json:"what"`  // bind: an input
	Keys  []string  `json:"keys"`  // bind: all keys of the input; none: those that the game declares
	Line  string    `json:"line"`  // line: to simulate, as for -net
	Game  string    `json:"game"`  // game: to play in the player's own room
	On    bool      `json:"on"`    // pause: whether the player wants one
	Names []string  `json:"names"` // overlays: that the browser shows

	Volume float64 `json:"volume"` // sound: 0 to 1
	Muted  bool    `json:"muted"`  // sound
}

// read receives messages until the browser disconnects or sends a malformed one.
func (v *viewer) read(ctx context.Context) {
	for {
		_, data, err := v.conn.Read(ctx)
		if err != nil {
			return
		}
		if err := v.take(data); err != nil {
			v.page.greetings.warn(v.from, "the game page sent a malformed message", err)
			_ = v.conn.Close(websocket.StatusPolicyViolation, "not understood")
			return
		}
	}
}

func (v *viewer) take(data []byte) error {
	var m fromBrowser
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	switch m.T {
	case "token": // which this page does not need, or knows already
	case "keys":
		return v.page.devices.hold(&v.hand, m.Down)
	case "pointer":
		v.page.devices.point(m.X, m.Y)
	case "sticks":
		v.pushes = slices.ContainsFunc(m.Axes, func(at float64) bool { return at != 0 })
		return v.page.devices.push(m.Axes)
	case "flow":
		return v.page.devices.flow(m.Flow)
	case "say":
		v.say(m.Text)
	case "delay":
		v.page.requests.delay(m.Delay)
	case "sound":
		return v.sound(m.Volume, m.Muted)
	case "bind":
		v.bind(m.What, m.Keys)
	case "play":
		v.page.requests.play()
	case "leave":
		v.page.requests.leave()
	case "overlays":
		v.page.requests.show(v, overlaysOf(m.Names))
	case "pause":
		v.page.requests.pause(v, m.On)
	case "line":
		v.page.requests.line(m.Line)
	case "game":
		v.page.requests.game(m.Game)
	case "frame":
		v.page.requests.display()
	default:
		return fmt.Errorf("unknown message %.20q", m.T)
	}
	return nil
}

// say queues a line for the game. If there are too many, the browser shows that it
// was not sent.
func (v *viewer) say(text string) {
	text = chatLine(text)
	if text != "" && !v.page.requests.say(text) {
		v.page.Chat("", "not sent (too many lines at once): "+text)
	}
}

// sound chooses the volume, for all browsers.
func (v *viewer) sound(volume float64, muted bool) error {
	p := v.page
	if err := p.settings.SetSound(volume, muted); err != nil {
		return err
	}
	p.tell(func(f *feed) { f.choose(func(s *pageSettings) { s.Volume, s.Muted = volume, muted }) })
	return nil
}

// bind chooses the keys of an input of this game, on all pages.
func (v *viewer) bind(what string, keys []string) {
	if err := v.page.settings.Bind(v.page.Game(), what, keys); err != nil {
		v.page.Chat("", "not bound: "+err.Error())
	}
}

// chatLine makes a text fit for the wire: one line without control characters, of
// limited length.
func chatLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if wire.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	for len(text) > wire.MaxChat {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return strings.TrimSpace(text)
}
