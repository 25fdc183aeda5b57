package memlink

import "github.com/hindcast/hindcast/net/link"

// Stats counts what an End has done since it was made.
type Stats struct {
	Peers    int // open now
	In, Out  Traffic
	Resent   uint64 // segments that were sent again
	Stuck    uint64 // peers that were let go because they acknowledged nothing
	Repeated uint64 // datagrams dropped because they were received before, or so old that they may have been
}

// Traffic counts packets by their content.
type Traffic struct {
	Datagram Count
	Control  Count // segments of messages on link.Control
	Bulk     Count // segments of messages on link.Bulk
	Other    Count // handshakes, acknowledgements, pings, goodbyes
}

// Count is a number of packets and of their bytes, with the headers of this package and
// without those of IP and UDP.
type Count struct{ Packets, Bytes uint64 }

func (c *Count) add(bytes int) {
	c.Packets++
	c.Bytes += uint64(bytes)
}

func (t *Traffic) add(k kind, b []byte) {
	switch {
	case k == kindDatagram:
		t.Datagram.add(len(b))
	case k == kindSegment && link.Stream(b[1]) == link.Control:
		t.Control.add(len(b))
	case k == kindSegment:
		t.Bulk.add(len(b))
	default:
		t.Other.add(len(b))
	}
}

// Total returns the sum of all kinds.
func (t Traffic) Total() Count {
	var sum Count
	for _, c := range [...]Count{t.Datagram, t.Control, t.Bulk, t.Other} {
		sum.Packets += c.Packets
		sum.Bytes += c.Bytes
	}
	return sum
}

// Dropped implements link.Counted.
func (e *End) Dropped(count func(reason string, n uint64)) {
	s := e.Stats()
	count("duplicate", s.Repeated)
	count("stuck", s.Stuck)
}

var _ link.Counted = (*End)(nil)
