package main

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
)

// feed has the messages for browsers, ready to send. A frame is binary, and all other
// messages are JSON: what changes seldom (info), how bodies look (kinds), the labels
// that say what fields hold (labels), which bodies ropes tie (ropes), lines of chat,
// cues, and the reasons why an object of this player's was moved (moves). Messages are
// made once for all browsers and do not change after that.
type feed struct {
	kinds  kindTable
	shown  pageInfo // the content of info
	frame  latest
	info   latest
	labels latest
	ropes  latest
	chats  backlog
	cues   backlog
	moves  backlog
}

// latest is a message of which only the newest counts.
type latest struct {
	data []byte // nil: there was none yet
	seq  uint64
}

func (l *latest) set(data []byte) {
	l.data = data
	l.seq++
}

// renew is set for data that may be the same as before.
func (l *latest) renew(data []byte) {
	if !bytes.Equal(l.data, data) {
		l.set(data)
	}
}

// since returns the message if it is newer than *seq, which it moves.
func (l *latest) since(seq *uint64) []byte {
	if *seq == l.seq {
		return nil
	}
	*seq = l.seq
	return l.data
}

// backlog is messages of which each counts.
type backlog struct {
	kept  [][]byte // the last ones
	count int      // of all so far
}

// add appends a message. A browser that is more than most behind misses some.
func (b *backlog) add(data []byte, most int) {
	b.kept = append(b.kept, data)
	if len(b.kept) > most {
		b.kept = slices.Delete(b.kept, 0, len(b.kept)-most)
	}
	b.count++
}

// since returns the messages after the first *count, which it moves.
func (b *backlog) since(count *int) [][]byte {
	missed := min(b.count-*count, len(b.kept))
	*count = b.count
	return b.kept[len(b.kept)-missed:]
}

// How many messages a browser may be behind before it misses some.
const (
	maxLines = 50 // of chat; a new browser gets as many
	maxCues  = 256
	maxMoves = 4
)

// pageInfo has the data that seldom changes.
type pageInfo struct {
	T       string         `json:"t"` // "info"
	Stage   runtime.Stage  `json:"stage"`
	Status  string         `json:"status"` // the stage in words, or the reason why play has ended
	Over    bool           `json:"over"`   // play has ended
	Game    string         `json:"game"`
	Player  world.PlayerID `json:"player"`
	Rate    int            `json:"rate"` // ticks a second
	Width   float64        `json:"width"`
	Height  float64        `json:"height"`
	Players []pagePlayer   `json:"players"`
	Help    []helpRow      `json:"help"`
}

type pagePlayer struct {
	ID   world.PlayerID `json:"id"`
	Name string         `json:"name"`
}

func (f *feed) init() { f.kinds.reset() }

// publish makes the messages about a view.
func (f *feed) publish(v *runtime.View, help []helpRow) {
	f.takeInfo(v, help)
	f.takeLabels(v)
	f.takeRopes(v)
	f.frame.set(f.kinds.appendFrame(nil, v))
}

// pageLabel is the label of one body.
type pageLabel struct {
	ID   uint64 `json:"id"` // the low 53 bits, which a number in JavaScript can hold
	Text string `json:"text"`
}

const numberBits = 53

// takeLabels notes the labels that differ between bodies of a kind.
func (f *feed) takeLabels(v *runtime.View) {
	var labels []pageLabel
	for i := range v.Bodies {
		if b := &v.Bodies[i]; b.Look.Changes() {
			labels = append(labels, pageLabel{uint64(b.ID) & (1<<numberBits - 1), b.Label()})
		}
	}
	if labels == nil && f.labels.data == nil {
		return
	}
	now := mustJSON(struct {
		T      string      `json:"t"`
		Labels []pageLabel `json:"labels"`
	}{"labels", labels})
	f.labels.renew(now)
}

