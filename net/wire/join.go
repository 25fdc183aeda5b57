package wire

import (
	"encoding/binary"
)

// AppendHello appends the bytes of m.
func AppendHello(b []byte, m *Hello) []byte {
	b = append(b, byte(KindHello))
	b = binary.LittleEndian.AppendUint16(b, m.Version)
	b = appendText(b, m.Name, MaxName)
	b = appendBytes(b, m.Token)
	b = append(b, m.Ticket[:]...)
	return append(b, flagBits(m.AtOnce, m.Snapshots, m.Onlooker))
}

// ParseHello reads a Hello. Token points into b. Of a Hello of another version it reads
// only the version, which is in the same place in all versions of the protocol, so
// that the host can name both when it refuses. The error wraps ErrMalformed.
func ParseHello(b []byte) (Hello, error) {
	r := open(b, KindHello)
	m := Hello{Version: readVersion(&r)}
	if m.Version != Version && !r.failed() {
		return m, nil
	}
	m.Name = r.text("name", MaxName)
	m.Token = r.bytes("token", MaxToken)
	m.Ticket = readTicket(&r)
	readFlags(&r, &m.AtOnce, &m.Snapshots, &m.Onlooker)
	if !m.AtOnce && (m.Snapshots || m.Onlooker) {
		r.fail("bits", "of a keyframe that is not wanted at once")
	}
	return m, r.close()
}

func readVersion(r *reader) uint16 {
	if b := r.take("version", 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// AppendWelcome appends the bytes of m.
func AppendWelcome(b []byte, m *Welcome) []byte {
	b = append(b, byte(KindWelcome))
	b = binary.AppendUvarint(b, uint64(m.Player))
	b = append(b, m.Ticket[:]...)
	b = binary.AppendUvarint(b, uint64(len(m.Bundles)))
	for i := range m.Bundles {
		b = appendAnnounce(b, &m.Bundles[i])
	}
	return append(b, flagBits(m.Follow))
}

// ParseWelcome reads a Welcome. The error wraps ErrMalformed.
func ParseWelcome(b []byte) (Welcome, error) {
	r := open(b, KindWelcome)
	m := Welcome{Player: r.player("player"), Ticket: readTicket(&r)}
	if n := r.count("bundles", MaxAnnounces, minAnnounce); n > 0 {
		m.Bundles = make([]Announce, n)
	}
	for i := range m.Bundles {
		readAnnounce(&r, &m.Bundles[i])
	}
	readFlags(&r, &m.Follow)
	return m, r.close()
}

// flagBits returns flags as the bits of a byte, the first one as the lowest.
func flagBits(flags ...bool) (bits byte) {
	for i, f := range flags {
		if f {
			bits |= 1 << i
		}
	}
	return bits
}

// readFlags reads what flagBits has made.
func readFlags(r *reader, flags ...*bool) {
	bits := r.byte("bits")
	if most := byte(1<<len(flags) - 1); bits > most {
		r.fail("bits", "%d is above %d", bits, most)
	}
	for i, f := range flags {
		*f = bits&(1<<i) != 0
	}
}

// readTicket reads a Ticket.
func readTicket(r *reader) (t Ticket) {
	copy(t[:], r.take("ticket", len(t)))
	return t
}

// AppendRefuse appends the bytes of m. They are the same in all versions of the
// protocol, so that an old client can say why it was refused.
func AppendRefuse(b []byte, m *Refuse) []byte {
	b = append(b, byte(KindRefuse))
	return appendText(b, m.Reason, MaxReason)
}

// ParseRefuse reads a Refuse. The error wraps ErrMalformed.
func ParseRefuse(b []byte) (Refuse, error) {
	r := open(b, KindRefuse)
	m := Refuse{Reason: r.text("reason", MaxReason)}
	return m, r.close()
}

// AppendEnd appends the bytes of m.
func AppendEnd(b []byte, m *End) []byte {
	b = append(b, byte(KindEnd), byte(m.Cause))
	return appendText(b, m.Reason, MaxReason)
}

// ParseEnd reads an End. The error wraps ErrMalformed.
func ParseEnd(b []byte) (End, error) {
	r := open(b, KindEnd)
	m := End{Cause: EndCause(r.byte("cause"))}
	if m.Cause < EndOver || m.Cause > EndKicked {
		r.fail("cause", "%d", uint8(m.Cause))
	}
	m.Reason = r.text("reason", MaxReason)
	return m, r.close()
}

// Ready says that the client has compiled the bundles of Welcome, and asks for the
// state.
type Ready struct {
	Snapshots bool // the client does not simulate, and wants Snapshots of all objects
	Onlooker  bool // the player does not join before an Enter
	// the Seq of the newest InputPacket sent so far; a later one shows that the Keyframe has arrived; 0: none
	LastInputSeq uint32
}

// Enter says that the player of an onlooker joins.
type Enter struct{}

// AppendReady appends the bytes of m.
func AppendReady(b []byte, m *Ready) []byte {
	b = append(b, byte(KindReady), flagBits(m.Snapshots, m.Onlooker))
	return binary.AppendUvarint(b, uint64(m.LastInputSeq))
}

// ParseReady reads a Ready. The error wraps ErrMalformed.
func ParseReady(b []byte) (Ready, error) {
	var m Ready
	r := open(b, KindReady)
	readFlags(&r, &m.Snapshots, &m.Onlooker)
	m.LastInputSeq = r.uint32("last input seq")
	return m, r.close()
}

// AppendEnter appends the bytes of m.
func AppendEnter(b []byte, _ *Enter) []byte { return append(b, byte(KindEnter)) }

// ParseEnter reads an Enter. The error wraps ErrMalformed.
func ParseEnter(b []byte) (Enter, error) {
	r := open(b, KindEnter)
	return Enter{}, r.close()
}
