package world

import "fmt"

// EventKind is the kind of an Event.
type EventKind uint8

// The kinds of events, in the order in which events of one tick happen. Those from
// OwnershipEvent to CallEvent, and SuspendEvent, are host events, which happen in the order of Number.
const (
	BundleEvent    EventKind = iota + 1 // script bundle Bundle takes effect
	JoinEvent                           // Player joins
	LeaveEvent                          // Player leaves
	OwnershipEvent                      // Object now belongs to Player, from the end of the tick
	SpawnEvent                          // an object of Class is spawned at Place, with Values in its fields
	SetEvent                            // Object gets Values in its fields
	RemoveEvent                         // Object is removed at the end of the tick
	CallEvent                           // function Name of game.lua is called with Values
	InputEvent                          // Player's input for Object
	OwnerPoseEvent                      // the owner pose of Object by Player is Place when the tick begins
	FrameEvent                          // an independent frame of Player, of length DT, for Object
	// SuspendEvent suspends Hooks of Class ("": of all classes), of the objects of Player (0: of all). It is a host
	// event, and happens before all others of its tick
	SuspendEvent
)

// ByHost reports whether events of this kind are host events.
func (k EventKind) ByHost() bool { return k >= OwnershipEvent && k <= CallEvent || k == SuspendEvent }

// FrameParts is the number of parts of a second in which lengths of frames are given.
const FrameParts = 8192

// String returns the kind in a word.
func (k EventKind) String() string {
	names := [...]string{
		"none",
		"bundle",
		"join",
		"leave",
		"owner",
		"spawn",
		"set",
		"remove",
		"call",
		"input",
		"move",
		"frame",
		"suspend",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("event(%d)", uint8(k))
}

// Event is a change of a world from outside, with its tick. Nothing else changes a world
// from outside.
type Event struct {
	Tick   Tick
	Kind   EventKind
	Player PlayerID
	Object ObjectID // OwnershipEvent, SetEvent, RemoveEvent, InputEvent, OwnerPoseEvent, FrameEvent
	// BundleEvent: its number. InputEvent, FrameEvent: the bundle whose declaration the input follows
	Bundle uint32
	Input  Input // InputEvent, FrameEvent
	Sight  Sight // InputEvent, FrameEvent: where the player's client drew what asSeen asks for; nil: nothing
	// host events: of all host events of the room. FrameEvent: of the player's frames for this object. Ever rising.
	// OwnerPoseEvent: 0, or that the host has taken the pose when it came: the tick at whose beginning the owner had
	// the object there. Then Place is where the object is after its frames of Tick
	Number uint32
	DT     uint16       // FrameEvent: in FrameParts of a second
	Class  string       // SpawnEvent, SuspendEvent
	Hooks  HookGroup    // SuspendEvent
	Place  Placement    // SpawnEvent; OwnerPoseEvent: Owner is 0, and the numbers are those of float32s
	Name   string       // CallEvent: of the function
	Values []NamedValue // SpawnEvent, SetEvent: fields. CallEvent: the arguments, without names. Never changed
}

// Spawned returns the id of the object that a SpawnEvent spawns. It depends only on the tick
// and the number of the event. So it is known before the tick is simulated, and does not depend
// on anything else in the tick.
func (e *Event) Spawned() ObjectID { return deriveID(hostID, e.Tick, e.Number) }
