package world

import "fmt"

// EventKind says what an Event does.
type EventKind uint8

// The events, in the order in which those of one tick happen. Those from OwnershipEvent to
// CallEvent are host events: what the host program does, in the order of Number.
const (
	BundleEvent    EventKind = iota + 1 // script bundle Bundle takes effect
	JoinEvent                           // Player joins
	LeaveEvent                          // Player has gone
	OwnershipEvent                      // Object now belongs to Player, from the end of the tick
	SpawnEvent                          // an object of Class is spawned at Place, with Values in its fields
	SetEvent                            // Object gets Values in its fields
	RemoveEvent                         // Object is removed at the end of the tick
	CallEvent                           // function Name of game.lua is called with Values
	InputEvent                          // Player's input for Object
	OwnerPoseEvent                      // Player, who owns Object, says that it is at Place when the tick begins
	FrameEvent                          // a frame of Player's, of length DT, for Object, which ticks independently
)

// ByHost reports whether events of this kind are what the host program does to the world.
func (k EventKind) ByHost() bool { return k >= OwnershipEvent && k <= CallEvent }

// FrameParts is into how many parts a second is divided to say how long a frame was.
const FrameParts = 8192

// String returns the kind in a word.
func (k EventKind) String() string {
	names := [...]string{"none", "bundle", "join", "leave", "owner", "spawn", "set", "remove", "call", "input", "move", "frame"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("event(%d)", uint8(k))
}

// Event is something that changes a world from outside, with its tick. Nothing else does.
type Event struct {
	Tick   Tick
	Kind   EventKind
	Player PlayerID
	Object ObjectID     // OwnershipEvent, SetEvent, RemoveEvent, InputEvent, OwnerPoseEvent, FrameEvent
	Bundle uint32       // BundleEvent: its number. InputEvent, FrameEvent: by whose declaration the input was made
	Input  Input        // InputEvent, FrameEvent
	Number uint32       // host events: of all host events of the room. FrameEvent: of the player's frames for this object. Ever rising
	DT     uint16       // FrameEvent: in FrameParts of a second
	Class  string       // SpawnEvent
	Place  Placement    // SpawnEvent; OwnerPoseEvent: Owner is 0, and the numbers are those of float32s
	Name   string       // CallEvent: of the function
	Values []NamedValue // SpawnEvent, SetEvent: fields. CallEvent: the arguments, without names. Never changed
}

// Spawned returns the id of the object that a SpawnEvent spawns. It depends on nothing but the
// tick and the number of the event, so that it is known before the tick is simulated, and stays
// the same whatever else happens in the tick.
func (e *Event) Spawned() ObjectID { return deriveID(hostID, e.Tick, e.Number) }
