package relay

import (
	"math/bits"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// window is the most records that may be unacknowledged at one client. It is a
// power of two: bitsets index by sequence number modulo it.
const window = 1 << 14

// span is the records [from, to).
type span struct{ from, to uint32 }

// flight is a host packet that was sent.
type flight struct {
	seq      uint32
	at       time.Duration
	tick     world.Tick // of the host when it was sent
	open     bool       // neither acknowledged nor given up
	acked    bool
	fresh    span // records that it carried first
	repeated span // records that it carried for redundancy
	resent   []uint32
	again    []uint32 // records that earlier packets resent, carried for redundancy
	defined  []wire.Channel
}

// Sender sends the records of a Log to one client. It sends every new record in the
// next packet, repeats it in the packets after that as often as the losses of the line
// warrant, and resends it when the packet that carried it first is given up. It learns
// from acknowledged packets which records have arrived.
type Sender struct {
	records *Log
	base    uint32 // every record below has arrived
	next    uint32 // the first record that was never sent
	arrived bitset
	lost    []uint32 // records to resend
	seq     uint32   // of the last packet
	flights [256]flight
	oldest  uint32           // no flight below is open
	heard   wire.Ack         // the last acknowledgement
	knows   []world.ObjectID // by channel: the object that the client has for it
	line    line
	writer  wire.HostPacketWriter
	buf     []byte
}

// NewSender returns a sender of the records from a sequence number on. Its packets
// are numbered from lastPacket + 1.
func NewSender(records *Log, from, lastPacket uint32) *Sender {
	return &Sender{records: records, base: from, next: from, seq: lastPacket, oldest: lastPacket + 1, line: newLine()}
}

// Acked returns the sequence number below which every record has arrived.
func (s *Sender) Acked() uint32 { return s.base }

// LastSeq returns the number of the last packet.
func (s *Sender) LastSeq() uint32 { return s.seq }

// Known returns the tick of the host in the newest packet that is known to have arrived, and when it was sent; 0: none.
func (s *Sender) Known() (t world.Tick, sent time.Duration) {
	if f := s.flight(s.heard.Newest); f != nil {
		return f.tick, f.at
	}
	return 0, 0
}

// RTT returns the smoothed time between a packet and its acknowledgement.
func (s *Sender) RTT() time.Duration { return s.line.roundTrip() }

// Acknowledge notes the packets that have arrived.
func (s *Sender) Acknowledge(now time.Duration, ack wire.Ack) {
	s.arrive(now, ack.Newest)
	for news := maskSince(ack, s.heard); news != 0; news &= news - 1 {
		if back := uint32(bits.TrailingZeros64(news)) + 1; back < ack.Newest {
			s.arrive(now, ack.Newest-back)
		}
	}
	if ack.Newest >= s.heard.Newest && ack.Newest <= s.seq { // or it names packets that are yet to be sent
		s.heard = ack
	}
	for s.base < s.next && s.arrived.has(s.base) {
		s.arrived.clear(s.base)
		s.base++
	}
}

// maskSince returns the bits of the mask of ack that an earlier acknowledgement does not have. An
// acknowledgement names 65 packets, and nearly always one of them is new.
func maskSince(ack, earlier wire.Ack) uint64 {
	if earlier.Newest == 0 || ack.Newest < earlier.Newest {
		return ack.Mask
	}
	passed := ack.Newest - earlier.Newest
	had := earlier.Mask << passed
	if passed > 0 {
		had |= 1 << (passed - 1)
	}
	return ack.Mask &^ had
}

// arrive notes that a packet has arrived.
func (s *Sender) arrive(now time.Duration, seq uint32) {
	f := s.flight(seq)
	if f == nil || f.acked {
		return
	}
	s.line.acknowledged(now-f.at, !f.open)
	f.open, f.acked = false, true
	s.deliver(f)
}

// flight returns the packet of a number, nil if it was not sent or is too old.
func (s *Sender) flight(seq uint32) *flight {
	f := &s.flights[seq%uint32(len(s.flights))]
	if f.seq != seq || seq == 0 {
		return nil
	}
	return f
}

// deliver notes that the records of a packet have arrived, late or not.
func (s *Sender) deliver(f *flight) {
	s.mark(f.fresh)
	s.mark(f.repeated)
	for _, seq := range f.resent {
		s.mark(span{seq, seq + 1})
	}
	for _, seq := range f.again {
		s.mark(span{seq, seq + 1})
	}
	for _, ch := range f.defined {
		s.knows[ch.Number] = ch.Object
	}
	f.fresh, f.repeated, f.resent, f.again, f.defined = span{}, span{}, f.resent[:0], f.again[:0], f.defined[:0]
}

func (s *Sender) mark(arrived span) {
	for seq := max(arrived.from, s.base); seq < arrived.to; seq++ {
		s.arrived.set(seq)
	}
}

// giveUp finds the packets whose acknowledgement is overdue, and queues their
// records for resending.
func (s *Sender) giveUp(now time.Duration) {
	timeout := s.line.timeout()
	for ; s.oldest <= s.seq; s.oldest++ {
		f := s.flight(s.oldest)
		if f == nil || !f.open {
			continue
		}
		if now-f.at < timeout && s.seq-f.seq < uint32(len(s.flights))-1 {
			return
		}
		f.open = false
		s.line.gaveUp()
		for seq := max(f.fresh.from, s.base); seq < f.fresh.to; seq++ {
			if !s.arrived.has(seq) {
				s.lost = append(s.lost, seq)
			}
		}
		for _, seq := range f.resent {
			if s.lacks(seq) {
				s.lost = append(s.lost, seq)
			}
		}
	}
}

// Packet builds the next host packet, of tick t, at most wire.MaxDatagram bytes. The
// bytes are valid until the next call.
func (s *Sender) Packet(now time.Duration, t world.Tick, inputs wire.InputAck) []byte {
	s.giveUp(now)
	s.seq++
	f := &s.flights[s.seq%uint32(len(s.flights))]
	*f = flight{
		seq:     s.seq,
		at:      now,
		tick:    t,
		open:    true,
		resent:  f.resent[:0],
		again:   f.again[:0],
		defined: f.defined[:0],
	}
	s.writer.Reset(s.buf, wire.HostPacket{Seq: s.seq, Tick: t, Inputs: inputs})
	s.resend(f)
	f.fresh = s.fill(f, span{s.next, s.limit()})
	s.next = max(s.next, f.fresh.to)
	s.repeat(f)
	s.buf = s.writer.Bytes()
	return s.buf
}

// Behind reports whether the last packet had no room for all records to be sent.
func (s *Sender) Behind() bool { return len(s.lost) > 0 || s.next < s.limit() }

// limit returns the end of the records that may be sent: that of the log, or of the
// window.
func (s *Sender) limit() uint32 { return min(s.records.End(), s.base+window) }

// lacks reports whether a record is not known to have arrived.
func (s *Sender) lacks(seq uint32) bool { return seq >= s.base && !s.arrived.has(seq) }

// resend adds the records that are considered lost, as far as they fit.
func (s *Sender) resend(f *flight) {
	n := 0
	for ; n < len(s.lost); n++ {
		seq := s.lost[n]
		if !s.lacks(seq) {
			continue
		}
		if !s.add(f, seq) {
			break
		}
		f.resent = append(f.resent, seq)
	}
	s.lost = append(s.lost[:0], s.lost[n:]...)
}

// repeat adds, while there is room, the records that the last packets resent and
// those that they carried first.
func (s *Sender) repeat(f *flight) {
	from := f.fresh.from
	for i := 1; i < s.line.copies() && s.seq > uint32(i); i++ {
		g := s.flight(s.seq - uint32(i))
		if g == nil {
			continue
		}
		for _, seq := range g.resent { // first: the client holds back all later records until these arrive
			if s.lacks(seq) && s.add(f, seq) {
				f.again = append(f.again, seq)
			}
		}
		if g.fresh.to > g.fresh.from {
			from = min(from, g.fresh.from)
		}
	}
	f.repeated = s.fill(f, span{max(from, s.base), f.fresh.from})
}

// fill adds the records of a span that have not arrived. It returns the part of
// the span that fitted.
func (s *Sender) fill(f *flight, want span) span {
	for seq := want.from; seq < want.to; seq++ {
		if s.arrived.has(seq) {
			continue
		}
		if !s.add(f, seq) {
			return span{want.from, seq}
		}
	}
	return span{want.from, max(want.from, want.to)}
}

// add adds a record, and the definition of its channel if the client may lack it.
// It reports whether both fitted.
func (s *Sender) add(f *flight, seq uint32) bool {
	rec := s.records.At(seq)
	if rec.UsesChannel() && !s.define(f, wire.Channel{Number: rec.Channel, Object: rec.Event.Object}) {
		return false
	}
	return s.writer.Add(rec)
}

func (s *Sender) define(f *flight, c wire.Channel) bool {
	for len(s.knows) <= int(c.Number) {
		s.knows = append(s.knows, 0)
	}
	if s.knows[c.Number] == c.Object || slices.Contains(f.defined, c) {
		return true
	}
	if !s.writer.Define(c) {
		return false
	}
	f.defined = append(f.defined, c)
	return true
}

// bitset is a set of sequence numbers within one window.
type bitset [window / 64]uint64

func (b *bitset) has(seq uint32) bool { return b[seq%window/64]&(1<<(seq%64)) != 0 }
func (b *bitset) set(seq uint32)      { b[seq%window/64] |= 1 << (seq % 64) }
func (b *bitset) clear(seq uint32)    { b[seq%window/64] &^= 1 << (seq % 64) }
