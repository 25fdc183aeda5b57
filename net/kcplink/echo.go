package kcplink

import (
	"encoding/binary"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// echoes sends packets of a KCP conversation once more, as linkbase.Probes allows: KCP itself waits for a timeout.
type echoes struct {
	probes linkbase.Probes
	queue  []echo // in the order of at
}

// echo is a packet that is sent again unless everything is acknowledged by then.
type echo struct {
	packet []byte
	sent   time.Duration
}

// Of a segment in a packet of KCP.
const (
	kcpHead     = 24 // bytes before its data
	kcpCmdAt    = 4
	kcpTimeAt   = 8 // the clock of the sender in milliseconds, which the acknowledgement returns
	kcpNumberAt = 12
	kcpSizeAt   = 20
	kcpPush     = 81 // the command of segments with data
)

// pushes calls f for each segment with data in a packet of KCP, and reports whether there is one.
func pushes(packet []byte, f func(segment []byte)) (any bool) {
	for len(packet) >= kcpHead {
		size := kcpHead + int(binary.LittleEndian.Uint32(packet[kcpSizeAt:]))
		if size > len(packet) {
			return any
		}
		if packet[kcpCmdAt] == kcpPush {
			any = true
			f(packet[:size])
		}
		packet = packet[size:]
	}
	return any
}

// note keeps a copy of a packet that KCP sends now, if it is to be sent again.
func (e *echoes) note(now time.Duration, packet []byte) {
	if pushes(packet, func([]byte) {}) && e.probes.Take(now) {
		e.queue = append(e.queue, echo{append([]byte(nil), packet...), now})
	}
}

// drive sends what is due. waits says that segments are not acknowledged.
func (e *echoes) drive(now time.Duration, waits bool, send func(b []byte, n int)) {
	for len(e.queue) > 0 && (!waits || now >= e.queue[0].sent+linkbase.ProbeAfter) {
		first := e.queue[0]
		if e.queue = e.queue[1:]; len(e.queue) == 0 {
			e.queue = nil
		}
		if !waits {
			continue
		}
		late := uint32((now - first.sent) / time.Millisecond)
		pushes(first.packet, func(s []byte) { // or the round trip would seem longer
			binary.LittleEndian.PutUint32(s[kcpTimeAt:], binary.LittleEndian.Uint32(s[kcpTimeAt:])+late)
		})
		send(first.packet, len(first.packet))
	}
}

// due returns when drive has something to send.
func (e *echoes) due() time.Duration {
	if len(e.queue) == 0 {
		return link.Never
	}
	return e.queue[0].sent + linkbase.ProbeAfter
}
