package world

// Calls is the face of a World for an interpreter that runs hooks. It sets the acting
// object, counts the instructions of its hooks, and undoes a hook.
//
// Calls is a value. Its zero value is not usable.
type Calls struct{ w *World }

// Act makes slot the acting object and returns the previous one, which the caller
// restores with another call. -1 means no object.
func (c Calls) Act(slot int) (before int) { return c.w.Act(slot) }

// Lend lets the acting object change the object in a slot at once, as if it had spawned it in this order, until the
// order ends. It is for orders of events only, because nothing records it.
func (c Calls) Lend(slot int) { c.w.lend(slot) }

// Acting returns the slot of the acting object, or -1 outside hooks.
func (c Calls) Acting() int { return c.w.actingSlot() }

// Mark returns the present moment, to which Undo can go back. A mark is valid
// within its order. Nested marks are undone from the innermost to the outermost.
func (c Calls) Mark() Mark { return c.w.mark() }

// Undo undoes the effects of hooks since the mark: changes, spawns, operations on
// others, cues, random numbers and faults. The tick still records what they read and
// which objects they spawned, because that decides whether they fail again when the
// tick is run again. The budget that they used stays used.
func (c Calls) Undo(m Mark) { c.w.undo(m) }

// Wrote reports whether hooks have changed anything since the mark that is not undone.
func (c Calls) Wrote(m Mark) bool { return c.w.wrote(m) }

// Spent returns how many instructions the hooks of the object in slot have used
// in the present order.
func (c Calls) Spent(slot int) int64 { return c.w.spent(slot) }

// Spend adds n instructions to what Spent returns.
func (c Calls) Spend(slot int, n int64) { c.w.spend(slot, n) }

// LimitWork begins to count the work of the next query, MoveAndSlide or BeginAsSeen of the acting object. If it is more
// than most, it may find nothing and changes nothing; 0: it is not limited.
func (c Calls) LimitWork(most int) { c.w.lookup.limit(most) }

// Work returns the work of the queries since LimitWork, in the time that a script takes for an addition. It follows
// from the bodies that reach into the region of a query, the objects of a class and the arguments. It is the same
// wherever and however the tick is simulated, and what it follows from is recorded as read. Of work above the limit it
// says only that it is above it.
func (c Calls) Work() int { return c.w.lookup.work }

// Faults returns the hooks that have failed in this tick so far.
func (c Calls) Faults() []Fault { return c.w.Faults() }

// Rerun reports whether the tick is simulated again.
func (c Calls) Rerun() bool { return c.w.Rerun }

// Check reports whether invariants are to be asserted.
func (c Calls) Check() bool { return c.w.Check }

// Fault records that a hook of the object in slot failed, and counts it towards
// FaultLimit. The effects of the hook before the failure stay.
func (c Calls) Fault(slot int, h Hook, err error) { c.w.Fault(slot, h, err) }

// RandomAbout returns the n-th number in [0, 1) of a stream of an object in this tick
// that no hook draws from. It is for hooks that only read.
func (c Calls) RandomAbout(id ObjectID, n uint32) float64 {
	return random(^c.w.Now.Seed, id, c.w.Now.Tick, n)
}

// Prints reports whether Print has an effect: it has none in a tick that is run
// again.
func (c Calls) Prints() bool { return !c.w.Rerun && c.w.Print != nil }

// PrintTo makes f receive what scripts print from now on, in place of Options.Print.
func (c Calls) PrintTo(f func(t Tick, by ObjectID, line string)) { c.w.Print = f }

// Print prints a line of a script for an object.
func (c Calls) Print(by ObjectID, line string) {
	if c.Prints() {
		c.w.Print(c.w.Now.Tick, by, line)
	}
}
