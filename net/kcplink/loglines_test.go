package kcplink

import (
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/loglimit"
)

// TestStrangersCannotFillTheLog tests that who connects again and again makes two lines in ten seconds, and the next
// ones say how often, and that who comes from ever new networks makes a bounded number.
func TestStrangersCannotFillTheLog(t *testing.T) {
	var out strings.Builder
	w := newWire(t)
	host := w.listen(1, Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
	visit := func(addr netip.AddrPort) {
		s := &wireSock{w: w, addr: addr}
		w.socks[addr] = s
		_, id := connectByHand(w, host, s, 5)
		w.send(addr, host.sock.addr, packetOf(kindBye, id, 9, []byte("enough")))
		host.poll(w.now)
		delete(w.socks, addr)
	}
	lines := func(text string) int { return strings.Count(out.String(), text) }
	home := netip.MustParseAddr("192.0.2.7")
	for i := range 100 {
		visit(netip.AddrPortFrom(home, uint16(5000+i)))
	}
	if opened, closed := lines("peer opened"), lines("peer closed"); opened != 1 || closed != 1 {
		t.Errorf("100 visits from one address: %d and %d lines", opened, closed)
	}
	w.now += loglimit.Every
	visit(netip.AddrPortFrom(home, 6000))
	if lines("peer opened") != 2 || lines(loglimit.LeftOut+"=99") != 2 {
		t.Errorf("no line says that 99 were left out:\n%s", out.String())
	}
	w.now += loglimit.Every
	out.Reset()
	street := netip.MustParseAddr("2001:db8::").As16()
	for i := range 500 {
		street[15] = byte(i) // the same network of 2^64 addresses
		street[13] = byte(i >> 8)
		visit(netip.AddrPortFrom(netip.AddrFrom16(street), 7000))
	}
	if n := lines("peer opened"); n != 1 {
		t.Errorf("500 visits from one network: %d lines", n)
	}
	for i := range 500 {
		street[7], street[6] = byte(i), byte(1+i>>8)
		visit(netip.AddrPortFrom(netip.AddrFrom16(street), 7000))
	}
	if n := lines("peer opened"); n > loglimit.MostSources+1 {
		t.Errorf("500 visits from as many networks: %d lines", n)
	}
	if host.Stats().Peers != 0 || w.now > time.Minute {
		t.Errorf("%d peers", host.Stats().Peers)
	}
}
