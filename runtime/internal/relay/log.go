package relay

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Log is the applied-input log of a room as the host relays it. Its records are the
// events that concern every client, the authoritative patches and the commit marks,
// in the order in which the host learned of them.
type Log struct {
	first    uint32 // sequence number of records[0]
	records  []wire.Record
	channels map[world.ObjectID]uint16 // looked up, never ranged over
	objects  []world.ObjectID          // by channel
	spare    []uint16                  // released channels, the oldest first
	withheld []world.Event             // see Withhold
	whole    []wholeSight              // of records that have a part of their sight, by number
	check    bool                      // assert that the host keeps the order
	commit   world.Tick                // the last commit mark
}

// wholeSight is the sight of an event of which clients get a part.
type wholeSight struct {
	seq   uint32
	tick  world.Tick
	sight world.Sight
}

// NewLog returns an empty log, whose first record has number 1. check asserts that commit marks
// follow each other, and that nothing is appended for a tick that is committed.
func NewLog(check bool) *Log {
	return &Log{first: 1, check: check, channels: map[world.ObjectID]uint16{}}
}

// End returns the sequence number of the record to be appended next.
func (l *Log) End() uint32 { return l.first + uint32(len(l.records)) }

// Len returns the number of records that the log holds.
func (l *Log) Len() int { return len(l.records) }

// Withheld returns the events noted by Withhold, of ticks that are not committed. The
// slice belongs to the log.
func (l *Log) Withheld() []world.Event { return l.withheld }

// At returns the record with a sequence number, which the log must still hold.
func (l *Log) At(seq uint32) *wire.Record { return &l.records[seq-l.first] }

// Append appends an event, of whose sight clients get a part, or all of it.
func (l *Log) Append(e world.Event, part world.Sight) {
	l.assertOpen(e.Tick)
	if len(part) != len(e.Sight) {
		l.whole = append(l.whole, wholeSight{l.End(), e.Tick, e.Sight})
		e.Sight = part
	}
	r := wire.Record{Seq: l.End(), Event: e}
	if wire.UsesChannel(e.Kind) {
		r.Channel = l.channel(e.Object)
	}
	l.records = append(l.records, r)
}

// Whole returns the event of the record with a sequence number as the host applied it, with its whole sight, if its
// tick is not committed.
func (l *Log) Whole(seq uint32) world.Event {
	e := l.At(seq).Event
	if i, ok := slices.BinarySearchFunc(
		l.whole,
		seq,
		func(w wholeSight, seq uint32) int { return cmp.Compare(w.seq, seq) },
	); ok {
		e.Sight = l.whole[i].sight
	}
	return e
}

// Withhold notes an event that the host applied and does not relay, because not all
// clients simulate its object.
func (l *Log) Withhold(e world.Event) { l.withheld = append(l.withheld, e) }

// Patch appends the authoritative patch of tick t, which is about to be committed, in
// as many records as it needs.
func (l *Log) Patch(t world.Tick, b []byte) {
	for part := range slices.Chunk(b, wire.MaxPatch) {
		l.records = append(l.records, wire.Record{Seq: l.End(), Patch: part, Event: world.Event{Tick: t}})
	}
	l.withheld = slices.DeleteFunc(l.withheld, func(e world.Event) bool { return e.Tick <= t })
}

// Commit appends the mark that tick t can no longer change, with the hash that clients
// compare.
func (l *Log) Commit(t world.Tick, hash uint64) {
	l.assertOpen(t)
	if l.check && l.commit != 0 && t != l.commit+1 {
		panic(fmt.Sprintf("relay: tick %d is committed after tick %d", t, l.commit))
	}
	l.commit = t
	l.whole = slices.DeleteFunc(l.whole, func(w wholeSight) bool { return w.tick <= t })
	l.records = append(l.records, wire.Record{Seq: l.End(), Committed: true, Hash: hash, Event: world.Event{Tick: t}})
}

// assertOpen panics if tick t is committed and cannot change any more.
func (l *Log) assertOpen(t world.Tick) {
	if l.check && t <= l.commit {
		panic(fmt.Sprintf("relay: an entry for tick %d, and tick %d is committed", t, l.commit))
	}
}

// channel returns the number that stands for an object on the wire. A released number
// is reused only when all 65,536 have been used, the one released first before the others.
func (l *Log) channel(id world.ObjectID) uint16 {
	if n, ok := l.channels[id]; ok {
		return n
	}
	n := uint16(len(l.objects))
	if len(l.objects) < 1<<16 {
		l.objects = append(l.objects, id)
	} else {
		n, l.spare = l.spare[0], l.spare[1:] // never empty: a room holds fewer objects than there are channels
		l.objects[n] = id
	}
	l.channels[id] = n
	return n
}

// ReleaseChannels releases the channels of all objects for which inUse returns false.
func (l *Log) ReleaseChannels(inUse func(world.ObjectID) bool) {
	for n, id := range l.objects { // an object may have had other channels before, which are released already
		if current, ok := l.channels[id]; ok && int(current) == n && !inUse(id) {
			delete(l.channels, id)
			l.spare = append(l.spare, uint16(n))
		}
	}
}

// Since returns the sequence number of the first record of a tick after t.
func (l *Log) Since(t world.Tick) uint32 {
	for i := range l.records {
		if l.records[i].Event.Tick > t {
			return l.records[i].Seq
		}
	}
	return l.End()
}

// HasNews reports whether a client that has the records below a sequence number lacks
// an event up to tick t.
func (l *Log) HasNews(known uint32, t world.Tick) bool {
	for seq := max(known, l.first); seq < l.End(); seq++ {
		if r := l.At(seq); r.IsEvent() && r.Event.Tick <= t {
			return true
		}
	}
	return known < l.first
}

// forgetFrom is the fewest records that Forget drops. Most rooms of a server are small, and what a tick of
// theirs costs is mainly to fetch memory: a log that is reused stays in the processor's cache.
const forgetFrom = 64

// Forget drops the records below a sequence number whose tick is t or earlier.
func (l *Log) Forget(seq uint32, t world.Tick) {
	n := 0
	for n < len(l.records) && l.records[n].Seq < seq && l.records[n].Event.Tick <= t {
		n++
	}
	if n < forgetFrom || n < len(l.records)-n {
		return // moving the others would cost more than keeping these
	}
	l.first += uint32(n)
	l.records = slices.Delete(l.records, 0, n)
}
