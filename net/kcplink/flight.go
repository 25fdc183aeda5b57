package kcplink

import (
	"encoding/binary"

	"github.com/xtaci/kcp-go/v5"
)

// flight is the segments that KCP has of a stream, from the oldest that is not acknowledged on. KCP itself does not
// show which ones are acknowledged out of their turn.
type flight struct {
	first    uint32 // the number of the first segment
	segments []segmentInFlight
	bytes    int // of the segments that are not acknowledged
	proved   int // how many have been acknowledged, as far as that matters to allowed
}

// windowUnproved is how many segments KCP is given on a stream before the other end acknowledges any. KCP copies what
// it has; what waits in the queue is shared by the peers that it is sent to.
const windowUnproved = 16

// allowed returns how many segments KCP may have: more with each one that the other end has acknowledged, so that those
// who acknowledge nothing cost little. A window of a line that works doubles at least in a round trip.
func (f *flight) allowed() int { return min(windowUnproved+2*f.proved, sendWindow) }

type segmentInFlight struct {
	size         int
	acknowledged bool
}

// add notes a segment that KCP is given.
func (f *flight) add(size int) {
	f.segments = append(f.segments, segmentInFlight{size: size})
	f.bytes += size
}

// size returns how many bytes are not acknowledged.
func (f *flight) size() int { return f.bytes }

// acknowledged takes in checked segments that came from the other end, after which KCP still has so many, and reports
// whether they acknowledge any for the first time.
func (f *flight) acknowledged(b []byte, left int) (news bool) {
	for ; len(b) >= kcpHead; b = b[kcpHead+binary.LittleEndian.Uint32(b[kcpSizeAt:]):] {
		if b[kcpCmdAt] == kcp.IKCP_CMD_ACK {
			news = f.take(binary.LittleEndian.Uint32(b[kcpNumberAt:])-f.first) || news
		}
	}
	done := len(f.segments) - left
	for i := range done {
		news = f.take(uint32(i)) || news
	}
	if done > 0 {
		f.first += uint32(done)
		f.segments = f.segments[:copy(f.segments, f.segments[done:])]
	}
	return news
}

// take notes that the segment at an index is acknowledged, and reports whether that is new.
func (f *flight) take(at uint32) (news bool) {
	if at >= uint32(len(f.segments)) || f.segments[at].acknowledged {
		return false
	}
	f.segments[at].acknowledged = true
	f.proved = min(f.proved+1, sendWindow)
	f.bytes -= f.segments[at].size
	return true
}
