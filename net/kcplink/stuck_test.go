package kcplink

import (
	"net/netip"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/xtaci/kcp-go/v5"
)

// deaf is a peer that pings and acknowledges what a test wants.
type deaf struct {
	w    *wire
	host *node
	sock *wireSock
	id   uint64
	seq  uint32
}

// newDeaf connects a peer, for which much waits on bulk.
func newDeaf(t *testing.T) *deaf {
	t.Helper()
	w := newWire(t)
	d := &deaf{w: w, host: w.listen(1, Options{}), sock: w.bare(2)}
	_, d.id = connectByHand(w, d.host, d.sock, 5)
	d.say(kindPing, make([]byte, 8))
	d.host.poll(w.now)
	if err := d.host.SendMessage(w.now, d.host.events[0].Peer, link.Bulk, make([]byte, 200<<10)); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *deaf) say(k kind, body []byte) {
	d.seq++
	d.w.send(d.sock.addr, d.host.sock.addr, packetOf(k, d.id, d.seq, body))
}

// stay lets seconds pass, in each of which the peer pings.
func (d *deaf) stay(seconds int, each func(second int)) {
	for i := range seconds {
		d.say(kindPing, make([]byte, 8))
		each(i)
		d.w.run(time.Second, d.host)
	}
}

// acknowledge acknowledges one segment, and says that an earlier one is missing.
func (d *deaf) acknowledge(number uint32) {
	d.say(kindSegments, segment(convOf(link.Bulk), kcp.IKCP_CMD_ACK, 0, number, 0, nil))
}

func (d *deaf) closed() string {
	if got := d.host.of(link.Closed); len(got) > 0 {
		return got[0].Reason
	}
	return ""
}

func TestPeerThatAcknowledgesNothingIsLetGo(t *testing.T) {
	const why = "nothing was acknowledged for 5s while 200 KB wait on bulk"
	d := newDeaf(t)
	d.stay(5, func(int) {})
	if got := d.closed(); got != "" {
		t.Errorf("after five seconds: %q", got)
	}
	d.stay(1, func(int) {})
	if got := d.closed(); got != why || d.host.Stats().Stuck != 1 || d.host.Stats().Peers != 0 {
		t.Errorf("after six seconds: %q; %+v", got, d.host.Stats())
	}
	d.w.run(time.Second, d.host)
	if n := len(d.host.Link.peers.all); n != 0 {
		t.Errorf("%d peers are kept", n)
	}
}

// TestAcknowledgementsOutOfTurnAreProgress tests a peer that lacks the first segment for a long time. To acknowledge the
// same one again is no progress.
func TestAcknowledgementsOutOfTurnAreProgress(t *testing.T) {
	d := newDeaf(t)
	d.stay(20, func(second int) {
		if second%4 == 0 {
			d.acknowledge(1 + uint32(second)/4)
		}
	})
	if got := d.closed(); got != "" {
		t.Fatalf("a peer that acknowledges segments was let go: %q", got)
	}
	d.stay(6, func(int) { d.acknowledge(1) })
	if d.closed() == "" {
		t.Error("a peer that acknowledges one segment again and again stays")
	}
}

// TestPeerThatAcknowledgesNothingGetsAFewSegments tests that KCP, which copies what it is given, is given little for
// a peer that acknowledges nothing, however well pings show the line to work, and more with each acknowledgement.
func TestPeerThatAcknowledgesNothingGetsAFewSegments(t *testing.T) {
	d := newDeaf(t)
	peer := d.host.events[0].Peer
	for range 50 {
		if err := d.host.SendMessage(d.w.now, peer, link.Control, make([]byte, 2000)); err != nil {
			t.Fatal(err)
		}
	}
	given := func(s link.Stream) int { return d.host.Link.peers.open(peer).streams.of(s).kcp.WaitSnd() }
	answer := func() { // so that the window of bulk grows
		d.w.drop = func(from, _ netip.AddrPort, b []byte) bool {
			if from == d.host.sock.addr && kind(b[0]) == kindPing {
				d.say(kindPong, b[headerSize:])
			}
			return from == d.host.sock.addr
		}
	}
	answer()
	d.stay(4, func(int) {})
	if b, c := given(link.Bulk), given(link.Control); b != windowUnproved || c != windowUnproved {
		t.Errorf("%d segments of bulk and %d of control were given to KCP, not %d", b, c, windowUnproved)
	}
	for n := range uint32(3) {
		d.acknowledge(n)
	}
	d.stay(1, func(int) {})
	if b := given(link.Bulk); b != windowUnproved+2*3 {
		t.Errorf("%d segments were given to KCP after three were acknowledged, not %d", b, windowUnproved+2*3)
	}
}
