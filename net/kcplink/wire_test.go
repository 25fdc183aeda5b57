package kcplink

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	linktest.SideBySide()
	// kcp-go starts these when it is imported, and never ends them.
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/xtaci/kcp-go/v5.(*TimedSched).sched"),
		goleak.IgnoreAnyFunction("github.com/xtaci/kcp-go/v5.(*TimedSched).prepend"))
}

// wire is a network in memory: a packet that is sent lies in the inbox of its
// destination at once. So the handshake and all that KCP is not needed for run
// on a clock of the test's own.
type wire struct {
	t     testing.TB
	now   time.Duration
	socks map[netip.AddrPort]*wireSock
	drop  func(from, to netip.AddrPort, b []byte) bool // true: lost
}

type ipPort = netip.AddrPort

type wireSock struct {
	w    *wire
	addr netip.AddrPort
	l    *Link    // nil: packets to here are kept in got
	got  [][]byte // copies
	sent int      // bytes
}

func newWire(t testing.TB) *wire {
	return &wire{t: t, socks: make(map[netip.AddrPort]*wireSock)}
}

func addrN(n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(n >> 8), byte(n)}), 7777)
}

var errWireRead = errors.New("the wire is not read from")

func (s *wireSock) ReadFromUDPAddrPort([]byte) (int, netip.AddrPort, error) {
	return 0, netip.AddrPort{}, errWireRead
}
func (s *wireSock) Close() error { return nil }
func (s *wireSock) WriteToUDPAddrPort(b []byte, to netip.AddrPort) (int, error) {
	s.sent += len(b)
	s.w.send(s.addr, to, b)
	return len(b), nil
}

// send carries a packet with any sender's address, true or forged.
func (w *wire) send(from, to netip.AddrPort, b []byte) {
	if w.drop != nil && w.drop(from, to, b) {
		return
	}
	s := w.socks[to]
	switch {
	case s == nil:
	case s.l == nil:
		s.got = append(s.got, append([]byte(nil), b...))
	default:
		buf := new([bufferSize]byte)
		n := copy(buf[:], b)
		s.l.inbox.put(buf, n, from)
	}
}

// checked reports whether links check themselves: in all tests, but not where costs are
// measured.
func checked(t testing.TB) bool {
	_, bench := t.(*testing.B)
	return !bench
}

// bare returns an address with nothing but a mailbox.
func (w *wire) bare(n int) *wireSock {
	s := &wireSock{w: w, addr: addrN(n)}
	w.socks[s.addr] = s
	return s
}

func (w *wire) link(n int, host bool, o Options) *node {
	w.t.Helper()
	o.Check = checked(w.t)
	o, err := o.filled(host)
	if err != nil {
		w.t.Fatal(err)
	}
	s := w.bare(n)
	s.l = newLink(s, o)
	close(s.l.inbox.done) // nobody reads
	s.l.local = s.addr
	return &node{Link: s.l, sock: s}
}

func (w *wire) listen(n int, o Options) *node {
	d := w.link(n, true, o)
	d.host = newHost(o.Secret)
	return d
}

func (w *wire) dialTo(n int, to *node, o Options) *node {
	d := w.link(n, false, o)
	d.dial = newDialer(to.sock.addr)
	return d
}

// node is a Link and all that it delivered, copied.
type node struct {
	*Link
	sock   *wireSock
	events []link.Event
}

func (d *node) poll(now time.Duration) {
	d.Poll(now, func(ev link.Event) {
		ev.Data = append([]byte(nil), ev.Data...)
		d.events = append(d.events, ev)
	})
}

func (d *node) of(k link.EventKind) (evs []link.Event) {
	for _, ev := range d.events {
		if ev.Kind == k {
			evs = append(evs, ev)
		}
	}
	return evs
}

func (d *node) datagrams() (all []string) {
	for _, ev := range d.of(link.Datagram) {
		all = append(all, string(ev.Data))
	}
	return all
}

// run polls the nodes that are due, every 5 ms of the wire's clock.
func (w *wire) run(d time.Duration, nodes ...*node) {
	for end := w.now + d; w.now < end; w.now += 5 * time.Millisecond {
		for _, n := range nodes {
			if needsPoll(n.Link, w.now) {
				n.poll(w.now)
			}
		}
	}
}

// needsPoll reports whether a program that waits for Due and Ready polls now.
func needsPoll(l *Link, now time.Duration) bool {
	l.inbox.mu.Lock()
	defer l.inbox.mu.Unlock()
	return l.Due(now) <= now || len(l.inbox.packets) > 0 || l.inbox.err != nil
}

// opened returns a host with one client, each having seen the other open.
func opened(t testing.TB, ho, co Options) (w *wire, host, client *node) {
	t.Helper()
	w = newWire(t)
	host = w.listen(1, ho)
	client = w.dialTo(2, host, co)
	w.run(50*time.Millisecond, host, client)
	if len(host.of(link.Opened)) != 1 || len(client.of(link.Opened)) != 1 {
		t.Fatalf("not opened: host saw %v, client saw %v", host.events, client.events)
	}
	return w, host, client
}

// packetOf makes a session packet by hand.
func packetOf(k kind, id uint64, seq uint32, body []byte) []byte {
	return append(appendHeader(nil, k, id, seq), body...)
}

// segment makes one KCP segment by hand, with whatever it claims.
func segment(conv uint32, cmd, frg byte, sn, size uint32, data []byte) []byte {
	b := make([]byte, 24)
	binary.LittleEndian.PutUint32(b, conv)
	b[4], b[5] = cmd, frg
	binary.LittleEndian.PutUint16(b[6:], 256)
	binary.LittleEndian.PutUint32(b[12:], sn)
	binary.LittleEndian.PutUint32(b[20:], size)
	return append(b, data...)
}
