package kcplink

import (
	"encoding/binary"
	"errors"

	"github.com/hindcast/hindcast/net/link"
	"github.com/xtaci/kcp-go/v5"
)

// kind is the first byte of every packet. LINK.md draws them all.
type kind uint8

const (
	kindHello   kind = 1 // client: asks for a cookie
	kindCookie  kind = 2 // host: the cookie, which proves the address
	kindConnect kind = 3 // client: shows the cookie
	kindAccept  kind = 4 // host: the connection id
	kindRefuse  kind = 5 // host: refuses, with the reason

	kindDatagram kind = 16 // a payload, sent once
	kindSegments kind = 17 // KCP segments of one stream
	kindPing     kind = 18 // keepalive, with the clock of the sender
	kindPong     kind = 19 // returns the clock of the ping
	kindBye      kind = 20 // ends the connection, with the reason
	kindPath     kind = 21 // host: a token, which proves a new address
	kindPathOK   kind = 22 // client: shows the token
)

// isSession reports whether packets of the kind belong to a connection, not to a
// handshake.
func (k kind) isSession() bool { return k >= kindDatagram }

// Sizes in bytes.
const (
	maxPacket = 1200 // of a UDP payload: passes every usual path without fragmentation

	helloSize   = 1000 // padded, so that no answer to it is larger
	cookieSize  = 16
	nonceSize   = 8
	headerSize  = 1 + 8 + 4 // of a session packet: kind, connection id, sequence number
	pathSize    = headerSize + 8
	kcpMTU      = maxPacket - headerSize
	kcpMSS      = kcpMTU - kcp.IKCP_OVERHEAD // payload of one KCP segment
	linkVersion = 1
)

// magic begins a HELLO. It and the three fields after it are in the same place in all
// versions, so that a mismatch can be named.
const magic = "HCLK"

var errMalformed = errors.New("kcplink: malformed packet")

// hello is the first packet of a client.
type hello struct {
	Version  uint8  // of the link
	Protocol uint32 // Options.Protocol
	Nonce    uint64
}

func appendHello(b []byte, h hello) []byte {
	start := len(b)
	b = append(b, byte(kindHello))
	b = append(b, magic...)
	b = append(b, h.Version)
	b = binary.LittleEndian.AppendUint32(b, h.Protocol)
	b = binary.LittleEndian.AppendUint64(b, h.Nonce)
	return append(b, make([]byte, helloSize-(len(b)-start))...)
}

func parseHello(b []byte) (hello, error) {
	if len(b) < helloSize || kind(b[0]) != kindHello || string(b[1:5]) != magic {
		return hello{}, errMalformed
	}
	return hello{
		Version:  b[5],
		Protocol: binary.LittleEndian.Uint32(b[6:]),
		Nonce:    binary.LittleEndian.Uint64(b[10:]),
	}, nil
}

type cookie [cookieSize]byte

// appendCookie appends a COOKIE or a CONNECT: they have the same fields.
func appendCookie(b []byte, k kind, nonce uint64, c cookie) []byte {
	b = append(b, byte(k))
	b = binary.LittleEndian.AppendUint64(b, nonce)
	return append(b, c[:]...)
}

func parseCookie(b []byte, k kind) (nonce uint64, c cookie, err error) {
	if len(b) != 1+nonceSize+cookieSize || kind(b[0]) != k {
		return 0, c, errMalformed
	}
	copy(c[:], b[1+nonceSize:])
	return binary.LittleEndian.Uint64(b[1:]), c, nil
}

func appendAccept(b []byte, nonce, id uint64) []byte {
	b = append(b, byte(kindAccept))
	b = binary.LittleEndian.AppendUint64(b, nonce)
	return binary.LittleEndian.AppendUint64(b, id)
}

func parseAccept(b []byte) (nonce, id uint64, err error) {
	if len(b) != 1+nonceSize+8 || kind(b[0]) != kindAccept {
		return 0, 0, errMalformed
	}
	return binary.LittleEndian.Uint64(b[1:]), binary.LittleEndian.Uint64(b[9:]), nil
}

func appendRefuse(b []byte, nonce uint64, reason string) []byte {
	b = append(b, byte(kindRefuse))
	b = binary.LittleEndian.AppendUint64(b, nonce)
	return append(b, link.CleanReason(reason)...)
}

func parseRefuse(b []byte) (nonce uint64, reason string, err error) {
	const head = 1 + nonceSize
	if len(b) < head || len(b) > head+link.MaxReason || kind(b[0]) != kindRefuse {
		return 0, "", errMalformed
	}
	return binary.LittleEndian.Uint64(b[1:]), link.CleanReason(string(b[head:])), nil
}

// session is a packet of a connection. Body points into the packet.
type session struct {
	Kind   kind
	ID     uint64
	Seq    uint32
	Body   []byte
	Stream link.Stream // of kindSegments
}

// appendHeader begins a session packet; the body follows.
func appendHeader(b []byte, k kind, id uint64, seq uint32) []byte {
	b = append(b, byte(k))
	b = binary.LittleEndian.AppendUint64(b, id)
	return binary.LittleEndian.AppendUint32(b, seq)
}

// parseSession checks a whole session packet, so that the rest of the package and
// kcp-go need no further checks.
func parseSession(b []byte) (session, error) {
	if len(b) < headerSize || len(b) > maxPacket {
		return session{}, errMalformed
	}
	s := session{
		Kind: kind(b[0]),
		ID:   binary.LittleEndian.Uint64(b[1:]),
		Seq:  binary.LittleEndian.Uint32(b[9:]),
		Body: b[headerSize:],
	}
	ok := false
	switch s.Kind {
	case kindDatagram:
		ok = len(s.Body) > 0 && len(s.Body) <= link.MaxDatagram
	case kindSegments:
		s.Stream, ok = checkSegments(s.Body)
	case kindPing, kindPong, kindPath, kindPathOK:
		ok = len(s.Body) == 8
	case kindBye:
		ok = len(s.Body) <= link.MaxReason
	}
	if !ok {
		return session{}, errMalformed
	}
	return s, nil
}

// convOf returns the KCP conversation number of a stream.
func convOf(s link.Stream) uint32 { return uint32(s) + 1 }

// checkSegments checks KCP segments in the way in which kcp-go reads them. On 32-bit
// machines kcp-go trusts the length field; it also keeps segments that are longer than
// its buffers, and fragments that never complete. This function refuses all of these. A
// sender here puts one segment into a KCP message, so frg is always 0.
func checkSegments(b []byte) (link.Stream, bool) {
	if len(b) < kcp.IKCP_OVERHEAD {
		return 0, false
	}
	conv := binary.LittleEndian.Uint32(b)
	if conv < convOf(0) || conv >= convOf(link.Streams) {
		return 0, false
	}
	for len(b) > 0 {
		if len(b) < kcp.IKCP_OVERHEAD || binary.LittleEndian.Uint32(b) != conv {
			return 0, false
		}
		cmd, frg, size := b[4], b[5], binary.LittleEndian.Uint32(b[20:])
		b = b[kcp.IKCP_OVERHEAD:]
		if frg != 0 || size > kcpMSS || int(size) > len(b) { // in this order: int(size) could be negative
			return 0, false
		}
		switch cmd {
		case kcp.IKCP_CMD_PUSH:
			if size == 0 {
				return 0, false
			}
		case kcp.IKCP_CMD_ACK, kcp.IKCP_CMD_WASK, kcp.IKCP_CMD_WINS:
			if size != 0 {
				return 0, false
			}
		default:
			return 0, false
		}
		b = b[size:]
	}
	return link.Stream(conv - 1), true
}
