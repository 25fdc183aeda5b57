package memlink

import (
	"encoding/binary"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// kind is the first byte of a packet. Packets exist in memory only, between two ends of the
// same program: they have no version, and nobody can forge them. Numbers are
// little-endian, clocks are in nanoseconds:
//
//	hello     clock u64                                   client: asks to connect
//	welcome   clock u64 of the hello                      host: accepts
//	bye       reason                                      ends the connection; answers later packets
//	ping      clock u64                                   keepalive
//	pong      clock u64 of the ping
//	datagram  number u64, data
//	segment   stream u8, last u8, seq u32, clock u64, data
//	ack       stream u8, next u32, clock u64 of the newest segment, 32 bytes: bit i is set if next+1+i was received
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
	// windowSize is the largest number of segments of a stream in transit. An ack has a bit
	// for each.
	windowSize = 256
)

// segmentHeader is what a segment has besides its part of a message.
type segmentHeader struct {
	Stream link.Stream
	Last   bool   // of its message
	Seq    uint32 // from 0, in a stream; 2^32 of them carry 4.7 TB, so it does not wrap
	Clock  time.Duration
}

func appendSegment(b []byte, h segmentHeader, data []byte) []byte {
	last := byte(0)
	if h.Last {
		last = 1
	}
	b = append(b, byte(kindSegment), byte(h.Stream), last)
	b = binary.LittleEndian.AppendUint32(b, h.Seq)
	b = appendClock(b, h.Clock)
	return append(b, data...)
}

func parseSegment(b []byte) (segmentHeader, []byte) {
	return segmentHeader{
		Stream: link.Stream(b[1]), Last: b[2] == 1,
		Seq: binary.LittleEndian.Uint32(b[3:]), Clock: parseClock(b[7:]),
	}, b[segmentHead:]
}

// ack says which segments of a stream have been received.
type ack struct {
	Stream   link.Stream
	Next     uint32           // all segments before it have been received
	Clock    time.Duration    // of the segment received last
	Received [windowSize]bool // index i is for segment Next+1+i
}

func appendAck(b []byte, a *ack) []byte {
	b = append(b, byte(kindAck), byte(a.Stream))
	b = binary.LittleEndian.AppendUint32(b, a.Next)
	b = appendClock(b, a.Clock)
	var bitmap [windowSize / 8]byte
	for i, here := range a.Received {
		if here {
			bitmap[i/8] |= 1 << (i % 8)
		}
	}
	return append(b, bitmap[:]...)
}

func parseAck(b []byte) (a ack) {
	a.Stream = link.Stream(b[1])
	a.Next = binary.LittleEndian.Uint32(b[2:])
	a.Clock = parseClock(b[6:])
	bitmap := b[14:]
	for i := range a.Received {
		a.Received[i] = bitmap[i/8]&(1<<(i%8)) != 0
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
