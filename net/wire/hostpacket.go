package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// After its header a HostPacket is a sequence of items, so that it can be built until
// the datagram is full. The first byte of an item is its kind.
const (
	itemEnd     = 0x00 // nothing follows
	itemChannel = 0x01 // a Channel: number, object
	itemSeq     = 0x02 // the Seq of the next Record, near the expected one
	itemCommit  = 0x03 // a Record: a commit mark
	itemPatch   = 0x04 // a Record: a part of a patch
	itemEvent   = 0x10 // a Record: an event of kind item - itemEvent, except an input
	itemInput   = 0x80 // a Record: an input; the low seven bits are its tick and form
)

// The forms of an input record, the low three bits of its first byte. They say how the
// channel, the player, the bundle and the input are written. Expected is: the player of
// the channel's last input record in this packet or, for its first, the player that is as
// far from the channel's number as in the input record before; the bundle of the input
// record before, at first 0. A repeated input is that of the channel's last input
// record, at first the neutral input.
const (
	inputExplicit     = iota // flags follow, which say what of the rest does
	inputNextRepeat          // the next channel, everything as expected, a repeated input
	inputNextChange          // the same; the input follows
	inputSameRepeat          // the channel of the input record before, a repeated input
	inputSameChange          // the same; the input follows
	inputNamedRepeat         // the channel follows; a repeated input
	inputNamedChange         // the channel follows, then the input
	inputOtherPlayer         // the channel and the player follow, then the input
	inputFormBits     = 3
	inputFormMask     = 1<<inputFormBits - 1
	inputTicksInHead  = 4
	inputTickHeadMask = 1<<inputTicksInHead - 1
)

// The flags of inputExplicit: what does not follow.
const (
	impliedChannel = 1 << iota // the channel: it is one more than that of the input record before
	impliedPlayer              // the player: it is the expected one
	impliedBundle              // the bundle: it is the expected one
	allImplied     = 1<<iota - 1
	hasSight       = 1 << 3 // a sight follows the input
)

// The four bits of an input record's tick: its distance from the packet's tick.
const (
	nearTicks = 9  // added to the distance: -9 to +5 become 0 to 14
	farTick   = 15 // the tick follows
)

// shortChannels is the number of channels whose last input is remembered.
const shortChannels = 128

// packetContext is what the bytes of a record depend on besides the last inputs. It
// changes with each record, in the same way at both ends.
type packetContext struct {
	base    world.Tick // the tick of the packet
	seq     uint64     // expected for the next record
	channel uint16     // of the last input record
	bundle  uint32     // of the last input record
	offset  uint16     // of the last input record: the player less the channel
}

// after returns the context of the record that follows rec.
func (c packetContext) after(rec *Record) packetContext {
	c.seq = uint64(rec.Seq) + 1
	if rec.IsInput() {
		c.channel, c.bundle = rec.Channel, rec.Event.Bundle
		c.offset = uint16(rec.Event.Player) - rec.Channel
	}
	return c
}

// likelyPlayer returns the expected player of a channel that has had no input record in
// this packet. Channels are numbered in the order in which objects appear, and most
// objects appear together with a player.
func (c packetContext) likelyPlayer(channel uint16) world.PlayerID {
	return world.PlayerID(channel + c.offset)
}

// AppendHostPacket appends the bytes of m, its channels before its records. It does not
// check MaxDatagram; HostPacketWriter does.
func AppendHostPacket(b []byte, m *HostPacket) []byte {
	var c recordCoder
	c.base = m.Tick
	b = appendHostHeader(b, m)
	for _, ch := range m.Channels {
		b = appendChannel(b, ch)
	}
	for i := range m.Records {
		b = c.append(b, &m.Records[i])
		c.after(&m.Records[i])
	}
	return append(b, itemEnd)
}

func appendHostHeader(b []byte, m *HostPacket) []byte {
	b = append(b, byte(KindHostPacket))
	b = binary.AppendUvarint(b, uint64(m.Seq))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	return appendInputAck(b, m.Inputs, m.Tick)
}

func appendChannel(b []byte, ch Channel) []byte {
	b = append(b, itemChannel)
	b = binary.AppendUvarint(b, uint64(ch.Number))
	return appendObject(b, ch.Object)
}

// ParseHostPacket reads a HostPacket into m and reuses its slices. It allocates only the
// texts and values of host events. The error wraps ErrMalformed.
func ParseHostPacket(b []byte, m *HostPacket) error {
	r := openDatagram(b, KindHostPacket)
	m.Seq = r.uint32("seq")
	m.Tick = r.tick("tick")
	m.Inputs = readInputAck(&r, m.Tick)
	m.Channels, m.Records = m.Channels[:0], m.Records[:0]
	p := recordParser{r: &r, frame: m, packetContext: packetContext{base: m.Tick}}
	for {
		item := r.byte("item")
		if item == itemEnd || r.failed() {
			return r.close()
		}
		p.item(item)
	}
}

