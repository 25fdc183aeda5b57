package host

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Whole states are the largest messages of a host, and any client may ask for them. So what is equal for several
// clients is encoded once and shared, and what is encoded is limited in all: that many bytes at once, and the rate of a
// second. Who asks beyond that waits for a later tick; those who have had the fewest states come first, so that one who
// joins does not wait for others who ask again and again. And who has not been sent the last one yet waits for that:
// what is queued for a peer that takes little is one state.
const (
	mostStateBytes = 4 << 20
	stateByteRate  = 2 << 20
)

// answers has the whole states that clients are sent, keyframes and replies to a StateWant, as messages.
type answers struct {
	at      world.Tick // the committed tick of made
	made    []madeAnswer
	spent   int64         // of mostStateBytes
	back    time.Duration // when spent was last reduced
	waiting []waitingAsk
}

// answerKey says which clients can share a message: those for whom all of it is equal.
type answerKey struct {
	kind     wire.Kind
	tick     world.Tick
	first    uint32         // of a keyframe: the first record of the log after it
	onlooks  bool           // a keyframe of a client that gets snapshots
	snapshot uint32         // the number of that keyframe as a snapshot
	viewer   world.PlayerID // whose hidden objects it has; 0: there are no hidden ones
}

// madeAnswer is a message that was encoded, and of how many bytes of state it consists.
type madeAnswer struct {
	key   answerKey
	b     []byte
	state int
	base  *wire.Snapshot // of a keyframe of a client that gets snapshots; nil: not made yet
}

// waitingAsk is a message of a client whose answer has to wait.
type waitingAsk struct {
	from link.Peer
	had  int  // how many states the client has had
	busy bool // it waits until it has been sent the last one, and keeps nobody waiting
	data []byte
}

// Free reports whether a state may be encoded at a time for who asks now: nobody waits, who may have had fewer.
func (a *answers) Free(now time.Duration) bool {
	return !slices.ContainsFunc(a.waiting, func(w waitingAsk) bool { return !w.busy }) && a.afford(now)
}

// afford reports whether a state may be encoded at a time.
func (a *answers) afford(now time.Duration) bool {
	passed := min(now-a.back, time.Minute) // in which everything comes back
	a.spent = max(a.spent-int64(passed)*stateByteRate/int64(time.Second), 0)
	a.back = now
	return a.spent < mostStateBytes
}

// Wait keeps a message of a client, who has had so many states, until a state may be encoded. Of each kind it keeps the
// newest. busy says that the client has not been sent the last one yet.
func (a *answers) Wait(from link.Peer, had int, busy bool, data []byte) {
	a.waiting = slices.DeleteFunc(a.waiting, func(w waitingAsk) bool {
		return w.from == from && wire.KindOf(w.data) == wire.KindOf(data)
	})
	at := len(a.waiting)
	for at > 0 && a.waiting[at-1].had > had {
		at--
	}
	a.waiting = slices.Insert(a.waiting, at, waitingAsk{from, had, busy, slices.Clone(data)})
}

// Take removes the messages that wait and returns them, in the order of their turns.
func (a *answers) Take() []waitingAsk {
	all := a.waiting
	a.waiting = nil
	return all
}

// Left forgets what a client has asked for.
func (a *answers) Left(p link.Peer) {
	a.waiting = slices.DeleteFunc(a.waiting, func(w waitingAsk) bool { return w.from == p })
}

// Make returns the message of a key while a tick is the last committed one, and the size of its state. It calls encode
// for the first client that needs it. ok is false if that has to wait.
func (a *answers) Make(
	now time.Duration, committed world.Tick, key answerKey, encode func() (b []byte, state int),
) (b []byte, state int, ok bool) {
	if a.at != committed {
		a.at, a.made = committed, nil
	}
	if i := slices.IndexFunc(a.made, func(m madeAnswer) bool { return m.key == key }); i >= 0 {
		return a.made[i].b, a.made[i].state, true
	}
	if !a.Free(now) {
		return nil, 0, false
	}
	b, state = encode()
	a.spent += int64(len(b))
	a.made = append(a.made, madeAnswer{key: key, b: b, state: state})
	return b, state, true
}

// Baseline returns the keyframe of a key as the baseline of snapshots, which the clients share as well. It calls make
// for the first one. Make has returned the message.
func (a *answers) Baseline(key answerKey, make func() *wire.Snapshot) *wire.Snapshot {
	i := slices.IndexFunc(a.made, func(m madeAnswer) bool { return m.key == key })
	if a.made[i].base == nil {
		a.made[i].base = make()
		a.spent += int64(a.made[i].base.Memory())
	}
	return a.made[i].base
}

// answerWaiting answers the clients whose answers had to wait, as far as that is possible now.
func (h *Host) answerWaiting(now time.Duration) {
	for _, w := range h.answers.Take() {
		if p := h.roster.Find(w.from); p != nil {
			h.settle(now, p, h.answer(now, p, wire.KindOf(w.data), w.data))
		}
	}
}
