package relay

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Receiver is the client's end of a relay. It tells new packets and records from
// duplicates and builds the acknowledgements. The zero value expects record 0: call
// Restart first.
type Receiver struct {
	base    uint32 // every record below has been taken
	taken   bitset
	newest  uint32           // number of the newest packet
	mask    uint64           // which of the 64 packets before it arrived
	objects []world.ObjectID // by channel
}

// Restart makes the receiver expect the records from a sequence number on, as after a
// keyframe. Channels stay defined, and packets keep their numbers.
func (r *Receiver) Restart(first uint32) {
	*r = Receiver{base: first, objects: r.objects, newest: r.newest}
}

// Received returns the sequence number below which every record has been taken.
func (r *Receiver) Received() uint32 { return r.base }

// Packet notes that a host packet has arrived. fresh is false for a duplicate, and for
// a packet so old that it may be one. stale reports whether a newer packet arrived
// before it.
func (r *Receiver) Packet(seq uint32) (fresh, stale bool) {
	if d := seq - r.newest; seq > r.newest {
		r.mask <<= d
		if r.newest != 0 && d <= 64 {
			r.mask |= 1 << (d - 1)
		}
		r.newest = seq
		return true, false
	}
	i := r.newest - seq
	if i == 0 || i > 64 || r.mask&(1<<(i-1)) != 0 {
		return false, true
	}
	r.mask |= 1 << (i - 1)
	return true, true
}

// Ack returns the packets that have arrived, for the next input packet.
func (r *Receiver) Ack() wire.Ack { return wire.Ack{Newest: r.newest, Mask: r.mask} }

// Take reports whether a record is new, and notes that it has arrived.
func (r *Receiver) Take(seq uint32) bool {
	if seq < r.base || seq-r.base >= window || r.taken.has(seq) {
		return false
	}
	r.taken.set(seq)
	for r.taken.has(r.base) {
		r.taken.clear(r.base)
		r.base++
	}
	return true
}

// Define notes the object that a channel stands for.
func (r *Receiver) Define(c wire.Channel) {
	for len(r.objects) <= int(c.Number) {
		r.objects = append(r.objects, 0)
	}
	r.objects[c.Number] = c.Object
}

// Object returns the object that a channel stands for, 0 if it is not defined.
func (r *Receiver) Object(ch uint16) world.ObjectID {
	if int(ch) < len(r.objects) {
		return r.objects[ch]
	}
	return 0
}
