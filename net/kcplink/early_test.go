package kcplink

import (
	"encoding/binary"
	"testing"

	"github.com/hindcast/hindcast/net/link"
	"github.com/xtaci/kcp-go/v5"
)

// TestSegmentsThatComeEarlyAreFew tests a peer that leaves out the first segment of each stream and sends all later
// ones: a host keeps what it acknowledges, and nobody ever reads it.
func TestSegmentsThatComeEarlyAreFew(t *testing.T) {
	w := newWire(t)
	host := w.listen(1, Options{})
	s := w.bare(2)
	_, id := connectByHand(w, host, s, 5)
	const sent = 600
	seq := uint32(0)
	for sn := range uint32(sent) {
		for stream := range link.Stream(link.Streams) {
			seq++
			data := make([]byte, kcpMSS)
			w.send(s.addr, host.sock.addr, packetOf(kindSegments, id, seq,
				segment(convOf(stream), kcp.IKCP_CMD_PUSH, 0, 1+sn, uint32(len(data)), data)))
		}
		host.poll(w.now)
	}
	var kept [link.Streams]map[uint32]bool
	for _, b := range s.got {
		m, err := parseSession(b)
		if err != nil || m.Kind != kindSegments {
			continue
		}
		for body := m.Body; len(body) >= kcp.IKCP_OVERHEAD; body = body[kcp.IKCP_OVERHEAD:] {
			if body[4] != kcp.IKCP_CMD_ACK {
				break
			}
			if kept[m.Stream] == nil {
				kept[m.Stream] = map[uint32]bool{}
			}
			kept[m.Stream][binary.LittleEndian.Uint32(body[12:])] = true
		}
	}
	for stream, acked := range kept {
		if len(acked) != hostRecvWindow-1 {
			t.Errorf("%v: the host keeps %d of %d segments that came early, want %d", link.Stream(stream), len(acked), sent,
				hostRecvWindow-1)
		}
	}
	if host.Stats().Peers != 1 || len(host.of(link.Message)) != 0 {
		t.Errorf("%d peers, %d messages", host.Stats().Peers, len(host.of(link.Message)))
	}
}
