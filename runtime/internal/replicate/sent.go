package replicate

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// What a sender keeps of the snapshots that were sent, any of which the client may have: at most so many, of so many
// bytes in all. A snapshot has all objects that the client knows, so in a room of thousands a few take as much memory
// as the room. Before the client has acknowledged any, it is less: it may be one that never will.
const (
	mostKept     = 32
	keptBytes    = 2 << 20
	keptUnproved = 192 << 10
	leastKept    = 2 // of a client that acknowledges, whatever they take
)

// sentSnapshots are the snapshots that were sent and can become the baseline, which they do when the client
// acknowledges them. If not all can be kept, they are chosen at equal distances: then an acknowledgement a round trip
// later still finds some.
type sentSnapshots struct {
	kept   []wire.Snapshot // in any order; Seq 0: memory to be used again
	newest uint32          // the newest that was kept
	acked  uint32          // the newest that was acknowledged, kept or not
	proved bool            // one was acknowledged since the keyframe
	heads  [mostKept]sentHead
}

// sentHead is what is known of every snapshot sent: snapshot n is at n % len.
type sentHead struct {
	seq, bundle uint32
	tick        world.Tick
}

// begin forgets everything; the client has snapshot seq, which was not sent as one.
func (k *sentSnapshots) begin(seq uint32) { *k = sentSnapshots{newest: seq, acked: seq} }

// find returns the snapshot of a number if it is kept, otherwise nil.
func (k *sentSnapshots) find(seq uint32) *wire.Snapshot {
	for i := range k.kept {
		if seq != 0 && k.kept[i].Seq == seq {
			return &k.kept[i]
		}
	}
	return nil
}

// acknowledge notes an acknowledgement. It returns the head of the snapshot, with a tick of 0 if it is not the newest
// one acknowledged, or unknown. The caller has taken the snapshot, if it was kept: those up to it are not needed any
// more.
func (k *sentSnapshots) acknowledge(seq uint32) sentHead {
	head := k.heads[seq%mostKept]
	if seq == 0 || head.seq != seq || seq < k.acked {
		return sentHead{}
	}
	k.acked, k.proved = seq, true
	for i := range k.kept {
		if k.kept[i].Seq <= seq {
			k.kept[i].Seq = 0
		}
	}
	return head
}

// note notes the head of a snapshot that is sent.
func (k *sentSnapshots) note(h sentHead) { k.heads[h.seq%mostKept] = h }

// put keeps a snapshot that is sent, if its turn has come. If so, m gets other memory in exchange.
func (k *sentSnapshots) put(m *wire.Snapshot) {
	n := k.room(m.Memory())
	for len(k.kept) > n {
		k.drop()
	}
	at, ok := k.place(m.Seq, n)
	if !ok {
		return
	}
	k.newest = m.Seq
	k.kept[at], *m = *m, k.kept[at]
}

// place returns where to keep a snapshot, of which n may be kept. If not all that are on their way can be, they are
// kept at equal distances until there is an acknowledgement: the newest ones alone would be gone by then.
func (k *sentSnapshots) place(seq uint32, n int) (at int, ok bool) {
	few := uint32(n) < mostKept
	if n == 0 || few && (seq-k.newest)*uint32(n) < seq-k.acked {
		return 0, false
	}
	if len(k.kept) < n {
		k.kept = append(k.kept, wire.Snapshot{})
		return len(k.kept) - 1, true
	}
	at = k.oldest()
	return at, !few || k.kept[at].Seq == 0
}

// room returns how many snapshots of a size may be kept.
func (k *sentSnapshots) room(size int) int {
	if !k.proved {
		return min(keptUnproved/size, mostKept)
	}
	return max(min(keptBytes/size, mostKept), leastKept)
}

// drop drops the oldest snapshot, with its memory.
func (k *sentSnapshots) drop() {
	at, last := k.oldest(), len(k.kept)-1
	k.kept[at], k.kept[last] = k.kept[last], wire.Snapshot{}
	k.kept = k.kept[:last]
}

func (k *sentSnapshots) oldest() (at int) {
	for i := range k.kept {
		if k.kept[i].Seq < k.kept[at].Seq {
			at = i
		}
	}
	return at
}

// bytes returns how much memory the snapshots take.
func (k *sentSnapshots) bytes() (n int) {
	for i := range k.kept {
		n += k.kept[i].Memory()
	}
	return n
}
