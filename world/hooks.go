package world

// Args has the arguments of a hook besides its object, and its results.
type Args struct {
	Input      Input      // ApplyInput: the InputCmd of this tick; Simulate: that of the frame; Think: the result
	Sight      Sight      // ApplyInput, Simulate: what goes with the input
	Presses    Presses    // ApplyInput, Simulate: of counted buttons, since the object's last input
	DT         uint16     // Simulate: the length of the frame, in FrameParts of a second
	Player     PlayerID   // OnJoin, OnLeave
	Other      ObjectID   // OnContact, OnContactEnd, OnTrigger: the other object
	Contact    Contact    // the same hooks; the normal points from the object to Other
	JointBreak JointBreak // OnJointBreak; Other is the object at the other end
	Claimed    Placement  // Verify: the owner pose
	OK         bool       // Verify: the result
	From       *Class     // OnMigrate: the class as it was declared before the switch
	Old        Row        // OnMigrate: the object's fields then, a row of From
	Timer      int        // OnTimer: the index of the timer in Class.Timers
	Event      *Event     // HostEvent: the call. OnSpawn: the event that spawned the object; nil if a hook did
}

// spent returns how many instructions the hooks of the object in slot have used in the
// present order.
func (w *World) spent(slot int) int64 {
	return w.acting.of(slot).spentOn(w.log.number())
}

// spend adds n instructions to the result of spent.
func (w *World) spend(slot int, n int64) {
	w.acting.of(slot).spend(n, w.log.number())
}

// Source is one script file of a bundle. Name is relative to the game's folder, with
// forward slashes.
type Source struct {
	Name string `json:"name"`
	Text string `json:"text"` // of the script
}

// ViewFile is the name of the script that runs on clients only and is not simulated.
const ViewFile = "view.lua"
