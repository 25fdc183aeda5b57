package world

// Args is what a hook is given besides its object.
type Args struct {
	Input      Input      // ApplyInput: the InputCmd of this tick; Simulate: of the frame. Think: where the answer goes
	DT         uint16     // Simulate: how long the frame was, in FrameParts of a second
	Player     PlayerID   // OnJoin, OnLeave
	Other      ObjectID   // OnContact, OnContactEnd, OnTrigger: who was met
	Contact    Contact    // the same hooks; the normal points from the object to Other
	JointBreak JointBreak // OnJointBreak; Other is who was tied
	Claimed    Placement  // Verify: where the owner says that the object is
	OK         bool       // Verify: where the answer goes
	From       *Class     // OnMigrate: the class as it was declared before the switch
	Old        []uint64   // OnMigrate: the object's fields then, a row of From
}

// Spent is what the hooks of the object in slot have used in the present order,
// in the units of Spend.
func (w *World) Spent(slot int) int64 {
	if a := &w.deeds[slot]; a.spentIn == w.log.number() {
		return a.spent
	}
	return 0
}

// Spend notes that a hook of the object in slot used n instructions.
func (w *World) Spend(slot int, n int64) {
	n += w.Spent(slot)
	w.deeds[slot].spent, w.deeds[slot].spentIn = n, w.log.number()
}

// Source is one script file of a bundle. Name is relative to the game's
// folder, with forward slashes.
type Source struct {
	Name string `json:"name"`
	Text string `json:"text"`
}
