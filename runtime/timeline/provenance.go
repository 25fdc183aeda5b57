package timeline

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// Provenance is the chain of causes by which an object came out of a Rewind
// differently.
type Provenance struct {
	Tick      world.Tick // the first tick in which the object differed
	Cause     CauseKind
	Player    world.PlayerID  // the player of the input or event; 0: none
	Event     world.EventKind // for CauseEvent; world.OwnerPoseEvent with CauseUnused: an owner pose
	InputTick world.Tick      // the tick of the input or event
	LateBy    int             // how late it reached the host, in ticks; 0: on time
	KnownBy   int             // how many ticks after its tick had been simulated here when it arrived
	Packet    uint32          // the number of its packet; 0: none
	Record    uint32          // its position in the log; 0: it is not from the log

	// File, Line and Text are the first effect of a script that differed for that input. For an
	// event that called a hook or a function of game.lua, they are its first effect on the object
	// with which the difference began, otherwise its first effect. Line is 0 if there is none.
	File string
	Line int    // from 1
	Text string // the effect in words
	// Replicated is what came of an object that the client does not simulate, for CauseReplicated.
	Replicated Replicated
	// Through is the path by which the difference reached the object, from the object next
	// to it back to the first one. It is empty if the difference began with the object
	// itself.
	Through []Through

	path path
}

// path is how a difference reached an object.
type path struct {
	Way   []world.ProvenanceStep // from its beginning
	Began dirtySpan              // the cause of its beginning
}

// blame takes over the cause from a dirty span.
func (p Provenance) blame(s dirtySpan) Provenance {
	p.path.Began, p.Replicated = s, s.replaced
	p.Cause, p.Player, p.Event, p.InputTick = s.why.kind, s.player, s.event, s.why.tick
	p.KnownBy, p.Packet, p.LateBy, p.Record = int(
		s.now,
	)-int(
		s.why.tick,
	)+1, s.origin.Packet, s.origin.LateBy, s.origin.Record
	return p
}

// line takes over the line of an effect; nil: there is none.
func (p Provenance) line(e *Effect) Provenance {
	if e != nil {
		p.File, p.Line, p.Text = e.File, e.Line, e.Text
	}
	return p
}

// Called returns the function of game.lua that a CallEvent called; "" for other causes.
func (p Provenance) Called() string { return p.path.Began.called }

// inputBefore returns the input of an object before it changed; ok is false if the difference
// did not begin with an input.
func (p Provenance) inputBefore() (in boundInput, ok bool) {
	first := &p.path.Way[0]
	return p.path.Began.why.was, first.Kind == world.FromInput && p.path.Began.object == first.Object &&
		p.path.Began.event == 0
}

// CauseKind is the first cause of a difference.
type CauseKind uint8

// The causes.
const (
	CauseUnknown  CauseKind = iota
	CauseInput              // a player's input became known
	CauseUnused             // the host did not use an input or an owner pose of this player
	CauseSilence            // no further input arrived from a player: the last one is not repeated any more
	CauseEvent              // a join, a leave, an owner pose, independent frames, a host event or a bundle switch
	CauseComputed           // this client computed a different result than the host from the same inputs
	// the host sent replicated objects, or their effects: Provenance.Replicated; for a Correction: the room has such
	// objects
	CauseReplicated
	CauseRefused // the host refused an owner pose
)

// String returns the cause in a word, as reports name it.
func (k CauseKind) String() string {
	return [...]string{
		"unknown", "input", "unused input", "silence", "event", "different result", "replicated", "refused pose",
	}[k]
}

// Through is a step of the path by which a difference reached an object.
type Through struct {
	Kind   world.ProvenanceKind // how the difference spread from Object
	Object world.ObjectID
	Class  string // of the object
	Owner  world.PlayerID
	Tick   world.Tick
	File   string // the file of the line that read or wrote; Line is 0 if it is unknown
	Line   int    // from 1
}

// String describes how the difference spread from the object.
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
