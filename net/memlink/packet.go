package memlink

import (
	"encoding/binary"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// kind is the first byte of a packet. The packets exist in memory only, between
// two ends of the same program: they have no version, and nobody can forge them.
// Little-endian, clocks in nanoseconds:
//
//	hello     clock u64                                   client: may I?
//	welcome   clock u64 of the hello                      host: yes
//	bye       reason                                      it is over; the answer to whatever comes later, too
//	ping      clock u64                                   still here?
//	pong      clock u64 of the ping
//	datagram  number u64, data
//	segment   stream u8, last u8, seq u32, clock u64, data
//	ack       stream u8, next u32, clock u64 of the newest segment, 32 bytes: bit i set, next+1+i is here
type kind uint8

const (
	kindHello kind = iota + 1
	kindWelcome
	kindBye
	kindPing
	kindPong
	kindDatagram
	kindSegment
	kindAck
)

const (
	maxPacket   = 1200
	segmentHead = 15
	segmentData = 1100 // bytes of a message in one segment
	maxReason   = 200  // bytes
	// windowSize is how many segments of a stream may be under way; an ack names them all.
	windowSize = 256
)

// segmentHeader is what a segment carries beside its part of the message.
type segmentHeader struct {
	stream link.Stream
	last   bool   // of its message
	seq    uint32 // from 0, in a stream; 4e9 of them are 4.7 TB: it doesn't wrap
	clock  time.Duration
}

func appendSegment(b []byte, h segmentHeader, data []byte) []byte {
	last := byte(0)
	if h.last {
		last = 1
	}
	b = append(b, byte(kindSegment), byte(h.stream), last)
	b = binary.LittleEndian.AppendUint32(b, h.seq)
	b = appendClock(b, h.clock)
	return append(b, data...)
}

func parseSegment(b []byte) (segmentHeader, []byte) {
	return segmentHeader{
		stream: link.Stream(b[1]), last: b[2] == 1,
		seq: binary.LittleEndian.Uint32(b[3:]), clock: parseClock(b[7:]),
	}, b[segmentHead:]
}

// ack tells what of a stream has arrived.
type ack struct {
	stream   link.Stream
	next     uint32           // everything before it is here
	clock    time.Duration    // of the segment that came last
	received [windowSize]bool // next+1+i is here
}

func appendAck(b []byte, a *ack) []byte {
	b = append(b, byte(kindAck), byte(a.stream))
	b = binary.LittleEndian.AppendUint32(b, a.next)
	b = appendClock(b, a.clock)
	var bitmap [windowSize / 8]byte
	for i, here := range a.received {
		if here {
			bitmap[i/8] |= 1 << (i % 8)
		}
	}
	return append(b, bitmap[:]...)
}

func parseAck(b []byte) (a ack) {
	a.stream = link.Stream(b[1])
	a.next = binary.LittleEndian.Uint32(b[2:])
	a.clock = parseClock(b[6:])
	bitmap := b[14:]
	for i := range a.received {
		a.received[i] = bitmap[i/8]&(1<<(i%8)) != 0
	}
	return a
}

func appendDatagram(b []byte, number uint64, data []byte) []byte {
	b = append(b, byte(kindDatagram))
	b = binary.LittleEndian.AppendUint64(b, number)
	return append(b, data...)
}

func parseDatagram(b []byte) (number uint64, data []byte) {
	return binary.LittleEndian.Uint64(b[1:]), b[9:]
}

func appendClock(b []byte, t time.Duration) []byte {
	return binary.LittleEndian.AppendUint64(b, uint64(t))
}

func parseClock(b []byte) time.Duration { return time.Duration(binary.LittleEndian.Uint64(b)) }
