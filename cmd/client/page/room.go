package gamepage

import (
	"bytes"
	"encoding/json"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// Room makes the messages about the bodies of views. A frame is binary, and the other messages are JSON:
// how bodies look (kinds), the labels that say what fields hold (labels), and which bodies ropes tie
// (ropes). Messages are made once for all browsers and do not change after that. The zero value is ready.
type Room struct {
	kinds  kindTable
	frames frames
	labels Latest
	ropes  Latest
}

// Seen is how far one browser has been sent these messages.
type Seen struct {
	kinds                kindsRead
	frame, labels, ropes uint64
}

// Publish makes the messages about a view, of which it keeps nothing.
func (r *Room) Publish(v *room.View) {
	r.takeLabels(v)
	r.takeRopes(v)
	r.kinds.begin()
	r.frames.publish(v, &r.kinds)
}

// News returns the messages that a browser lacks, in the order in which it needs them: texts, and then a
// frame, which is nil if there is no newer one.
func (r *Room) News(at *Seen) (texts [][]byte, frame []byte) {
	for _, text := range [][]byte{r.kinds.since(&at.kinds), r.labels.Since(&at.labels), r.ropes.Since(&at.ropes)} {
		if text != nil {
			texts = append(texts, text)
		}
	}
	return texts, r.frames.since(&at.frame)
}

// Still has the messages about one view, for a browser that asks for views one by one.
type Still struct {
	Kinds string            // what the browser knows after these messages
	Texts []json.RawMessage // in the order in which it needs them
	Frame []byte            // with all bodies
}

// Still returns the messages about the newest view. known is the Kinds of the Still before, "" at first.
func (r *Room) Still(known string) Still {
	at := Seen{kinds: r.kinds.known(known)}
	texts, _ := r.News(&at)
	s := Still{Kinds: at.kinds.String(), Frame: r.frames.all()}
	for _, text := range texts {
		s.Texts = append(s.Texts, text)
	}
	return s
}

// Latest is a message of which only the newest counts.
type Latest struct {
	data []byte // nil: there was none yet
	seq  uint64
}

func (l *Latest) Set(data []byte) {
	l.data = data
	l.seq++
}

// Renew is Set for data that may be the same as before.
func (l *Latest) Renew(data []byte) {
	if !bytes.Equal(l.data, data) {
		l.Set(data)
	}
}

// Since returns the message if it is newer than *seq, which it moves.
func (l *Latest) Since(seq *uint64) []byte {
	if *seq == l.seq {
		return nil
	}
	*seq = l.seq
	return l.data
}

// Seq returns the number of the message, for one who is not to get it.
func (l *Latest) Seq() uint64 { return l.seq }

// Data returns the message; nil: there was none yet.
func (l *Latest) Data() []byte { return l.data }

// label is the label of one body.
type label struct {
	ID   uint64 `json:"id"` // the low 53 bits, which a number in JavaScript can hold
	Text string `json:"text"`
}

const numberBits = 53

// Number returns an id as the page knows it: its low 53 bits.
func Number(id world.ObjectID) uint64 { return uint64(id) & (1<<numberBits - 1) }

// takeLabels notes the labels that differ between bodies of a kind.
func (r *Room) takeLabels(v *room.View) {
	var labels []label
	for i := range v.Bodies {
		if b := &v.Bodies[i]; b.Look.Changes() {
			labels = append(labels, label{Number(b.ID), b.Label()})
		}
	}
	if labels == nil && r.labels.Data() == nil {
		return
	}
	now := Encode(struct {
		T      string  `json:"t"`
		Labels []label `json:"labels"`
	}{"labels", labels})
	r.labels.Renew(now)
}

// Rope is a line between two bodies, or between a body and a point (b is 0).
type Rope struct {
	A  uint64  `json:"a"` // 53 bits, as in a label
	B  uint64  `json:"b"`
	AX float64 `json:"ax"` // metres, in the frame of a
	AY float64 `json:"ay"`
	BX float64 `json:"bx"`
	BY float64 `json:"by"`
}

// takeRopes notes the ropes, rods and springs between bodies.
func (r *Room) takeRopes(v *room.View) {
	if len(v.Lines) == 0 && r.ropes.Data() == nil {
		return
	}
	ropes := make([]Rope, 0, len(v.Lines))
	for _, l := range v.Lines {
		ropes = append(ropes, Rope{Number(l.A), Number(l.B), l.AX, l.AY, l.BX, l.BY})
	}
	now := Encode(struct {
		T     string `json:"t"`
		Ropes []Rope `json:"ropes"`
	}{"ropes", ropes})
	r.ropes.Renew(now)
}

// Encode encodes a message, which never fails.
func Encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("gamepage: a message to the page that cannot be encoded: " + err.Error())
	}
	return data
}
