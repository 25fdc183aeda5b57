package main

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
)

// feed is what browsers are told, as messages ready to send. There are eight
// kinds: how bodies look (kinds), the labels that say what fields hold (labels), which
// bodies ropes tie (ropes) and what changes seldom (info) are JSON and sent when they
// change; lines of chat, cues and reasons are JSON; frames are binary,
// and only the newest counts. Messages are made once for all browsers and not changed
// after that.
type feed struct {
	frame    []byte
	frameSeq uint64
	info     []byte
	infoSeq  uint64
	infoNow  pageInfo
	kinds    kindTable
	labels   []byte
	labelSeq uint64
	ropes    []byte
	ropeSeq  uint64
	lines    [][]byte // the last lines of chat
	said     int      // lines of chat so far
	cues     [][]byte // the last ones
	cued     int      // cues so far
	moves    [][]byte // the last reasons why an object of this player's was moved
	moved    int      // reasons so far
}

// maxLines is how many lines of chat a new browser is shown.
const maxLines = 50

// maxMoves is how many reasons a browser may be behind before it misses some.
const maxMoves = 4

// maxCues is how many cues a browser may be behind before it misses some.
const maxCues = 256

// pageInfo is what changes seldom.
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

// publish makes the messages of a view.
func (f *feed) publish(v *runtime.View, help []helpRow) {
	f.takeInfo(v, help)
	f.takeLabels(v)
	f.takeRopes(v)
	f.frame = f.kinds.appendFrame(nil, v)
	f.frameSeq++
}

// pageLabel is what is written under one body.
type pageLabel struct {
	ID   uint64 `json:"id"` // as many of its bits as a number of JavaScript holds
	Text string `json:"text"`
}

const numberBits = 53

// takeLabels notes the labels that are not the same for all bodies of a kind.
func (f *feed) takeLabels(v *runtime.View) {
	var labels []pageLabel
	for i := range v.Bodies {
		if b := &v.Bodies[i]; b.Look.Changes() {
			labels = append(labels, pageLabel{uint64(b.ID) & (1<<numberBits - 1), b.Label()})
		}
	}
	if labels == nil && f.labels == nil {
		return
	}
	now := mustJSON(struct {
		T      string      `json:"t"`
		Labels []pageLabel `json:"labels"`
	}{"labels", labels})
	renew(&f.labels, &f.labelSeq, now)
}

// renew takes over a message that is not the same as the last one.
func renew(last *[]byte, seq *uint64, now []byte) {
	if !bytes.Equal(now, *last) {
		*last = now
		*seq++
	}
}

// pageRope is a line between two bodies, or a body and (b 0) a place.
type pageRope struct {
	A  uint64  `json:"a"` // as many bits as in a pageLabel
	B  uint64  `json:"b"`
	AX float64 `json:"ax"` // metres, in the frame of a
	AY float64 `json:"ay"`
	BX float64 `json:"bx"`
	BY float64 `json:"by"`
}

// takeRopes notes the lines between bodies.
func (f *feed) takeRopes(v *runtime.View) {
	if len(v.Lines) == 0 && f.ropes == nil {
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
	renew(&f.ropes, &f.ropeSeq, now)
}

func (f *feed) takeInfo(v *runtime.View, help []helpRow) {
	now := pageInfo{T: "info", Stage: v.Stage, Status: v.Status, Over: v.Stage == runtime.StageOver, Game: v.Game, Player: v.Player,
		Rate: v.TickRate, Width: v.Width, Height: v.Height, Players: f.infoNow.Players, Help: help}
	same := func(a pagePlayer, b runtime.ViewPlayer) bool { return a.ID == b.ID && a.Name == b.Name }
	if !slices.EqualFunc(now.Players, v.Players, same) || now.Players == nil {
		now.Players = make([]pagePlayer, 0, len(v.Players))
		for _, p := range v.Players {
			now.Players = append(now.Players, pagePlayer{p.ID, p.Name})
		}
	} else if f.infoNow.same(&now) {
		return
	}
	f.infoNow, f.info = now, mustJSON(now)
	f.infoSeq++
}

// same compares all but the players.
func (a *pageInfo) same(b *pageInfo) bool {
	return a.Stage == b.Stage && a.Status == b.Status && a.Game == b.Game && a.Player == b.Player && a.Rate == b.Rate &&
		a.Width == b.Width && a.Height == b.Height &&
		slices.EqualFunc(a.Help, b.Help, func(x, y helpRow) bool { return x.What == y.What && slices.Equal(x.Keys, y.Keys) })
}

func (f *feed) chat(from, text string) {
	line := mustJSON(map[string]string{"t": "chat", "from": from, "text": text})
	f.lines = append(f.lines, line)
	if len(f.lines) > maxLines {
		f.lines = slices.Delete(f.lines, 0, len(f.lines)-maxLines)
	}
	f.said++
}

// cursor is what one browser has been sent.
type cursor struct {
	frame, info uint64
	labels      uint64
	ropes       uint64
	kinds       kindsRead
	lines       int
	cues        int
	moves       int
}

func (f *feed) cue(c pageCue) {
	f.cues = append(f.cues, mustJSON(c))
	if len(f.cues) > maxCues {
		f.cues = slices.Delete(f.cues, 0, len(f.cues)-maxCues)
	}
	f.cued++
}

// move tells why an object was moved.
func (f *feed) move(m *runtime.Move) {
	f.moves = append(f.moves, mustJSON(map[string]string{"t": "move", "kind": m.Kind.String(), "text": m.String()}))
	if len(f.moves) > maxMoves {
		f.moves = slices.Delete(f.moves, 0, len(f.moves)-maxMoves)
	}
	f.moved++
}

// news gives the messages that a browser lacks, in the order in which it
// needs them, and moves its cursor.
func (f *feed) news(at *cursor) (texts [][]byte, frame []byte) {
	if at.info != f.infoSeq {
		at.info = f.infoSeq
		texts = append(texts, f.info)
	}
	if msg := f.kinds.since(&at.kinds); msg != nil {
		texts = append(texts, msg)
	}
	if at.labels != f.labelSeq {
		at.labels = f.labelSeq
		texts = append(texts, f.labels)
	}
	if at.ropes != f.ropeSeq {
		at.ropes = f.ropeSeq
		texts = append(texts, f.ropes)
	}
	missed := min(f.said-at.lines, len(f.lines))
	texts = append(texts, f.lines[len(f.lines)-missed:]...)
	at.lines = f.said
	missed = min(f.cued-at.cues, len(f.cues))
	texts = append(texts, f.cues[len(f.cues)-missed:]...)
	at.cues = f.cued
	missed = min(f.moved-at.moves, len(f.moves))
	texts = append(texts, f.moves[len(f.moves)-missed:]...)
	at.moves = f.moved
	if at.frame != f.frameSeq {
		at.frame, frame = f.frameSeq, f.frame
	}
	return texts, frame
}

// mustJSON encodes what can always be encoded.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("client: a message to the page that cannot be encoded: " + err.Error())
	}
	return data
}
