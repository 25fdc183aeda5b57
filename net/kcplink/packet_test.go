package kcplink

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func TestHandshakePacketsRoundTrip(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		h := hello{rapid.Uint8().Draw(t, "version"), rapid.Uint32().Draw(t, "protocol"), rapid.Uint64().Draw(t, "nonce")}
		b := appendHello(nil, h)
		if got, err := parseHello(b); err != nil || got != h || len(b) != helloSize {
			t.Fatalf("hello: %v, %v, %d bytes", got, err, len(b))
		}
		var c cookie
		copy(c[:], rapid.SliceOfN(rapid.Byte(), cookieSize, cookieSize).Draw(t, "cookie"))
		for _, k := range []kind{kindCookie, kindConnect} {
			if n, got, err := parseCookie(appendCookie(nil, k, h.Nonce, c), k); err != nil || n != h.Nonce || got != c {
				t.Fatalf("kind %d: %v %v %v", k, n, got, err)
			}
		}
		id := rapid.Uint64().Draw(t, "id")
		if n, got, err := parseAccept(appendAccept(nil, h.Nonce, id)); err != nil || n != h.Nonce || got != id {
			t.Fatalf("accept: %v %v %v", n, got, err)
		}
		reason := rapid.String().Draw(t, "reason")
		n, got, err := parseRefuse(appendRefuse(nil, h.Nonce, reason))
		if err != nil || n != h.Nonce || got != link.CleanReason(reason) {
			t.Fatalf("refuse: %v %q %v", n, got, err)
		}
	})
}

func TestSessionPacketsRoundTrip(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		id, seq := rapid.Uint64().Draw(t, "id"), rapid.Uint32().Draw(t, "seq")
		body := rapid.SliceOfN(rapid.Byte(), 1, link.MaxDatagram).Draw(t, "body")
		s, err := parseSession(packetOf(kindDatagram, id, seq, body))
		if err != nil || s.Kind != kindDatagram || s.ID != id || s.Seq != seq || !bytes.Equal(s.Body, body) {
			t.Fatalf("%+v, %v", s, err)
		}
	})
}

func TestSessionPacketsThatAreRefused(t *testing.T) {
	big := make([]byte, maxPacket)
	push := func(frg byte, size uint32, data int) []byte { return segment(1, 81, frg, 0, size, big[:data]) }
	for _, c := range []struct {
		name string
		b    []byte
	}{
		{"empty", nil},
		{"no header", packetOf(kindPing, 1, 1, nil)[:headerSize-1]},
		{"unknown kind", packetOf(99, 1, 1, []byte("x"))},
		{"empty datagram", packetOf(kindDatagram, 1, 1, nil)},
		{"long datagram", packetOf(kindDatagram, 1, 1, big[:link.MaxDatagram+1])},
		{"short ping", packetOf(kindPing, 1, 1, big[:7])},
		{"long path", packetOf(kindPath, 1, 1, big[:9])},
		{"long goodbye", packetOf(kindBye, 1, 1, big[:link.MaxReason+1])},
		{"no segments", packetOf(kindSegments, 1, 1, nil)},
		{"half a segment", packetOf(kindSegments, 1, 1, push(0, 5, 5)[:23])},
		{"no such stream", packetOf(kindSegments, 1, 1, segment(3, 81, 0, 0, 1, big[:1]))},
		{"stream zero", packetOf(kindSegments, 1, 1, segment(0, 81, 0, 0, 1, big[:1]))},
		{"two streams", packetOf(kindSegments, 1, 1, append(push(0, 1, 1), segment(2, 81, 0, 0, 1, big[:1])...))},
		{"fragments", packetOf(kindSegments, 1, 1, push(1, 5, 5))},
		{"fragments that overflow", packetOf(kindSegments, 1, 1, push(255, 5, 5))},
		{"empty push", packetOf(kindSegments, 1, 1, push(0, 0, 0))},
		{"length beyond the packet", packetOf(kindSegments, 1, 1, push(0, 6, 5))},
		{"length negative on 32 bits", packetOf(kindSegments, 1, 1, push(0, 0xffffffff, 5))},
		{"longer than a segment", packetOf(kindSegments, 1, 1, push(0, kcpMSS+1, kcpMSS+1))},
		{"rest behind", packetOf(kindSegments, 1, 1, append(push(0, 5, 5), 1, 2, 3))},
		{"acknowledgement with data", packetOf(kindSegments, 1, 1, segment(1, 82, 0, 0, 1, big[:1]))},
		{"unknown command", packetOf(kindSegments, 1, 1, segment(1, 80, 0, 0, 0, nil))},
	} {
		if s, err := parseSession(c.b); err == nil {
			t.Errorf("%s: taken as %+v", c.name, s)
		}
	}
	if _, err := parseSession(packetOf(kindSegments, 1, 1, push(0, kcpMSS, kcpMSS))); err != nil {
		t.Errorf("a full segment is refused: %v", err)
	}
}

