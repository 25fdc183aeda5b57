package relay

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// relayWindow is how many records may be on their way to one client. A power
// of two: bitsets index by seq modulo it.
const relayWindow = 1 << 14

// span is the records [from, to).
type span struct{ from, to uint32 }

// flight is a HostPacket on its way.
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

// Sender brings the log to one client: every record at once, then in the next
// frames as often as the line's losses warrant, and again, as often, when the
// frame that had it first is given up. What arrived is known by the acks of
// frames.
type Sender struct {
	log      *Log
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
	writer       wire.HostPacketWriter
	buf          []byte
}

// NewSender relays the records from a Seq on, in frames after frameSeq.
func NewSender(log *Log, from, frameSeq uint32) *Sender {
	return &Sender{log: log, base: from, next: from, frameSeq: frameSeq, oldest: frameSeq + 1, srtt: 200 * time.Millisecond, rttvar: 50 * time.Millisecond}
}

// Acked returns the number below which every record has arrived.
func (r *Sender) Acked() uint32 { return r.base }

// LastSeq returns the number of the last packet built.
func (r *Sender) LastSeq() uint32 { return r.frameSeq }

// RTT returns the smoothed time between a packet and its acknowledgement.
func (r *Sender) RTT() time.Duration { return r.srtt }

// lossMemory is over how many frames the share of lost ones is smoothed.
const lossMemory = 64

// rto is when a frame that was not acknowledged is given up.
func (r *Sender) rto() time.Duration {
	return min(max(r.srtt+4*r.rttvar, 50*time.Millisecond), time.Second)
}

// copies is how many frames in a row carry a new record.
func (r *Sender) copies() int {
	switch {
	case r.loss > 0.1:
		return 4
	case r.loss > 0.03:
		return 3
	default:
		return 2
	}
}

// Acknowledge takes in which frames have arrived.
func (r *Sender) Acknowledge(now time.Duration, ack wire.Ack) {
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

func (r *Sender) measure(rtt time.Duration) {
	d := r.srtt - rtt
	if d < 0 {
		d = -d
	}
	r.rttvar += (d - r.rttvar) / 4
	r.srtt += (rtt - r.srtt) / 8
}

// deliver notes that the content of a frame has arrived, late or not.
func (r *Sender) deliver(f *flight) {
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

func (r *Sender) mark(s span) {
	for seq := max(s.from, r.base); seq < s.to; seq++ {
		r.arrived.set(seq)
	}
}

// giveUp puts what frames without an answer carried first into the queue of
// what is sent again.
func (r *Sender) giveUp(now time.Duration) {
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

// Packet builds the next HostPacket; the bytes are valid until the next call.
func (r *Sender) Packet(now time.Duration, t world.Tick, inputs wire.InputAck) []byte {
	r.giveUp(now)
	r.frameSeq++
	f := &r.flights[r.frameSeq%uint32(len(r.flights))]
	*f = flight{seq: r.frameSeq, at: now, open: true, resent: f.resent[:0], again: f.again[:0], defined: f.defined[:0]}
	r.writer.Reset(r.buf, wire.HostPacket{Seq: r.frameSeq, Tick: t, Inputs: inputs})
	r.resend(f)
	f.fresh = r.fill(f, span{r.next, min(r.log.End(), r.base+relayWindow)})
	r.next = max(r.next, f.fresh.to)
	r.repeat(f)
	r.buf = r.writer.Bytes()
	return r.buf
}

// Behind reports whether the last frame had no room for all that was to be sent.
func (r *Sender) Behind() bool {
	return len(r.lost) > 0 || r.next < min(r.log.End(), r.base+relayWindow)
}

func (r *Sender) resend(f *flight) {
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
func (r *Sender) repeat(f *flight) {
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
func (r *Sender) sendAgain(f *flight, resent []uint32) {
	for _, seq := range resent {
		if seq >= r.base && !r.arrived.has(seq) && r.add(f, seq) {
			f.again = append(f.again, seq)
		}
	}
}

// fill adds the records of a span that have not arrived, and gives the part
// of it that found room.
func (r *Sender) fill(f *flight, s span) span {
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

func (r *Sender) add(f *flight, seq uint32) bool {
	rec := r.log.At(seq)
	if rec.UsesChannel() && !r.define(f, wire.Channel{Number: rec.Channel, Object: rec.Event.Object}) {
		return false
	}
	return r.writer.Add(rec)
}

// define sees to it that the client can tell what a channel stands for.
func (r *Sender) define(f *flight, c wire.Channel) bool {
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
