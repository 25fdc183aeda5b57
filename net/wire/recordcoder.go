package wire

import (
	"encoding/binary"

	"github.com/hindcast/hindcast/world"
)

// recordCoder encodes the records of one HostPacket.
type recordCoder struct {
	packetContext
	seen [shortChannels / 64]uint64 // a bit for each channel that has had an input record
	last [shortChannels]lastInput   // of those
}

type lastInput struct {
	player world.PlayerID
	input  world.Input
}

// reset begins another packet.
func (c *recordCoder) reset(tick world.Tick) {
	c.packetContext = packetContext{base: tick}
	clear(c.seen[:])
}

// append appends a record and does not change c: the caller either drops the bytes, or
// keeps them and calls after.
func (c *recordCoder) append(b []byte, rec *Record) []byte {
	if uint64(rec.Seq) != c.seq {
		b = append(b, itemSeq)
		b = appendNear(b, rec.Seq, c.seq)
	}
	ev := &rec.Event
	switch {
	case rec.Committed:
		b = append(b, itemCommit)
		b = appendNear(b, uint32(ev.Tick), uint64(c.base))
		return binary.LittleEndian.AppendUint64(b, rec.Hash)
	case rec.Patch != nil:
		b = appendNear(append(b, itemPatch), uint32(ev.Tick), uint64(c.base))
		return append(binary.AppendUvarint(b, uint64(len(rec.Patch))), rec.Patch...)
	case ev.Kind == world.InputEvent:
		return c.appendInput(b, rec)
	case isOwnerReport(ev.Kind):
		b = append(b, itemEvent+byte(ev.Kind))
		b = appendNear(b, uint32(ev.Tick), uint64(c.base))
		b = binary.AppendUvarint(b, uint64(rec.Channel))
		return appendOwnerReport(b, ev)
	case ev.Kind > world.SuspendEvent:
		return append(b, itemEvent) // no such item: the other end refuses it
	}
	b = append(b, itemEvent+byte(ev.Kind))
	b = appendNear(b, uint32(ev.Tick), uint64(c.base))
	return appendEventBody(b, ev)
}

// after takes in a record that was appended and kept.
func (c *recordCoder) after(rec *Record) {
	c.packetContext = c.packetContext.after(rec)
	if ch := rec.Channel; rec.IsInput() && ch < shortChannels {
		c.seen[ch/64] |= 1 << (ch % 64)
		c.last[ch] = lastInput{player: rec.Event.Player, input: rec.Event.Input}
	}
}

// appendInput appends an input record: its first byte, what that does not say, and the
// difference from the last input of the channel in this packet.
func (c *recordCoder) appendInput(b []byte, rec *Record) []byte {
	ev := &rec.Event
	before := &lastInput{player: c.likelyPlayer(rec.Channel)}
	if ch := rec.Channel; ch < shortChannels && c.seen[ch/64]&(1<<(ch%64)) != 0 {
		before = &c.last[ch]
	}
	dist := int64(ev.Tick) - int64(c.base) + nearTicks
	if dist < 0 || dist >= farTick {
		dist = farTick
	}
	head, mask := inputHead(&before.input, &ev.Input)
	form, flags := c.form(rec, before.player, head == 0)
	b = append(b, itemInput|byte(dist)<<inputFormBits|form)
	if dist == farTick {
		b = appendNear(b, uint32(ev.Tick), uint64(c.base))
	}
	if form == inputExplicit {
		b = append(b, flags)
	}
	if flags&impliedChannel == 0 {
		b = binary.AppendUvarint(b, uint64(rec.Channel))
	}
	if flags&impliedPlayer == 0 {
		b = binary.AppendUvarint(b, uint64(ev.Player))
	}
	if flags&impliedBundle == 0 {
		b = binary.AppendUvarint(b, uint64(ev.Bundle))
	}
	if form == inputNextRepeat || form == inputSameRepeat || form == inputNamedRepeat {
		return b
	}
	b = binary.AppendUvarint(b, head)
	b = appendInputRest(b, head, mask, &before.input, &ev.Input)
	if flags&hasSight != 0 {
		b = new(sightCoder).append(b, ev.Sight)
	}
	return b
}

// form returns the shortest form of an input record, and flags for what of channel,
// player and bundle does not follow.
func (c *recordCoder) form(rec *Record, player world.PlayerID, same bool) (form, flags byte) {
	if rec.Channel == c.channel+1 {
		flags |= impliedChannel
	}
	if rec.Event.Player == player {
		flags |= impliedPlayer
	}
	if rec.Event.Bundle == c.bundle {
		flags |= impliedBundle
	}
	switch {
	case len(rec.Event.Sight) > 0:
		return inputExplicit, flags | hasSight
	case flags == impliedBundle:
		return inputOtherPlayer, flags
	case flags|impliedChannel != allImplied:
		return inputExplicit, flags
	case rec.Channel == c.channel:
		form, flags = inputSameChange, allImplied
	case flags == allImplied:
		form = inputNextChange
	default:
		form = inputNamedChange
	}
	if same {
		form-- // the form before it repeats the input
	}
	return form, flags
}
