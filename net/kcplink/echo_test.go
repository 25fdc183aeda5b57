package kcplink

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// TestEchoes: a packet with data is sent once more after a while, with a later clock, unless everything is acknowledged
// by then; one without data is not. A stream that sends much has few of them.
func TestEchoes(t *testing.T) {
	const ack = 82
	packet := append(segment(1, ack, 0, 7, 0, nil), segment(1, kcpPush, 0, 7, 3, []byte("abc"))...)
	var sent [][]byte
	send := func(b []byte, n int) { sent = append(sent, bytes.Clone(b[:n])) }
	var e echoes
	now := time.Second
	e.note(now, segment(1, ack, 0, 7, 0, nil))
	if e.due() != link.Never {
		t.Error("an acknowledgement is sent twice")
	}
	e.note(now, packet)
	e.drive(now+linkbase.ProbeAfter-1, true, send)
	if len(sent) != 0 || e.due() != now+linkbase.ProbeAfter {
		t.Errorf("%d packets, due %v", len(sent), e.due())
	}
	e.drive(now+linkbase.ProbeAfter, true, send)
	if len(sent) != 1 || e.due() != link.Never {
		t.Fatalf("%d packets, due %v", len(sent), e.due())
	}
	clock := func(b []byte) uint32 { return binary.LittleEndian.Uint32(b[kcpHead+kcpTimeAt:]) }
	if was, is := clock(packet), clock(sent[0]); is != was+uint32(linkbase.ProbeAfter/time.Millisecond) {
		t.Errorf("its clock is %d, was %d", is, was)
	}
	binary.LittleEndian.PutUint32(sent[0][kcpHead+kcpTimeAt:], clock(packet))
	if !bytes.Equal(sent[0], packet) {
		t.Errorf("it is %x, was %x", sent[0], packet)
	}
	e.note(now, packet)
	e.drive(now+time.Second, false, send)
	if len(sent) != 1 || e.due() != link.Never {
		t.Errorf("it is sent again although it is acknowledged")
	}
	for range 1000 {
		now += 10 * time.Millisecond
		e.note(now, packet)
		e.drive(now+time.Second, true, send)
	}
	if n := len(sent); n > 60 {
		t.Errorf("%d of 1000 packets are sent twice", n)
	}
	for cut := range packet {
		pushes(packet[:cut], func(s []byte) {
			if len(s) != kcpHead+3 {
				t.Errorf("%d of %d bytes have a segment of %d", cut, len(packet), len(s))
			}
		})
	}
}
