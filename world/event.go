package world

import "fmt"

// EventKind says what an Event does.
type EventKind uint8

// The events, in the order in which those of one tick happen.
const (
	BundleEvent EventKind = iota + 1 // script bundle Bundle takes effect
	JoinEvent                        // Player joins
	LeaveEvent                       // Player has gone
	OwnerEvent                       // Object now belongs to Player, from the end of the tick
	SpawnEvent                       // the host program spawns Class at Place
	InputEvent                       // Player's input for Object
)

// String is the kind in a word.
func (k EventKind) String() string {
	names := [...]string{"none", "bundle", "join", "leave", "owner", "spawn", "input"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("event(%d)", uint8(k))
}

// Event is a thing that changes a world, with its tick. All that ever happens
// to a world from outside is one of these.
type Event struct {
	Tick   Tick
	Kind   EventKind
	Player PlayerID
	Object ObjectID  // OwnerEvent, InputEvent
	Bundle uint32    // BundleEvent: its number. InputEvent: by whose declaration the input was made
	Input  Input     // InputEvent
	Class  string    // SpawnEvent
	Place  Placement // SpawnEvent
}
