package wire

import (
	"encoding/binary"
	"time"
)

// AppendPing appends the bytes of m.
func AppendPing(b []byte, m *Ping) []byte {
	b = append(b, byte(KindPing))
	return appendTime(b, m.Sent)
}

// ParsePing reads a Ping. The error wraps ErrMalformed.
func ParsePing(b []byte) (Ping, error) {
	r := open(b, KindPing)
	m := Ping{Sent: readTime(&r, "sent")}
	return m, r.close()
}

// AppendPong appends the bytes of m.
func AppendPong(b []byte, m *Pong) []byte {
	b = append(b, byte(KindPong))
	b = appendTime(b, m.Sent)
	return appendTime(b, m.Host)
}

// ParsePong reads a Pong. The error wraps ErrMalformed.
func ParsePong(b []byte) (Pong, error) {
	r := open(b, KindPong)
	m := Pong{Sent: readTime(&r, "sent"), Host: readTime(&r, "host")}
	return m, r.close()
}

// readTime reads a time in nanoseconds. It always has 8 bytes: as a varint it would
// grow while the clock runs.
func readTime(r *reader, field string) time.Duration {
	return time.Duration(r.fixed64(field))
}

func appendTime(b []byte, d time.Duration) []byte {
	return binary.LittleEndian.AppendUint64(b, uint64(d))
}
