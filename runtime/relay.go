package runtime

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// relayWindow is how many records may be on their way to one client. A power
// of two: bitsets index by seq modulo it.
const relayWindow = 1 << 14

// appliedLog is the applied-input log as the host relays it: every event, and
// the mark that a tick is final, numbered in the order in which the host
// learned them.
type appliedLog struct {
	first    uint32 // Seq of records[0]
	records  []wire.Record
	channels map[world.ObjectID]uint16 // looked up, never ranged over
	objects  []world.ObjectID          // by channel number
	spare    []uint16                  // numbers of objects that are gone, the oldest first
	unsaid   []world.Event             // inputs that concern not everybody, of ticks that can change
}

func newAppliedLog() *appliedLog {
	return &appliedLog{first: 1, channels: map[world.ObjectID]uint16{}}
}

// end is the Seq that the next record gets.
func (l *appliedLog) end() uint32 { return l.first + uint32(len(l.records)) }

func (l *appliedLog) at(seq uint32) *wire.Record { return &l.records[seq-l.first] }

// event appends an event.
func (l *appliedLog) event(e world.Event) {
	r := wire.Record{Seq: l.end(), Event: e}
	if wire.Channelled(e.Kind) {
		r.Channel = l.channel(e.Object)
	}
	l.records = append(l.records, r)
}

// keep notes an input that is not relayed.
func (l *appliedLog) keep(e world.Event) { l.unsaid = append(l.unsaid, e) }

// given appends what is given of tick t, which is about to be final.
func (l *appliedLog) given(t world.Tick, b []byte) {
	for part := range slices.Chunk(b, wire.MaxGiven) {
		l.records = append(l.records, wire.Record{Seq: l.end(), Given: part, Event: world.Event{Tick: t}})
	}
	l.unsaid = slices.DeleteFunc(l.unsaid, func(e world.Event) bool { return e.Tick <= t })
}

// final appends the mark that tick t cannot change any more.
func (l *appliedLog) final(t world.Tick, hash uint64) {
	l.records = append(l.records, wire.Record{Seq: l.end(), Final: true, Hash: hash, Event: world.Event{Tick: t}})
}