// recordParser reads the items of one HostPacket.
type recordParser struct {
	r *reader
	packetContext
	frame *HostPacket
	last  [shortChannels]uint16 // by channel: the index in frame.Records of its last input record, from 1
}

func (p *recordParser) item(item byte) {
	switch {
	case item >= itemInput:
		p.inputRecord(item)
	case item == itemChannel:
		ch := Channel{Number: uint16(p.r.uvarint("channel number", math.MaxUint16))}
		ch.Object = p.r.object("channel object")
		p.frame.Channels = append(p.frame.Channels, ch)
	case item == itemSeq:
		p.seq = uint64(p.r.near("record seq", p.seq))
	case item == itemCommit:
		rec := p.record(world.Tick(p.r.near("record tick", uint64(p.base))))
		rec.Committed = true
		rec.Hash = p.r.fixed64("record hash")
		p.packetContext = p.packetContext.after(rec)
	case item == itemPatch:
		rec := p.record(world.Tick(p.r.near("record tick", uint64(p.base))))
		rec.Patch = p.r.take("record patch", int(p.r.uvarint("record patch", MaxPatch)))
		if len(rec.Patch) == 0 {
			p.r.fail("record patch", "it is empty")
		}
		p.packetContext = p.packetContext.after(rec)
	case item > itemEvent && item < itemEvent+byte(world.InputEvent), item == itemEvent+byte(world.SuspendEvent):
		rec := p.record(world.Tick(p.r.near("record tick", uint64(p.base))))
		rec.Event.Kind = world.EventKind(item - itemEvent)
		readEventBody(p.r, &rec.Event)
		p.packetContext = p.packetContext.after(rec)
	case item > itemEvent && isOwnerReport(world.EventKind(item-itemEvent)):
		rec := p.record(world.Tick(p.r.near("record tick", uint64(p.base))))
		rec.Event.Kind = world.EventKind(item - itemEvent)
		rec.Channel = uint16(p.r.uvarint("record channel", math.MaxUint16))
		readOwnerReport(p.r, &rec.Event)
		p.packetContext = p.packetContext.after(rec)
	default:
		p.r.fail("item", "no item 0x%02x", item)
	}
}

// record adds a record with the expected Seq.
func (p *recordParser) record(tick world.Tick) *Record {
	if p.seq > math.MaxUint32 {
		p.r.fail("record seq", "%d is not within 32 bits", p.seq)
	}
	m := p.frame
	m.Records = append(m.Records, Record{Seq: uint32(p.seq), Event: world.Event{Tick: tick}})
	return &m.Records[len(m.Records)-1]
}

// inputRecord reads what recordCoder.appendInput writes.
func (p *recordParser) inputRecord(item byte) {
	dist := int64(item>>inputFormBits&inputTickHeadMask) - nearTicks
	tick := uint32(int64(p.base) + dist)
	if dist == farTick-nearTicks {
		tick = p.r.near("record tick", uint64(p.base))
	} else if int64(p.base)+dist != int64(tick) {
		p.r.fail("record tick", "%d ticks from tick %d", dist, p.base)
	}
	rec := p.record(world.Tick(tick))
	rec.Event.Kind = world.InputEvent
	form := item & inputFormMask
	flags := byte(allImplied)
	switch form {
	case inputExplicit:
		if flags = p.r.byte("record flags"); flags > allImplied|hasSight {
			p.r.fail("record flags", "0x%02x", flags)
		}
	case inputNamedRepeat, inputNamedChange:
		flags &^= impliedChannel
	case inputOtherPlayer:
		flags &^= impliedChannel | impliedPlayer
	}
	rec.Channel = p.channel + 1
	switch {
	case form == inputSameRepeat || form == inputSameChange:
		rec.Channel = p.channel
	case flags&impliedChannel == 0:
		rec.Channel = uint16(p.r.uvarint("record channel", math.MaxUint16))
	}
	p.expect(rec)
	if flags&impliedPlayer == 0 {
		rec.Event.Player = p.r.player("record player")
	}
	if flags&impliedBundle == 0 {
		rec.Event.Bundle = p.r.uint32("record bundle")
	}
	if form == inputNextRepeat || form == inputSameRepeat || form == inputNamedRepeat {
		rec.Event.Input.Held = [world.MaxButtons]uint8{}
	} else {
		readInput(p.r, &rec.Event.Input)
	}
	if flags&hasSight != 0 {
		rec.Event.Sight = readSight(p.r, &sightCoder{})
	}
	p.packetContext = p.packetContext.after(rec)
}

// expect fills in the expected player, bundle and input.
func (p *recordParser) expect(rec *Record) {
	rec.Event.Player, rec.Event.Bundle = p.likelyPlayer(rec.Channel), p.bundle
	if rec.Channel >= shortChannels {
		return
	}
	if i := p.last[rec.Channel]; i > 0 {
		before := &p.frame.Records[i-1].Event
		rec.Event.Player, rec.Event.Input = before.Player, before.Input
	}
	p.last[rec.Channel] = uint16(len(p.frame.Records))
}
