package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// AppendNotice appends the bytes of m.
func AppendNotice(b []byte, m *Notice) []byte {
	b = append(b, byte(KindNotice), byte(m.Kind))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	b = binary.AppendUvarint(b, uint64(m.Count))
	return appendText(b, m.Reason, MaxReason)
}

// ParseNotice reads a Notice. The error wraps ErrMalformed.
func ParseNotice(b []byte) (Notice, error) {
	r := open(b, KindNotice)
	m := Notice{Kind: NoticeKind(r.byte("kind"))}
	if m.Kind < NoticeDropped || m.Kind > NoticeLead {
		r.fail("kind", "%d", uint8(m.Kind))
	}
	m.Tick = r.tick("tick")
	m.Count = r.uint32("count")
	m.Reason = r.text("reason", MaxReason)
	return m, r.close()
}

// AppendChat appends the bytes of m.
func AppendChat(b []byte, m *Chat) []byte {
	b = append(b, byte(KindChat))
	b = binary.AppendUvarint(b, uint64(m.Player))
	return appendText(b, m.Text, MaxChat)
}

// ParseChat reads a Chat. The error wraps ErrMalformed.
func ParseChat(b []byte) (Chat, error) {
	r := open(b, KindChat)
	m := Chat{Player: r.player("player"), Text: r.text("text", MaxChat)}
	return m, r.close()
}

// AppendRoster appends the bytes of m.
func AppendRoster(b []byte, m *Roster) []byte {
	b = append(b, byte(KindRoster))
	b = binary.AppendUvarint(b, uint64(len(m.Players)))
	for i := range m.Players {
		b = binary.AppendUvarint(b, uint64(m.Players[i].Player))
		b = appendText(b, m.Players[i].Name, MaxName)
		b = binary.AppendUvarint(b, uint64(m.Players[i].Ping))
	}
	return b
}

// ParseRoster reads a Roster. The error wraps ErrMalformed.
func ParseRoster(b []byte) (Roster, error) {
	r := open(b, KindRoster)
	var m Roster
	if n := r.count("players", MaxRoster, 3); n > 0 {
		m.Players = make([]RosterEntry, n)
	}
	for i := range m.Players {
		m.Players[i] = RosterEntry{
			Player: r.player("player"),
			Name:   r.text("name", MaxName),
			Ping:   uint16(r.uvarint("ping", math.MaxUint16)),
		}
	}
	return m, r.close()
}

// The bits of Problems.
const problemsHeld = 1

func problemBits(m *Problems) (bits byte) {
	if m.Held {
		bits |= problemsHeld
	}
	return bits
}

// AppendProblems appends the bytes of m.
func AppendProblems(b []byte, m *Problems) []byte {
	b = append(b, byte(KindProblems), problemBits(m))
	for _, list := range [...][]string{m.Refused, m.Warned} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, text := range list {
			b = appendText(b, text, MaxProblem)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(m.Failed)))
	for i := range m.Failed {
		f := &m.Failed[i]
		b = binary.AppendUvarint(b, uint64(f.Tick))
		b = binary.AppendUvarint(b, uint64(f.Until))
		b = appendObject(b, f.Object)
		b = binary.AppendUvarint(b, uint64(f.Others))
		b = appendText(b, f.Class, MaxClass)
		b = appendText(b, f.Hook, MaxClass)
		b = appendText(b, f.Place, MaxReason)
		b = appendText(b, f.Message, MaxProblem)
	}
	return b
}

// ParseProblems reads Problems. The error wraps ErrMalformed.
func ParseProblems(b []byte) (Problems, error) {
	r := open(b, KindProblems)
	bits := r.byte("bits")
	if bits > problemsHeld {
		r.fail("bits", "%d is above %d", bits, problemsHeld)
	}
	m := Problems{Held: bits&problemsHeld != 0}
	if n := r.count("refused", MaxRefusals, 1); n > 0 {
		m.Refused = make([]string, n)
	}
	for i := range m.Refused {
		m.Refused[i] = r.text("refused", MaxProblem)
	}
	if n := r.count("warned", MaxRefusals, 1); n > 0 {
		m.Warned = make([]string, n)
	}
	for i := range m.Warned {
		m.Warned[i] = r.text("warned", MaxProblem)
	}
	if n := r.count("failed", MaxFailures, 15); n > 0 {
		m.Failed = make([]Failure, n)
	}
	for i := range m.Failed {
		m.Failed[i] = Failure{Tick: r.tick("tick"), Until: r.tick("until"), Object: r.object("object"),
			Others: uint32(r.uvarint("others", world.MaxObjects)), Class: r.text("class", MaxClass),
			Hook: r.text("hook", MaxClass), Place: r.text("place", MaxReason), Message: r.text("message", MaxProblem)}
	}
	return m, r.close()
}
