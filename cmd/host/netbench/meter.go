package netbench

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
)

// packetHeaders is the size of the headers of a datagram: IPv4 and UDP (28), and
// net/kcplink (13).
const packetHeaders = 28 + 13

// meter is a host's link that counts the bytes that go over it, by part.
type meter struct {
	link.Link
	up, down  map[string]int64 // bytes; by name, sorted where they are shown
	packets   int64            // datagrams down
	arrived   int64            // datagrams up
	snapshots int64
	newest    map[link.Peer]uint32 // the newest record sent; looked up only
	frame     wire.HostPacket
	buf       []byte
}

func newMeter(l link.Link) *meter {
	m := &meter{Link: l, newest: map[link.Peer]uint32{}}
	m.reset()
	return m
}

func (m *meter) reset() {
	m.up, m.down = map[string]int64{}, map[string]int64{}
	m.packets, m.arrived, m.snapshots = 0, 0, 0
}

// bytes returns those that went over the link since the last reset, by part.
func (m *meter) bytes() (up, down map[string]int64) { return m.up, m.down }

// sent returns how many bytes of a part the host has sent.
func (m *meter) sent(part string) int64 { return m.down[part] }

// snapshotsSent returns how many snapshots the host has sent.
func (m *meter) snapshotsSent() int64 { return m.snapshots }

// Poll implements link.Link.
func (m *meter) Poll(now time.Duration, deliver func(link.Event)) {
	m.Link.Poll(now, func(ev link.Event) {
		switch ev.Kind {
		case link.Datagram:
			m.arrived++
			m.up[partOf(ev.Data)] += int64(len(ev.Data))
			m.up["headers"] += packetHeaders
		case link.Message:
			m.up[partOf(ev.Data)] += int64(len(ev.Data))
		}
		deliver(ev)
	})
}

// SendDatagram implements link.Link.
func (m *meter) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	m.packets++
	m.down["headers"] += packetHeaders
	switch wire.KindOf(b) {
	case wire.KindHostPacket:
		m.hostPacket(p, b)
	case wire.KindSnapshot:
		m.snapshots++
		fallthrough
	default:
		m.down[partOf(b)] += int64(len(b))
	}
	return m.Link.SendDatagram(now, p, b)
}

// SendMessage implements link.Link.
func (m *meter) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	m.down[partOf(b)] += int64(len(b))
	return m.Link.SendMessage(now, p, s, b)
}

// partOf returns the part that a message counts as.
func partOf(b []byte) string {
	switch wire.KindOf(b) {
	case wire.KindInputPacket:
		return "inputs"
	case wire.KindPing, wire.KindPong:
		return "pings"
	case wire.KindSnapshot, wire.KindRow:
		return "snapshots"
	case wire.KindAssets, wire.KindAssetWant, wire.KindAssetPart:
		return "assets"
	case wire.KindCorrection:
		return "corrections"
	case wire.KindKeyframe, wire.KindBundle, wire.KindWelcome, wire.KindHello, wire.KindReady,
		wire.KindEnter, wire.KindBundleWant:
		return "joins"
	}
	return "other"
}

// hostPacket counts a HostPacket: its head, its commit marks, and its log, each by
// the bytes that it adds to the packet. Records that were sent before are counted
// apart.
func (m *meter) hostPacket(p link.Peer, b []byte) {
	if wire.ParseHostPacket(b, &m.frame) != nil {
		m.down["other"] += int64(len(b))
		return
	}
	var w wire.HostPacketWriter
	w.Reset(m.buf, m.frame)
	size := len(w.Bytes())
	m.down["frame heads"] += int64(size)
	grown := func() int64 {
		by := len(w.Bytes()) - size
		size += by
		return int64(by)
	}
	for _, ch := range m.frame.Channels {
		w.Define(ch)
	}
	m.down["log"] += grown()
	last := m.newest[p]
	for i := range m.frame.Records {
		r := &m.frame.Records[i]
		w.Add(r)
		m.down[recordPart(r, r.Seq <= last)] += grown()
		m.newest[p] = max(m.newest[p], r.Seq)
	}
	m.buf = w.Bytes()
}

func recordPart(r *wire.Record, again bool) string {
	switch {
	case r.Committed && again:
		return "final marks again"
	case r.Committed:
		return "final marks"
	case again:
		return "log again"
	}
	return "log"
}

// rates returns bytes a second for each of so many clients.
func rates(parts map[string]int64, seconds float64, clients int) (out map[string]float64, sum float64) {
	out = map[string]float64{}
	// order: a map again, and a sum of whole numbers
	total := int64(0)
	for name, n := range parts {
		out[name] = round(float64(n) / seconds / float64(clients))
		total += n
	}
	return out, round(float64(total) / seconds / float64(clients))
}
