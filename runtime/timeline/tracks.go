package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// trackKey names a track: by an object and the player who controls it. When an object gets a new
// owner, the new owner does not take over the inputs, poses and frames of the old one.
type trackKey struct {
	Object world.ObjectID
	Player world.PlayerID
}

func compareTrackKeys(a, b trackKey) int {
	if a.Object != b.Object {
		return cmp.Compare(a.Object, b.Object)
	}
	return cmp.Compare(a.Player, b.Player)
}

// flags are the origin of an entry of a log.
type flags uint8

const (
	guessed   flags = 1 << iota // a guess of this client: the host's log does not have it yet
	unrelayed                   // not in the log that the host relays: not all clients simulate the object
	confirmed                   // a guess of this client that the host's log has confirmed
)

// guessed reports whether this client has made the entry.
func (f flags) guessed() bool { return f&guessed != 0 }

// relayed reports whether every client gets the entry.
func (f flags) relayed() bool { return f&(guessed|unrelayed) == 0 }

func flagIf(on bool, f flags) flags {
	if on {
		return f
	}
	return 0
}

// entry is the entry of a log for a player and an object in one tick. The logs of inputs,
// owner poses and independent frames differ in the payload and in their rules, not in the
// header.
type entry[P any] struct {
	Tick    world.Tick
	Number  uint32 // for an input: its position in the log that the host relays; for a frame: its number
	Bundle  uint32 // the bundle whose declarations the payload follows
	Flags   flags
	Payload P
}

func compareEntries[P any](a, b entry[P]) int {
	return cmp.Or(cmp.Compare(a.Tick, b.Tick), cmp.Compare(a.Number, b.Number))
}

// track has the entries of one player and one object, by tick and number.
type track[P any] struct {
	Of      trackKey
	Entries []entry[P]

	// For frames: the highest number that the host's log had, and its tick.
	Newest     uint32
	NewestTick world.Tick
}

// findTick returns the index of the first of the entries of tick t, or where one belongs.
func findTick[P any](entries []entry[P], t world.Tick) (i int, ok bool) {
	return slices.BinarySearchFunc(entries, t, func(e entry[P], t world.Tick) int { return cmp.Compare(e.Tick, t) })
}

// tracks holds one track for each player and object.
type tracks[P any] struct {
	list []track[P] // by object and player
	near [256]int32 // by the lowest bits of an object id: the index at which its track was last found
}

// all returns the tracks, by object and player.
func (ts *tracks[P]) all() []track[P] { return ts.list }

// clear removes all tracks.
func (ts *tracks[P]) clear() { ts.list = nil }

// find returns a track, nil if there is none. The pointer is valid until a track is added or
// removed.
func (ts *tracks[P]) find(of trackKey) *track[P] {
	if i, ok := search(ts, of); ok {
		return &ts.list[i]
	}
	return nil
}

// addTrack returns a track, and creates it if there is none.
func addTrack[P any](ts *tracks[P], of trackKey) *track[P] {
	i, ok := search(ts, of)
	if !ok {
		ts.list = slices.Insert(ts.list, i, track[P]{Of: of})
	}
	return &ts.list[i]
}

// steered reports whether any player has a track for an object.
func (ts *tracks[P]) steered(id world.ObjectID) bool {
	i, _ := search(ts, trackKey{Object: id})
	return i < len(ts.list) && ts.list[i].Of.Object == id
}

// oldestBundle returns the lowest bundle number of all entries, or limit if that is lower.
func (ts *tracks[P]) oldestBundle(limit uint32) uint32 {
	for i := range ts.list {
		for j := range ts.list[i].Entries {
			limit = min(limit, ts.list[i].Entries[j].Bundle)
		}
	}
	return limit
}

// prune removes all entries up to tick oldest, and the tracks that are not needed any more.
func (ts *tracks[P]) prune(oldest world.Tick) {
	pruneTracks(ts, oldest, func(tr *track[P]) int {
		i, _ := findTick(tr.Entries, oldest+1)
		return i
	})
}

// check asserts that tracks and entries are sorted, without duplicates.
func (ts *tracks[P]) check(what string) {
	for i := range ts.list {
		tr := &ts.list[i]
		if i > 0 && compareTrackKeys(ts.list[i-1].Of, tr.Of) >= 0 {
			violated("%s of object %s and player %d are not sorted", what, tr.Of.Object, tr.Of.Player)
		}
		for j := 1; j < len(tr.Entries); j++ {
			a, b := &tr.Entries[j-1], &tr.Entries[j]
			if a.Tick > b.Tick || a.Tick == b.Tick && a.Number >= b.Number {
				violated("%s of object %s: tick %d is followed by tick %d", what, tr.Of.Object, a.Tick, b.Tick)
			}
		}
	}
}

// search returns the position of a track, or where it belongs.
func search[P any](ts *tracks[P], of trackKey) (i int, ok bool) {
	near := &ts.near[of.Object%world.ObjectID(len(ts.near))]
	if i := int(*near); i < len(ts.list) && ts.list[i].Of == of {
		return i, true
	}
	i, ok = slices.BinarySearchFunc(
		ts.list,
		of,
		func(tr track[P], of trackKey) int { return compareTrackKeys(tr.Of, of) },
	)
	*near = int32(i)
	return i, ok
}

// pruneTracks removes the entries of each track before the one that keep returns. A track
// stays while it has entries, or its newest tick is after oldest.
func pruneTracks[P any](ts *tracks[P], oldest world.Tick, keep func(*track[P]) int) {
	for i := range ts.list {
		tr := &ts.list[i]
		tr.Entries = slices.Delete(tr.Entries, 0, keep(tr))
	}
	ts.list = slices.DeleteFunc(
		ts.list,
		func(tr track[P]) bool { return len(tr.Entries) == 0 && tr.NewestTick <= oldest },
	)
}