func TestHandshakePacketsThatAreRefused(t *testing.T) {
	h := appendHello(nil, hello{1, 2, 3})
	if _, err := parseHello(h[:helloSize-1]); err == nil {
		t.Error("a hello without its padding is taken: its answer could be longer")
	}
	h[1] = 'X'
	if _, err := parseHello(h); err == nil {
		t.Error("another program's packet is taken")
	}
	c := appendCookie(nil, kindCookie, 1, cookie{})
	if _, _, err := parseCookie(c, kindConnect); err == nil {
		t.Error("a cookie is taken for a connect")
	}
	if _, _, err := parseCookie(append(c, 0), kindCookie); err == nil {
		t.Error("a long cookie is taken")
	}
	if _, _, err := parseAccept(appendAccept(nil, 1, 2)[:16]); err == nil {
		t.Error("a short accept is taken")
	}
	if _, _, err := parseRefuse(append(appendRefuse(nil, 1, ""), make([]byte, link.MaxReason+1)...)); err == nil {
		t.Error("a refusal without end is taken")
	}
}

// FuzzParse: no parser panics or takes what it would not write.
func FuzzParse(f *testing.F) {
	f.Add(appendHello(nil, hello{linkVersion, 7, 8}))
	f.Add(appendCookie(nil, kindCookie, 1, cookie{1}))
	f.Add(appendCookie(nil, kindConnect, 1, cookie{1}))
	f.Add(appendAccept(nil, 1, 2))
	f.Add(appendRefuse(nil, 1, "full"))
	f.Add(packetOf(kindDatagram, 1, 2, []byte("data")))
	f.Add(packetOf(kindPing, 1, 2, make([]byte, 8)))
	f.Add(packetOf(kindBye, 1, 2, []byte("bye")))
	f.Add(packetOf(kindSegments, 1, 2, segment(1, 81, 0, 5, 3, []byte("abc"))))
	f.Add(packetOf(kindSegments, 1, 2, append(segment(2, 82, 0, 5, 0, nil), segment(2, 84, 0, 5, 0, nil)...)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := parseHello(b); err == nil && !bytes.Equal(appendHello(nil, h)[:18], b[:18]) {
			t.Error("hello differs")
		}
		for _, k := range []kind{kindCookie, kindConnect} {
			if n, c, err := parseCookie(b, k); err == nil && !bytes.Equal(appendCookie(nil, k, n, c), b) {
				t.Error("cookie differs")
			}
		}
		if n, id, err := parseAccept(b); err == nil && !bytes.Equal(appendAccept(nil, n, id), b) {
			t.Error("accept differs")
		}
		if _, r, err := parseRefuse(b); err == nil && link.CleanReason(r) != r {
			t.Error("refusal not clean")
		}
		if s, err := parseSession(b); err == nil && !bytes.Equal(packetOf(s.Kind, s.ID, s.Seq, s.Body), b) {
			t.Error("session packet differs")
		}
	})
}

// LINK.md names the version that the code has, and a row for every packet with its number.
func TestLinkDocument(t *testing.T) {
	b, err := os.ReadFile("LINK.md")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{fmt.Sprintf("Link version: **%d**", linkVersion)}
	for k, name := range map[kind]string{
		kindHello: "HELLO", kindCookie: "COOKIE", kindConnect: "CONNECT", kindAccept: "ACCEPT", kindRefuse: "REFUSE",
		kindDatagram: "DATAGRAM", kindSegments: "SEGMENTS", kindPing: "PING", kindPong: "PONG", kindBye: "BYE",
		kindPath: "PATH", kindPathOK: "PATHOK",
	} {
		want = append(want, fmt.Sprintf("\n| %d | %s |", k, name))
	}
	for _, text := range want {
		if !strings.Contains(string(b), text) {
			t.Errorf("LINK.md does not say %q", text)
		}
	}
}
