package world

import "fmt"

// EventKind says what an Event does.
type EventKind uint8

// The events, in the order in which those of one tick happen.
const (
	BundleEvent    EventKind = iota + 1 // script bundle Bundle takes effect
	JoinEvent                           // Player joins
	LeaveEvent                          // Player has gone
	OwnershipEvent                      // Object now belongs to Player, from the end of the tick
	SpawnEvent                          // the host program spawns Class at Place
	InputEvent                          // Player's input for Object
	OwnerPoseEvent                      // Player, who owns Object, says that it is at Place when the tick begins
	FrameEvent                          // a frame of Player's, of length DT, for Object, which ticks independently
)

// FrameParts is into how many parts a second is divided to say how long a frame was.
const FrameParts = 8192

// String returns the kind in a word.
func (k EventKind) String() string {
	names := [...]string{"none", "bundle", "join", "leave", "owner", "spawn", "input", "move", "frame"}
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
	Object ObjectID  // OwnershipEvent, InputEvent, OwnerPoseEvent, FrameEvent
	Bundle uint32    // BundleEvent: its number. InputEvent, FrameEvent: by whose declaration the input was made
	Input  Input     // InputEvent, FrameEvent
	Number uint32    // FrameEvent: of the player's frames for this object, ever rising
	DT     uint16    // FrameEvent: in FrameParts of a second
	Class  string    // SpawnEvent
	Place  Placement // SpawnEvent; OwnerPoseEvent: Owner is 0, and the numbers are those of float32s
}
