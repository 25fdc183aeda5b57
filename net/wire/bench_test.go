package wire

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

func BenchmarkAppendInputPacket(b *testing.B) {
	m := aimFrame()
	buf := AppendInputPacket(nil, &m)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendInputPacket(buf[:0], &m)
	}
}

func BenchmarkParseInputPacket(b *testing.B) {
	m := aimFrame()
	data := AppendInputPacket(nil, &m)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustNot(b, ParseInputPacket(data, &m))
	}
}

func BenchmarkHostPacketWriter(b *testing.B) {
	m := fightFrame()
	buf := make([]byte, 0, MaxDatagram)
	var w HostPacketWriter
	b.ReportAllocs()
	for b.Loop() {
		w.Reset(buf, m)
		for i := range m.Records {
			w.Add(&m.Records[i])
		}
		b.SetBytes(int64(len(w.Bytes())))
	}
}

func BenchmarkParseHostPacket(b *testing.B) {
	m := fightFrame()
	data := AppendHostPacket(nil, &m)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustNot(b, ParseHostPacket(data, &m))
	}
}

// BenchmarkParseFullHostPacket has as many records as a datagram can hold.
func BenchmarkParseFullHostPacket(b *testing.B) {
	data := fullFrame()
	var m HostPacket
	mustNot(b, ParseHostPacket(data, &m))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustNot(b, ParseHostPacket(data, &m))
	}
}

// benchSnapshot returns a snapshot of a thousand moving discs, and its baseline.
func benchSnapshot() (l *SnapshotLayout, base, m *Snapshot) {
	l, base, m = sampleLayout(), &Snapshot{Seq: 1, Tick: 100}, &Snapshot{Seq: 2, Tick: 106}
	for i := range int32(1000) {
		e := Entity{ID: ship + world.ObjectID(i), Tick: 100, FieldsTick: 100, Pose: Pose{i * 99, i * 77, i}, Velocity: Velocity{i % 700, -i % 300, i % 50}}
		base.Add(e, nil)
		e.Tick, e.FieldsTick, e.Pose[0], e.Pose[1] = 106, 106, e.Pose[0]+e.Velocity[0]*2/10, e.Pose[1]+e.Velocity[1]*2/10
		m.Add(e, nil)
	}
	return l, base, m
}

func BenchmarkAppendSnapshot(b *testing.B) {
	l, base, m := benchSnapshot()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendSnapshot(buf[:0], l, nil, base, m)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkParseSnapshot(b *testing.B) {
	l, base, m := benchSnapshot()
	data := AppendSnapshot(nil, l, nil, base, m)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		mustNot(b, ParseSnapshot(data, l, nil, base, m))
	}
}
