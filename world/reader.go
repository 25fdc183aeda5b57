package world

// Reader is the face of a World that code sees which only reads: controls, bots,
// tools. It shows the world between two ticks.
//
// A Reader is a value. Its zero value is not usable. It is valid during the call
// that gets it, or as long as whoever gave it says.
type Reader struct{ w *World }

// Reader returns the face of w for code that only reads. w must be between two
// ticks.
func (w *World) Reader() Reader {
	if w.Check {
		assert(!w.ticking, "a Reader in the midst of tick %d", w.Now.Tick)
	}
	w.BeginOrder() // queries see the world as it is
	return Reader{w}
}

// State returns the state. It must not be changed.
func (r Reader) State() *State { return r.w.Now }

// Schema returns the schema in force.
func (r Reader) Schema() *Schema { return r.w.schema }

// Tick returns the tick after which the state is.
func (r Reader) Tick() Tick { return r.w.Now.Tick }

// Seconds returns the time of the world, in seconds since its beginning.
func (r Reader) Seconds() float64 {
	return float64(r.w.Now.Tick) / float64(r.w.schema.Setup.TickRate)
}

// Find returns the slot of an object.
func (r Reader) Find(id ObjectID) (slot int, ok bool) { return r.w.Find(id) }

// Class returns the class of the object in a slot.
func (r Reader) Class(slot int) *Class { return r.w.Class(slot) }

// Queries returns the queries about many objects. They leave no object out.
func (r Reader) Queries() Queries { return Queries{w: r.w} }

// Actor returns the Actor with which an interpreter lets scripts look at the world
// on behalf of an object (Calls.Act). It refuses all changes, with ErrReadOnly.
func (r Reader) Actor() Actor { return Actor{r.w, true} }
