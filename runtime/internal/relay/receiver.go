package relay

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Receiver is the client's end of a relay: it takes each record once and
// knows below which number it has them all.
type Receiver struct {
	base    uint32 // every record below has been taken
	got     bitset
	newest  uint32 // HostPackets: the newest, and which of the 64 before it came
	mask    uint64
	objects []world.ObjectID // by channel
}

// Restart begins anew at a record, as after a keyframe. Channels stay defined, and
// packets keep counting.
func (r *Receiver) Restart(first uint32) {
	*r = Receiver{base: first, objects: r.objects, newest: r.newest}
}

// Received returns the number below which every record has been taken.
func (r *Receiver) Received() uint32 { return r.base }

// Packet notes a HostPacket. stale: a newer one came before it. It is false for
// one that came before, or is older than can be told.
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

func (r *Receiver) Ack() wire.Ack { return wire.Ack{Newest: r.newest, Mask: r.mask} }

// Take reports whether a record is new.
func (r *Receiver) Take(seq uint32) bool {
	if seq < r.base || seq-r.base >= relayWindow || r.got.has(seq) {
		return false
	}
	r.got.set(seq)
	for r.got.has(r.base) {
		r.got.clear(r.base)
		r.base++
	}
	return true
}

// Define learns a channel.
func (r *Receiver) Define(c wire.Channel) {
	for len(r.objects) <= int(c.Number) {
		r.objects = append(r.objects, 0)
	}
	r.objects[c.Number] = c.Object
}

// Object is what a channel stands for, 0 if the client has not been told.
func (r *Receiver) Object(ch uint16) world.ObjectID {
	if int(ch) < len(r.objects) {
		return r.objects[ch]
	}
	return 0
}
