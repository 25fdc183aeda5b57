package replicate

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// CueReceiver decodes the cues that a CueSender sends to a client, and knows which datagrams are to
// be acknowledged. The zero value has received nothing.
type CueReceiver struct {
	ack     wire.Ack
	owed    int           // in how many InputPackets the acknowledgement is still sent
	cues    []receivedCue // by number
	newest  uint32        // the newest number
	changes []CueChange
}

// receivedCue is a cue in the newest version that has arrived.
type receivedCue struct {
	number    uint32
	seq       uint32    // of the datagram with this version
	cue       world.Cue // not of a cancelled one
	first     world.Cue // the version that arrived first, which others may be like
	later     bool
	cancelled bool
}

// CueChange is what a datagram says of one cue. Fired: Was is nil. Moved: both are set. Cancelled: Cue
// is nil.
type CueChange struct {
	Cue, Was *world.Cue
	Later    bool // it is shown with the interpolation delay
	Found    bool // the client would have found it by itself, had it simulated its tick
	Own      bool // it happened in a committed tick: the client may have guessed it
}

// ackRepeats is in how many InputPackets the arrival of a datagram is acknowledged. If all are
// lost, the cues come again.
const ackRepeats = 4

// Ack returns the acknowledgement for the next InputPacket; the zero value: none is needed.
func (r *CueReceiver) Ack() wire.Ack {
	if r.owed == 0 {
		return wire.Ack{}
	}
	r.owed--
	return r.ack
}

// Read decodes a datagram and returns what changed. It is valid until the next call. The error is
// ErrDuplicate, ErrStale if the datagram is too old to be acknowledged or to be understood, or wraps
// wire.ErrMalformed. A stale datagram changes nothing, and its cues come again.
func (r *CueReceiver) Read(data []byte) ([]CueChange, error) {
	m, err := wire.ParseCues(data)
	if err != nil {
		return nil, err
	}
	r.owed = ackRepeats
	if m.Seq == 0 {
		return nil, fmt.Errorf("%w: Cues 0", wire.ErrMalformed)
	}
	if r.overtaken(m.Updates) {
		return nil, ErrStale
	}
	if err := r.arrived(m.Seq); err != nil {
		return nil, err
	}
	r.changes = r.changes[:0]
	for i := range m.Updates {
		if err := r.take(m.Seq, &m.Updates[i]); err != nil {
			return r.changes, err
		}
	}
	return r.changes, nil
}

// overtaken reports whether so many cues have come since the datagram was sent that one that it
// builds on is no longer kept.
func (r *CueReceiver) overtaken(updates []wire.CueUpdate) bool {
	return slices.ContainsFunc(updates, func(u wire.CueUpdate) bool {
		return !u.Cancelled && u.Like != 0 && r.newest >= keptCues && u.Like <= r.newest-keptCues
	})
}

// arrived notes a datagram.
func (r *CueReceiver) arrived(seq uint32) error {
	if seq > r.ack.Newest {
		ahead := seq - r.ack.Newest
		r.ack.Mask <<= ahead
		if r.ack.Newest != 0 && ahead <= 32 {
			r.ack.Mask |= 1 << (ahead - 1)
		}
		r.ack.Mask &= 1<<32 - 1
		r.ack.Newest = seq
		return nil
	}
	back := r.ack.Newest - seq
	switch {
	case back > 32:
		return ErrStale
	case back == 0 || r.ack.Mask&(1<<(back-1)) != 0:
		return ErrDuplicate
	}
	r.ack.Mask |= 1 << (back - 1)
	return nil
}

// take takes in one update.
func (r *CueReceiver) take(seq uint32, u *wire.CueUpdate) error {
	r.newest = max(r.newest, u.Number)
	if r.newest-u.Number >= keptCues {
		return nil
	}
	r.forget()
	i, known := r.search(u.Number)
	if known && seq <= r.cues[i].seq {
		return nil // overtaken by a newer version
	}
	if !u.Cancelled && u.Like != 0 {
		at, here := r.search(u.Like)
		if !here || !u.Complete(&r.cues[at].first) {
			return fmt.Errorf("%w: cue %d is like cue %d, which is not here or has other fields", wire.ErrMalformed,
				u.Number, u.Like)
		}
	}
	if !known {
		r.cues = slices.Insert(r.cues, i, receivedCue{number: u.Number, cancelled: true})
	}
	r.change(&r.cues[i], seq, u)
	return nil
}

// change replaces a version by a newer one.
func (r *CueReceiver) change(k *receivedCue, seq uint32, u *wire.CueUpdate) {
	c := CueChange{Later: u.Later, Found: u.Found, Own: u.Own}
	if !k.cancelled {
		was := k.cue
		c.Was = &was
	}
	k.seq, k.cancelled, k.later = seq, u.Cancelled, u.Later
	if !u.Cancelled {
		if k.cue = u.Cue; k.first.Name == "" {
			k.first = u.Cue
		}
		now := u.Cue
		c.Cue = &now
	}
	if c.Cue == nil && c.Was == nil ||
		c.Cue != nil && c.Was != nil && c.Cue.CueKey == c.Was.CueKey && c.Cue.Same(c.Was) {
		return
	}
	r.changes = append(r.changes, c)
}

func (r *CueReceiver) search(number uint32) (at int, found bool) {
	return slices.BinarySearchFunc(
		r.cues,
		number,
		func(k receivedCue, number uint32) int { return cmp.Compare(k.number, number) },
	)
}

// forget drops the cues that no update can be about any more, many at once.
func (r *CueReceiver) forget() {
	if len(r.cues) < 2*keptCues {
		return
	}
	n := 0
	for n < len(r.cues) && r.newest-r.cues[n].number >= keptCues {
		n++
	}
	r.cues = slices.Delete(r.cues, 0, n)
}
