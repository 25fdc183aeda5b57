package host

import (
	"iter"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// A client does not run the hooks of replicated objects of others, and a spectator runs none. The
// host keeps a cue book of all cues, and sends each client the cues that the client does not find by
// itself. The client guesses those of replicated objects of its player: of these the host sends what happened when the
// tick is committed, and how far it has done so.

// cueRelay has the cues of a room.
type cueRelay struct {
	book    *view.CueBook
	bundle  uint32         // in force when they were sent last
	lasting []world.Cue    // those whose effects still last at the present, for clients to come
	counts  room.CueCounts // of clients that have left
	settled world.Tick     // up to here, cues that clients guess have been confirmed
}

func newCueRelay() cueRelay { return cueRelay{book: view.NewCueBookForAll()} }

// Open begins before the first tick.
func (r *cueRelay) Open() { r.book.Open(0) }

// Ran takes the cues of a tick that was run, the first time or again.
func (r *cueRelay) Ran(t world.Tick, trace *world.Trace) { r.book.Ran(t, trace) }

// Left adds the counts of a client that has left.
func (r *cueRelay) Left(p *peer) { addCues(&r.counts, p.replica.cues.Counts()) }

// relayCues sends the changes of cues since the last tick.
func (h *Host) relayCues(now time.Duration) {
	h.cues.settled = h.match.Commits().Tick()
	updates := h.cues.book.Flush(h.cues.settled, false)
	for i := range updates {
		u := &updates[i]
		h.cues.note(u)
		h.notify.Cue(room.NewCueEvent(*u, h.age(u)))
	}
	h.cues.lasting = slices.DeleteFunc(h.cues.lasting, func(c world.Cue) bool { return c.Over(h.match.Now()) })
	h.relevancy.Configure(h.match.Scripts().Of(h.State().Bundle), &h.inForce().bundle.Rules.Snapshots)
	before := h.beforeSwitch()
	for _, p := range h.roster.All() {
		for i := range h.cues.book.Guessed() {
			p.replica.ConfirmCue(now, p.Player(), &h.cues.book.Guessed()[i])
		}
		if !p.Playing() || !p.feed.Open() {
			continue
		}
		if before != nil {
			p.replica.Switched(before, h.match.Scripts().SchemaOf(before), p.Player())
		}
		sees := func(c *world.Cue) bool {
			return p.replica.Sees(h.relevancy, h.roomsOf(c), p.Player(), c)
		}
		for i := range updates {
			p.replica.RelayCue(now, p.Player(), &updates[i], sees)
		}
		p.replica.RelayLasting(now, p.Player(), h.cues.lasting, h.match.Now(), sees)
		if b := p.replica.cues.Datagram(now, wire.MaxDatagram); b != nil {
			h.mail.Cues(len(b))
			h.mail.Datagram(now, p.id, b)
		}
	}
}

// beforeSwitch returns the last state before the bundle in force, if that is new since the last call; otherwise nil.
func (h *Host) beforeSwitch() *world.State {
	s := h.State()
	if h.cues.bundle == s.Bundle {
		return nil
	}
	h.cues.bundle = s.Bundle
	for t := s.Tick - 1; t > h.match.Oldest(); t-- {
		if before := h.match.At(t); before == nil || before.Bundle != s.Bundle {
			return before
		}
	}
	return nil
}

// roomsOf returns the rooms in which a cue's object may be: the present one, that after the cue's tick, and that
// before it, for an object that was removed in it.
func (h *Host) roomsOf(c *world.Cue) iter.Seq[replicate.Room] {
	return func(yield func(replicate.Room) bool) {
		now := h.State()
		if !yield(replicate.Room{State: now, Read: func(f func(world.Reader)) { f(h.Reader()) }}) {
			return
		}
		for _, t := range [...]world.Tick{c.Tick, c.Tick - 1} {
			s := h.match.At(t)
			if s == nil || s.Bundle != now.Bundle {
				continue // too long ago, or by other rules
			}
			if !yield(
				replicate.Room{State: s, Read: func(f func(world.Reader)) { _ = h.match.Past().Read(t, f) }},
			) { // it is kept
				return
			}
		}
	}
}

// age returns how long before the present a cue happened.
func (h *Host) age(u *view.CueUpdate) time.Duration {
	return time.Duration(h.match.Now()-min(u.Cue.Tick, h.match.Now())) * h.clock.Length()
}

// note keeps the cues that last.
func (r *cueRelay) note(u *view.CueUpdate) {
	if u.Change == view.CueMoved {
		r.drop(u.Was.CueKey)
	} else if u.Change == view.CueCancelled {
		r.drop(u.Cue.CueKey)
		return
	}
	if u.Cue.Lasts > 0 {
		r.lasting = append(r.lasting, u.Cue)
	}
}

func (r *cueRelay) drop(key world.CueKey) {
	r.lasting = slices.DeleteFunc(r.lasting, func(c world.Cue) bool { return c.CueKey == key })
}

func addCues(c *room.CueCounts, o replicate.CueCounts) {
	c.Sent, c.Cancelled, c.Lost = c.Sent+o.Sent, c.Cancelled+o.Cancelled, c.Lost+o.Lost
}

// cueCounts returns the counts of all clients.
func (h *Host) cueCounts() *room.CueCounts {
	counts := h.cues.counts
	for _, p := range h.roster.All() {
		addCues(&counts, p.replica.cues.Counts())
	}
	return &counts
}