// channel is the short name of an object. A name is used again only when all
// 65,536 have been: by then every client has been told what it means.
func (l *appliedLog) channel(id world.ObjectID) uint16 {
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

// release gives back the names of objects that alive does not know any more. An object
// may have had others before that it has now: those have been given back.
func (l *appliedLog) release(alive func(world.ObjectID) bool) {
	for n, id := range l.objects {
		if now, named := l.channels[id]; named && int(now) == n && !alive(id) {
			delete(l.channels, id)
			l.spare = append(l.spare, uint16(n))
		}
	}
}

// since is the Seq of the first record that concerns a tick after t.
func (l *appliedLog) since(t world.Tick) uint32 {
	for i := range l.records {
		if l.records[i].Event.Tick > t {
			return l.records[i].Seq
		}
	}
	return l.end()
}

// newsFor reports whether a record from seq known on tells of something that
// happened up to tick t: what a client that has all below known cannot know.
func (l *appliedLog) newsFor(known uint32, t world.Tick) bool {
	for seq := max(known, l.first); seq < l.end(); seq++ {
		if r := l.at(seq); r.IsEvent() && r.Event.Tick <= t {
			return true
		}
	}
	return known < l.first
}

// forget drops the records below seq that concern ticks up to t.
func (l *appliedLog) forget(seq uint32, t world.Tick) {
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

// span is the records [from, to).
type span struct{ from, to uint32 }

// flight is a HostFrame on its way.
type flight struct {
	seq      uint32
	at       time.Duration
	open     bool // neither acknowledged nor given up
	acked    bool
	fresh    span // what it carried for the first time
	repeated span // what it carried for redundancy
	resent   []uint32
	again    []uint32 // what the frames before sent again, for redundancy
	defined  []wire.Channel
}

// relay brings the log to one client: every record at once, then in the next
// frames as often as the line's losses warrant, and again, as often, when the
// frame that had it first is given up. What arrived is known by the acks of
// frames.
type relay struct {
	log      *appliedLog
	base     uint32 // every record below has arrived
	next     uint32 // the first record never sent
	arrived  bitset
	lost     []uint32 // to be sent again
	frameSeq uint32
	flights  [256]flight
	oldest   uint32           // no flight below is open
	knows    []world.ObjectID // by channel: what the client knows it to stand for

	srtt, rttvar time.Duration // RFC 6298, of frames and their acks
	loss         float64       // share of frames given up, smoothed
	writer       wire.HostFrameWriter
	buf          []byte
}

// newRelay relays the records from a Seq on, in frames after frameSeq.
func newRelay(log *appliedLog, from, frameSeq uint32) *relay {
	return &relay{log: log, base: from, next: from, frameSeq: frameSeq, oldest: frameSeq + 1, srtt: 200 * time.Millisecond, rttvar: 50 * time.Millisecond}
}

// lossMemory is over how many frames the share of lost ones is smoothed.
const lossMemory = 64

// rto is when a frame that was not acknowledged is given up.
func (r *relay) rto() time.Duration {
	return min(max(r.srtt+4*r.rttvar, 50*time.Millisecond), time.Second)
}

// copies is how many frames in a row carry a new record.
func (r *relay) copies() int {
	switch {
	case r.loss > 0.1:
		return 4
	case r.loss > 0.03:
		return 3
	default:
		return 2
	}
}

// acknowledge takes in which frames have arrived.
func (r *relay) acknowledge(now time.Duration, ack wire.Ack) {
	for i := 0; i <= 64 && ack.Newest > uint32(i); i++ {
		if i > 0 && ack.Mask&(1<<(i-1)) == 0 {
			continue
		}
		f := &r.flights[(ack.Newest-uint32(i))%uint32(len(r.flights))]
		if f.seq != ack.Newest-uint32(i) || f.seq == 0 {
			continue
		}
		if f.acked {
			continue
		}
		r.measure(now - f.at)
		if f.open {
			r.loss -= float64(r.loss / lossMemory)
		} else { // given up too soon: it was not lost
			r.loss = max(r.loss-1.0/lossMemory, 0)
		}
		f.open, f.acked = false, true
		r.deliver(f)
	}
	for r.base < r.next && r.arrived.has(r.base) {
		r.arrived.clear(r.base)
		r.base++
	}
}

func (r *relay) measure(rtt time.Duration) {
	d := r.srtt - rtt
	if d < 0 {
		d = -d
	}
	r.rttvar += (d - r.rttvar) / 4
	r.srtt += (rtt - r.srtt) / 8
}

// deliver notes that the content of a frame has arrived, late or not.
func (r *relay) deliver(f *flight) {
	r.mark(f.fresh)
	r.mark(f.repeated)
	for _, seq := range f.resent {
		r.mark(span{seq, seq + 1})
	}
	for _, seq := range f.again {
		r.mark(span{seq, seq + 1})
	}
	for _, ch := range f.defined {
		r.knows[ch.Number] = ch.Object
	}
	f.fresh, f.repeated, f.resent, f.again, f.defined = span{}, span{}, f.resent[:0], f.again[:0], f.defined[:0]
}

func (r *relay) mark(s span) {
	for seq := max(s.from, r.base); seq < s.to; seq++ {
		r.arrived.set(seq)
	}
}

// giveUp puts what frames without an answer carried first into the queue of
// what is sent again.
func (r *relay) giveUp(now time.Duration) {
	rto := r.rto()
	for ; r.oldest <= r.frameSeq; r.oldest++ {
		f := &r.flights[r.oldest%uint32(len(r.flights))]
		if f.seq != r.oldest || !f.open {
			continue
		}
		if now-f.at < rto && r.frameSeq-f.seq < uint32(len(r.flights))-1 {
			return
		}
		f.open = false
		r.loss += float64((1 - r.loss) / lossMemory)
		for seq := max(f.fresh.from, r.base); seq < f.fresh.to; seq++ {
			if !r.arrived.has(seq) {
				r.lost = append(r.lost, seq)
			}
		}
		for _, seq := range f.resent {
			if seq >= r.base && !r.arrived.has(seq) {
				r.lost = append(r.lost, seq)
			}
		}
	}
}

// frame builds the next HostFrame; the bytes are valid until the next call.
func (r *relay) frame(now time.Duration, t world.Tick, inputs wire.InputAck) []byte {
	r.giveUp(now)
	r.frameSeq++
	f := &r.flights[r.frameSeq%uint32(len(r.flights))]
	*f = flight{seq: r.frameSeq, at: now, open: true, resent: f.resent[:0], again: f.again[:0], defined: f.defined[:0]}
	r.writer.Reset(r.buf, wire.HostFrame{Seq: r.frameSeq, Tick: t, Inputs: inputs})
	r.resend(f)
	f.fresh = r.fill(f, span{r.next, min(r.log.end(), r.base+relayWindow)})
	r.next = max(r.next, f.fresh.to)
	r.repeat(f)
	r.buf = r.writer.Bytes()
	return r.buf
}

// behind reports whether the last frame had no room for all that was to be sent.
func (r *relay) behind() bool {
	return len(r.lost) > 0 || r.next < min(r.log.end(), r.base+relayWindow)
}

func (r *relay) resend(f *flight) {
	n := 0
	for ; n < len(r.lost); n++ {
		seq := r.lost[n]
		if seq < r.base || r.arrived.has(seq) {
			continue
		}
		if !r.add(f, seq) {
			break
		}
		f.resent = append(f.resent, seq)
	}
	r.lost = append(r.lost[:0], r.lost[n:]...)
}

// repeat adds, while there is room, what the last frames sent again and what
// they brought first.
func (r *relay) repeat(f *flight) {
	from := f.fresh.from
	for i := 1; i < r.copies() && r.frameSeq > uint32(i); i++ {
		g := &r.flights[(r.frameSeq-uint32(i))%uint32(len(r.flights))]
		if g.seq != r.frameSeq-uint32(i) {
			continue
		}
		r.sendAgain(f, g.resent)
		if g.fresh.to > g.fresh.from {
			from = min(from, g.fresh.from)
		}
	}
	f.repeated = r.fill(f, span{max(from, r.base), f.fresh.from})
}

// sendAgain repeats what an earlier frame sent again: all that came later
// waits for it.
func (r *relay) sendAgain(f *flight, resent []uint32) {
	for _, seq := range resent {
		if seq >= r.base && !r.arrived.has(seq) && r.add(f, seq) {
			f.again = append(f.again, seq)
		}
	}
}

// fill adds the records of a span that have not arrived, and gives the part
// of it that found room.
func (r *relay) fill(f *flight, s span) span {
	for seq := s.from; seq < s.to; seq++ {
		if r.arrived.has(seq) {
			continue
		}
		if !r.add(f, seq) {
			return span{s.from, seq}
		}
	}
	return span{s.from, max(s.from, s.to)}
}

func (r *relay) add(f *flight, seq uint32) bool {
	rec := r.log.at(seq)
	if rec.Named() && !r.define(f, wire.Channel{Number: rec.Channel, Object: rec.Event.Object}) {
		return false
	}
	return r.writer.Add(rec)
}

// define sees to it that the client can tell what a channel stands for.
func (r *relay) define(f *flight, c wire.Channel) bool {
	for len(r.knows) <= int(c.Number) {
		r.knows = append(r.knows, 0)
	}
	if r.knows[c.Number] == c.Object || slices.Contains(f.defined, c) {
		return true
	}
	if !r.writer.Define(c) {
		return false
	}
	f.defined = append(f.defined, c)
	return true
}

// bitset is a set of sequence numbers within one relayWindow.
type bitset [relayWindow / 64]uint64

func (b *bitset) has(seq uint32) bool { return b[seq%relayWindow/64]&(1<<(seq%64)) != 0 }
func (b *bitset) set(seq uint32)      { b[seq%relayWindow/64] |= 1 << (seq % 64) }
func (b *bitset) clear(seq uint32)    { b[seq%relayWindow/64] &^= 1 << (seq % 64) }

// receiver is the client's end of a relay: it takes each record once and
// knows below which number it has them all.
type receiver struct {
	base    uint32 // every record below has been taken
	got     bitset
	newest  uint32 // HostFrames: the newest, and which of the 64 before it came
	mask    uint64
	objects []world.ObjectID // by channel
}

// frame notes a HostFrame. stale: a newer one came before it. It is false for
// one that came before, or is older than can be told.
func (r *receiver) frame(seq uint32) (fresh, stale bool) {
	if d := seq - r.newest; seq > r.newest {
		r.mask <<= d
		if r.newest != 0 && d <= 64 {
			r.mask |= 1 << (d - 1)
		}
		r.newest = seq
		return true, false
	}
	i := r.newest - seq
	if i == 0 || i > 64 || r.mask&(1<<(i-1)) != 0 {
		return false, true
	}
	r.mask |= 1 << (i - 1)
	return true, true
}

func (r *receiver) ack() wire.Ack { return wire.Ack{Newest: r.newest, Mask: r.mask} }

// take reports whether a record is new.
func (r *receiver) take(seq uint32) bool {
	if seq < r.base || seq-r.base >= relayWindow || r.got.has(seq) {
		return false
	}
	r.got.set(seq)
	for r.got.has(r.base) {
		r.got.clear(r.base)
		r.base++
	}
	return true
}

// define learns a channel.
func (r *receiver) define(c wire.Channel) {
	for len(r.objects) <= int(c.Number) {
		r.objects = append(r.objects, 0)
	}
	r.objects[c.Number] = c.Object
}

// object is what a channel stands for, 0 if the client has not been told.
func (r *receiver) object(ch uint16) world.ObjectID {
	if int(ch) < len(r.objects) {
		return r.objects[ch]
	}
	return 0
}
