package wire

import "testing"

func BenchmarkAppendInputFrame(b *testing.B) {
	m := aimFrame()
	buf := AppendInputFrame(nil, &m)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendInputFrame(buf[:0], &m)
	}
}

func BenchmarkParseInputFrame(b *testing.B) {
	m := aimFrame()
	data := AppendInputFrame(nil, &m)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustNot(b, ParseInputFrame(data, &m))
	}
}

func BenchmarkHostFrameWriter(b *testing.B) {
	m := fightFrame()
	buf := make([]byte, 0, MaxDatagram)
	var w HostFrameWriter
	b.ReportAllocs()
	for b.Loop() {
		w.Reset(buf, m)
		for i := range m.Records {
			w.Add(&m.Records[i])
		}
		b.SetBytes(int64(len(w.Bytes())))
	}
}

func BenchmarkParseHostFrame(b *testing.B) {
	m := fightFrame()
	data := AppendHostFrame(nil, &m)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustNot(b, ParseHostFrame(data, &m))
	}
}

// BenchmarkParseFullHostFrame has as many records as a datagram can hold.
func BenchmarkParseFullHostFrame(b *testing.B) {
	data := fullFrame()
	var m HostFrame
	mustNot(b, ParseHostFrame(data, &m))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustNot(b, ParseHostFrame(data, &m))
	}
}
