package kcplink

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/internal/linkbase"
	"github.com/hindcast/hindcast/net/link"
)

// TestEchoes: a packet with data is sent again after a while, and after a longer one, with a later clock, unless everything is acknowledged
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
	clock := func(b []byte) uint32 { return binary.LittleEndian.Uint32(b[kcpHead+kcpTimeAt:]) }
	at := now
	for left := linkbase.Copies; left > 0; left-- {
		at += linkbase.CopyAfter(left)
		if e.due() != at {
			t.Fatalf("with %d copies left it is due %v, want %v", left, e.due(), at)
		}
		sent = nil
		e.drive(at-1, true, send)
		if len(sent) != 0 {
			t.Errorf("%d packets too early", len(sent))
		}
		e.drive(at, true, send)
		if len(sent) != 1 {
			t.Fatalf("%d packets", len(sent))
		}
		if was, is := clock(packet), clock(sent[0]); is != was+uint32((at-now)/time.Millisecond) {
			t.Errorf("its clock is %d, was %d", is, was)
		}
	}
	if e.due() != link.Never {
		t.Errorf("due %v after the last copy", e.due())
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
	if n := len(sent); n > 60*linkbase.Copies {
		t.Errorf("of 1000 packets there are %d copies", n)
	}
	for cut := range packet {
		pushes(packet[:cut], func(s []byte) {
			if len(s) != kcpHead+3 {
				t.Errorf("%d of %d bytes have a segment of %d", cut, len(packet), len(s))
			}
		})
	}
}
