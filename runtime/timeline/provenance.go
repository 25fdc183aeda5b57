package timeline

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// Provenance says why an object came out of a Rewind differently.
type Provenance struct {
	Tick      world.Tick // the first one in which the object differed
	Cause     CauseKind
	Player    world.PlayerID  // whose input or event it was; 0: nobody's
	Event     world.EventKind // of CauseEvent; world.OwnerPoseEvent of CauseUnused: it was an owner's pose
	InputTick world.Tick      // for which the input was made, or in which the event happened
	LateBy    int             // ticks by which it reached the host late; 0: it was on time
	KnownBy   int             // ticks after its tick that had been simulated here when it became known
	Packet    uint32          // the number of the packet that brought it; 0: none did
	Record    uint32          // its position in the log; 0: it is not from the log

	// File, Line and Text are the first thing that a script did differently for that input.
	// Line is 0 where no script did.
	File string
	Line int    // from 1
	Text string // what it did
	// Through is how the difference reached the object: from the object next to it back to
	// where it began. Empty: it began with the object itself.
	Through []Through

	way   []world.ProvenanceStep // from where it began
	began dirtySpan              // what made it begin
}

// blame takes over what the difference began with.
func (p Provenance) blame(s *dirtySpan) Provenance {
	p.began = *s
	p.Cause, p.Player, p.Event, p.InputTick = s.why.kind, s.player, s.event, s.why.tick
	p.KnownBy, p.Packet, p.LateBy, p.Record = int(s.now)-int(s.why.tick)+1, s.origin.Packet, s.origin.LateBy, s.origin.Record
	return p
}

// Called returns the function of game.lua that a CallEvent called; "" for other causes.
func (p Provenance) Called() string { return p.began.called }

// inputBefore returns the input that an object had before its input changed; ok is false if the
// difference did not begin with that.
func (p Provenance) inputBefore() (in boundInput, ok bool) {
	first := &p.way[0]
	return p.began.why.was, first.Kind == world.FromInput && p.began.object == first.Object && p.began.event == 0
}

// CauseKind is what a difference began with.
type CauseKind uint8

// The causes.
const (
	CauseUnknown    CauseKind = iota
	CauseInput                // a player's input became known
	CauseUnused               // the host did not use an input or an owner pose of this player's
	CauseSilence              // no further input came from a player: the last one is not repeated any more
	CauseEvent                // a player joined or left, sent a pose or independent frames; the host program did something; scripts were switched
	CauseComputed             // this client computed something else than the host, from the same inputs
	CauseReplicated           // the host replicated objects that this client does not simulate, or their effects; of a Correction: the room has such objects
	CauseRefused              // the host refused an owner's pose: the class has authority = "owner"
)

// String returns the cause in a word, as reports name it.
func (k CauseKind) String() string {
	return [...]string{"unknown", "input", "unused input", "silence", "event", "computed otherwise", "told", "refused move"}[k]
}

// Through is a step of the way by which a difference reached an object.
type Through struct {
	Kind   world.ProvenanceKind // how it went on from Object
	Object world.ObjectID
	Class  string // of the object
	Owner  world.PlayerID
	Tick   world.Tick
	File   string // of the line that read or wrote; Line is 0 where none is known
	Line   int    // from 1
}

// String says how the difference went on from the object.
func (t *Through) String() string {
	who := t.Class + " " + t.Object.String()
	if t.Owner != 0 {
		who = fmt.Sprintf("player %d's %s", t.Owner, t.Class)
	}
	at := ""
	if t.Line != 0 {
		at = fmt.Sprintf(" (%s:%d)", t.File, t.Line)
	}
	switch t.Kind {
	case world.FromRead:
		return fmt.Sprintf("what its script saw of %s%s", who, at)
	case world.FromWrite:
		return fmt.Sprintf("what %s did to it%s", who, at)
	case world.FromSpawn:
		return fmt.Sprintf("its being spawned by %s%s", who, at)
	case world.FromTouch:
		return "contact with " + who
	case world.FromMiss:
		return fmt.Sprintf("contact with %s that did not come about", who)
	case world.FromJoint:
		return "a joint with " + who
	}
	return who
}
