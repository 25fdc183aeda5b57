package relay

import (
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Log is the applied-input log as the host relays it: every event, and
// the mark that a tick is final, numbered in the order in which the host
// learned them.
type Log struct {
	first    uint32 // Seq of records[0]
	records  []wire.Record
	channels map[world.ObjectID]uint16 // looked up, never ranged over
	objects  []world.ObjectID          // by channel number
	spare    []uint16                  // numbers of objects that are gone, the oldest first
	unsaid   []world.Event             // inputs that concern not everybody, of ticks that can change
}

func NewLog() *Log {
	return &Log{first: 1, channels: map[world.ObjectID]uint16{}}
}

// End is the Seq that the next record gets.
func (l *Log) End() uint32 { return l.first + uint32(len(l.records)) }

// Len is the number of records held.
func (l *Log) Len() int { return len(l.records) }

// Withheld returns the inputs of ticks that can still change which are not relayed.
// The slice belongs to the log.
func (l *Log) Withheld() []world.Event { return l.unsaid }

// At returns the record of a number that the log holds.
func (l *Log) At(seq uint32) *wire.Record { return &l.records[seq-l.first] }

// Append appends an event.
func (l *Log) Append(e world.Event) {
	r := wire.Record{Seq: l.End(), Event: e}
	if wire.UsesChannel(e.Kind) {
		r.Channel = l.channel(e.Object)
	}
	l.records = append(l.records, r)
}

// Withhold notes an input that is not relayed.
func (l *Log) Withhold(e world.Event) { l.unsaid = append(l.unsaid, e) }

// Patch appends what is given of tick t, which is about to be final.
func (l *Log) Patch(t world.Tick, b []byte) {
	for part := range slices.Chunk(b, wire.MaxPatch) {
		l.records = append(l.records, wire.Record{Seq: l.End(), Patch: part, Event: world.Event{Tick: t}})
	}
	l.unsaid = slices.DeleteFunc(l.unsaid, func(e world.Event) bool { return e.Tick <= t })
}

// Commit appends the mark that tick t cannot change any more.
func (l *Log) Commit(t world.Tick, hash uint64) {
	l.records = append(l.records, wire.Record{Seq: l.End(), Committed: true, Hash: hash, Event: world.Event{Tick: t}})
}

// channel is the short name of an object. A name is used again only when all
// 65,536 have been: by then every client has been told what it means.
func (l *Log) channel(id world.ObjectID) uint16 {
	if n, ok := l.channels[id]; ok {
		return n
	}
	n := uint16(len(l.objects))
	if len(l.objects) < 1<<16 {
		l.objects = append(l.objects, id)
	} else {
		n, l.spare = l.spare[0], l.spare[1:] // never empty: a room holds fewer objects than names
		l.objects[n] = id
	}
	l.channels[id] = n
	return n
}

// ReleaseChannels gives back the names of objects that alive does not know any more. An object
// may have had others before that it has now: those have been given back.
func (l *Log) ReleaseChannels(alive func(world.ObjectID) bool) {
	for n, id := range l.objects {
		if now, named := l.channels[id]; named && int(now) == n && !alive(id) {
			delete(l.channels, id)
			l.spare = append(l.spare, uint16(n))
		}
	}
}

// Since is the Seq of the first record that concerns a tick after t.
func (l *Log) Since(t world.Tick) uint32 {
	for i := range l.records {
		if l.records[i].Event.Tick > t {
			return l.records[i].Seq
		}
	}
	return l.End()
}

// HasNews reports whether a record from seq known on tells of something that
// happened up to tick t: what a client that has all below known cannot know.
func (l *Log) HasNews(known uint32, t world.Tick) bool {
	for seq := max(known, l.first); seq < l.End(); seq++ {
		if r := l.At(seq); r.IsEvent() && r.Event.Tick <= t {
			return true
		}
	}
	return known < l.first
}

// Forget drops the records below seq that concern ticks up to t.
func (l *Log) Forget(seq uint32, t world.Tick) {
	n := 0
	for n < len(l.records) && l.records[n].Seq < seq && l.records[n].Event.Tick <= t {
		n++
	}
	if n < 1024 {
		return // dropping few at a time would cost more than keeping them
	}
	l.first += uint32(n)
	l.records = append(l.records[:0], l.records[n:]...)
}