// pageRope is a line between two bodies, or between a body and a point (b is 0).
type pageRope struct {
	A  uint64  `json:"a"` // 53 bits, as in a pageLabel
	B  uint64  `json:"b"`
	AX float64 `json:"ax"` // metres, in the frame of a
	AY float64 `json:"ay"`
	BX float64 `json:"bx"`
	BY float64 `json:"by"`
}

// takeRopes notes the ropes, rods and springs between bodies.
func (f *feed) takeRopes(v *runtime.View) {
	if len(v.Lines) == 0 && f.ropes.data == nil {
		return
	}
	ropes := make([]pageRope, 0, len(v.Lines))
	for _, l := range v.Lines {
		ropes = append(ropes, pageRope{uint64(l.A) & (1<<numberBits - 1), uint64(l.B) & (1<<numberBits - 1), l.AX, l.AY, l.BX, l.BY})
	}
	now := mustJSON(struct {
		T     string     `json:"t"`
		Ropes []pageRope `json:"ropes"`
	}{"ropes", ropes})
	f.ropes.renew(now)
}

func (f *feed) takeInfo(v *runtime.View, help []helpRow) {
	now := pageInfo{T: "info", Stage: v.Stage, Status: v.Status, Over: v.Stage == runtime.StageOver, Game: v.Game, Player: v.Player,
		Rate: v.TickRate, Width: v.Width, Height: v.Height, Players: f.shown.Players, Help: help}
	same := func(a pagePlayer, b runtime.ViewPlayer) bool { return a.ID == b.ID && a.Name == b.Name }
	if !slices.EqualFunc(now.Players, v.Players, same) || now.Players == nil {
		now.Players = make([]pagePlayer, 0, len(v.Players))
		for _, p := range v.Players {
			now.Players = append(now.Players, pagePlayer{p.ID, p.Name})
		}
	} else if f.shown.same(&now) {
		return
	}
	f.shown = now
	f.info.set(mustJSON(now))
}

// same compares everything but the players.
func (a *pageInfo) same(b *pageInfo) bool {
	return a.Stage == b.Stage && a.Status == b.Status && a.Game == b.Game && a.Player == b.Player && a.Rate == b.Rate &&
		a.Width == b.Width && a.Height == b.Height &&
		slices.EqualFunc(a.Help, b.Help, func(x, y helpRow) bool { return x.What == y.What && slices.Equal(x.Keys, y.Keys) })
}

func (f *feed) chat(from, text string) {
	f.chats.add(mustJSON(map[string]string{"t": "chat", "from": from, "text": text}), maxLines)
}

func (f *feed) cue(c pageCue) { f.cues.add(mustJSON(c), maxCues) }

// move adds the reason why an object was moved.
func (f *feed) move(m *runtime.Displacement) {
	f.moves.add(mustJSON(map[string]string{"t": "move", "kind": m.Kind.String(), "text": m.String()}), maxMoves)
}

// cursor is how far one browser has been sent messages.
type cursor struct {
	kinds                      kindsRead
	frame, info, labels, ropes uint64
	chats, cues, moves         int
}

// enter returns the cursor of a new browser. Cues and moves that are over are not
// shown again.
func (f *feed) enter() cursor { return cursor{cues: f.cues.count, moves: f.moves.count} }

// news returns the messages that a browser lacks, in the order in which it
// needs them, and moves its cursor.
func (f *feed) news(at *cursor) (texts [][]byte, frame []byte) {
	for _, text := range [][]byte{f.info.since(&at.info), f.kinds.since(&at.kinds), f.labels.since(&at.labels), f.ropes.since(&at.ropes)} {
		if text != nil {
			texts = append(texts, text)
		}
	}
	texts = append(texts, f.chats.since(&at.chats)...)
	texts = append(texts, f.cues.since(&at.cues)...)
	texts = append(texts, f.moves.since(&at.moves)...)
	return texts, f.frame.since(&at.frame)
}

// mustJSON encodes a message, which never fails.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("client: a message to the page that cannot be encoded: " + err.Error())
	}
	return data
}
