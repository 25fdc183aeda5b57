package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/coder/websocket"
	"github.com/hindcast/hindcast/net/wire"
)

// viewer is one browser window.
type viewer struct {
	page   *page
	conn   *websocket.Conn
	cancel context.CancelFunc
	wake   chan struct{} // has a value when there may be something to send
	at     cursor        // the writer's
	hand   hand          // the reader's: the keys that are down in this browser
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
	v := &viewer{page: p, cancel: cancel, wake: make(chan struct{}, 1)}
	if err := p.enter(v); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer p.leave(v)
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		p.log.Warn("a connection to the game page was refused", "error", err)
		return
	}
	conn.SetReadLimit(maxFromBrowser)
	v.conn = conn
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

func (p *page) enter(v *viewer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closing {
		return errors.New("the program is ending")
	}
	if len(p.viewers) >= maxViewers {
		return fmt.Errorf("%d windows show this game already, which is the limit", maxViewers)
	}
	v.at = p.feed.enter()
	p.viewers[v] = struct{}{}
	p.open.Add(1)
	v.wakeUp()
	return nil
}

// leave removes a browser and releases its keys.
func (p *page) leave(v *viewer) {
	p.keys.hold(&v.hand, nil)
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
		closing := v.page.closing
		v.page.mu.Unlock()
		if err := v.sendAll(ctx, texts, frame); err != nil {
			return
		}
		if closing {
			_ = v.send(ctx, websocket.MessageText, []byte(`{"t":"bye"}`))
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
	Flow []float64 `json:"flow"` // flow: the wheel, in notches away from the player; metres that the pointer moved, x, y
	Text string    `json:"text"` // say
}

// read receives messages until the browser disconnects or sends a malformed one.
func (v *viewer) read(ctx context.Context) {
	for {
		_, data, err := v.conn.Read(ctx)
		if err != nil {
			return
		}
		if err := v.take(data); err != nil {
			v.page.log.Warn("the game page sent a malformed message", "error", err)
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
	case "keys":
		return v.page.keys.hold(&v.hand, m.Down)
	case "pointer":
		v.page.keys.point(m.X, m.Y)
	case "sticks":
		return v.page.keys.push(m.Axes)
	case "flow":
		return v.page.keys.flow(m.Flow)
	case "say":
		v.say(m.Text)
	default:
		return fmt.Errorf("unknown message %.20q", m.T)
	}
	return nil
}

// say queues a line for the game. If there are too many, the browser shows that it
// was not sent.
func (v *viewer) say(text string) {
	text = chatLine(text)
	if text == "" {
		return
	}
	select {
	case v.page.said <- text:
	default:
		v.page.Chat("", "not sent (too many lines at once): "+text)
	}
}

// chatLine makes a text fit for the wire: one line without control characters, of
// limited length.
func chatLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
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
