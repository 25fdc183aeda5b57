package kcplink

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// echoes sends packets of a KCP conversation once more, as linkbase.Probes allows: KCP itself waits for a timeout.
type echoes struct {
	probes linkbase.Probes
	queue  []echo
}

// echo is a packet that is sent again unless everything is acknowledged by then.
type echo struct {
	packet []byte
	sent   time.Duration // by KCP
	at     time.Duration // when it is sent again
	left   int           // how often
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
		e.queue = append(e.queue, echo{append([]byte(nil), packet...), now, now + linkbase.CopyAfter(linkbase.Copies),
			linkbase.Copies})
	}
}

// drive sends what is due. waits says that segments are not acknowledged.
func (e *echoes) drive(now time.Duration, waits bool, send func(b []byte, n int)) {
	if !waits {
		e.queue = nil
	}
	for i := range e.queue {
		again := &e.queue[i]
		if now < again.at {
			continue
		}
		packet := again.packet
		if again.left--; again.left > 0 { // the next copy has the clock of KCP
			packet = append([]byte(nil), packet...)
			again.at = now + linkbase.CopyAfter(again.left)
		}
		late := uint32((now - again.sent) / time.Millisecond)
		pushes(packet, func(s []byte) { // or the round trip would seem longer
			binary.LittleEndian.PutUint32(s[kcpTimeAt:], binary.LittleEndian.Uint32(s[kcpTimeAt:])+late)
		})
		send(packet, len(packet))
	}
	if e.queue = slices.DeleteFunc(e.queue, func(again echo) bool { return again.left == 0 }); len(e.queue) == 0 {
		e.queue = nil
	}
}

// due returns when drive has something to send.
func (e *echoes) due() time.Duration {
	due := link.Never
	for i := range e.queue {
		due = min(due, e.queue[i].at)
	}
	return due
}
