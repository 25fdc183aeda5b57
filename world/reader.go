package world

import "fmt"

// Reader is the face of a World for code that only reads: controls, bots, tools. It
// shows the world between two ticks.
//
// A Reader is a value. Its zero value is not usable. It is valid during the call that
// gets it, or as long as the documentation of its source says.
type Reader struct{ w *World }

// Reader returns the face of w for code that only reads. w must be between two
// ticks.
func (w *World) Reader() Reader {
	if w.Check {
		assert(!w.progress.inTick(), "a Reader in the midst of tick %d", w.Now.Tick)
	}
	w.BeginOrder() // queries see the world as it is
	return Reader{w}
}

// State returns the state. It must not be changed.
func (r Reader) State() *State { return r.w.Now }

// Schema returns the schema in force.
func (r Reader) Schema() *Schema { return r.w.Schema() }

// Tick returns the tick of the state, which is the state after that tick.
func (r Reader) Tick() Tick { return r.w.Now.Tick }

// Seconds returns the time of the world, in seconds since its beginning.
func (r Reader) Seconds() float64 {
	return float64(r.w.Now.Tick) / float64(r.w.Schema().Setup.TickRate)
}

// Find returns the slot of an object.
func (r Reader) Find(id ObjectID) (slot int, ok bool) { return r.w.Find(id) }

// Class returns the class of the object in a slot.
func (r Reader) Class(slot int) *Class { return r.w.Class(slot) }

// ClassIndex returns the number of a class in the schema, which queries take. It
// returns an error that wraps ErrNoClass if there is no such class.
func (r Reader) ClassIndex(name string) (int, error) {
	i, ok := r.w.Schema().ClassByName(name)
	if !ok {
		return 0, fmt.Errorf("%w: %q; the scripts declare %s", ErrNoClass, name, Listed(scriptClasses(r.w.Schema())))
	}
	return i, nil
}

// Fields returns the fields of an object. It returns an error that wraps ErrRemoved
// if there is no such object.
func (r Reader) Fields(id ObjectID) (FieldReader, error) {
	slot, ok := r.w.Find(id)
	if !ok {
		return FieldReader{}, fmt.Errorf("object %s: %w", id, ErrRemoved)
	}
	return NewFieldReader(r.w.Class(slot), r.w.Now.Row(slot)), nil
}

// Shown returns a copy of the fields of an object in which references to objects that are gone lead nowhere, as scripts find
// them. It is not Known if there is no such object.
func (r Reader) Shown(id ObjectID) FieldReader {
	slot, ok := r.w.Find(id)
	if !ok {
		return FieldReader{}
	}
	class, row := r.w.Class(slot), r.w.Now.Row(slot).Clone()
	class.DropGone(row, func(id ObjectID) bool { _, here := r.w.Find(id); return here })
	return NewFieldReader(class, row)
}

// Objects appends the ids of the objects of a class and of the classes that extend it, in the order of
// Queries.OfClasses: Fields, Number and Placement take them. The error wraps ErrNoClass.
func (r Reader) Objects(class string, out []ObjectID) ([]ObjectID, error) {
	if _, err := r.ClassIndex(class); err != nil {
		return out, err
	}
	for _, slot := range r.w.Now.Run {
		if o := &r.w.Now.Objects[slot]; r.w.Schema().Classes[o.Class].Is(class) {
			out = append(out, o.ID)
		}
	}
	return out, nil
}

// Match returns the fields of game.lua: the state of the match.
func (r Reader) Match() FieldReader {
	f, _ := r.Fields(MatchID)
	return f
}

// Player returns the fields of a player: those that the scripts declare for each player. It is not
// Known if there is no such player, or if the scripts declare none.
func (r Reader) Player(p PlayerID) FieldReader {
	pl, ok := r.w.Now.PlayerByID(p)
	if !ok {
		return FieldReader{}
	}
	f, _ := r.Fields(pl.Object())
	return f
}

// Number returns a number of an object. The errors of Number, Bool, Ref and Text
// are those of Fields and of FieldReader.
func (r Reader) Number(id ObjectID, field string) (float64, error) {
	f, err := r.Fields(id)
	if err != nil {
		return 0, err
	}
	return f.Number(field)
}

// Bool returns a boolean of an object. Its errors are those of Number.
func (r Reader) Bool(id ObjectID, field string) (bool, error) {
	f, err := r.Fields(id)
	if err != nil {
		return false, err
	}
	return f.Bool(field)
}

// Ref returns the object that a field of an object refers to, 0 for none. Its errors are those of Number.
func (r Reader) Ref(id ObjectID, field string) (ObjectID, error) {
	f, err := r.Fields(id)
	if err != nil {
		return 0, err
	}
	return f.Ref(field)
}

// Text returns a string of an object. Its errors are those of Number.
func (r Reader) Text(id ObjectID, field string) (string, error) {
	f, err := r.Fields(id)
	if err != nil {
		return "", err
	}
	return f.Text(field)
}

// Placement returns where an object is, how it moves, and its owner. It returns an
// error that wraps ErrRemoved or ErrBody if there is no such object or body.
func (r Reader) Placement(id ObjectID) (Placement, error) {
	slot, ok := r.w.Find(id)
	if !ok {
		return Placement{}, fmt.Errorf("object %s: %w", id, ErrRemoved)
	}
	b := r.w.Now.Body(slot)
	if b.Key == 0 {
		return Placement{}, fmt.Errorf("%w: class %s", ErrBody, r.w.Class(slot).Name)
	}
	return Placement{Pose: b.Pose, Velocity: b.Velocity, Owner: r.w.Now.Objects[slot].Owner}, nil
}

// Queries returns the queries about many objects. They leave no object out.
func (r Reader) Queries() Queries { return Queries{w: r.w} }

// Actor returns the Actor with which an interpreter lets scripts read the world on
// behalf of an object (Calls.Act). It refuses all changes, with ErrReadOnly.
func (r Reader) Actor() Actor { return Actor{r.w, true} }
