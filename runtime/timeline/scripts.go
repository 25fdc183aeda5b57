package timeline

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// Scripts holds the scripts of a Timeline by the numbers of their bundles.
type Scripts struct {
	byBundle map[uint32]world.Script
	keep     uint32 // scripts from this number on are kept even if no tick needs them
}

func newScripts(number uint32, first world.Script) Scripts {
	return Scripts{byBundle: map[uint32]world.Script{number: first}, keep: math.MaxUint32}
}

// Of returns the script of a bundle, nil if there is none.
func (s *Scripts) Of(bundle uint32) world.Script { return s.byBundle[bundle] }

// SchemaOf returns the schema of a state of the Timeline's.
func (s *Scripts) SchemaOf(st *world.State) *world.Schema { return s.byBundle[st.Bundle].Schema() }

// add adds or replaces a script, and reports whether the bundle had none.
func (s *Scripts) add(bundle uint32, script world.Script) (first bool) {
	first = s.byBundle[bundle] == nil
	s.byBundle[bundle] = script
	return first
}

// keepFrom keeps the scripts of bundles from a number on.
func (s *Scripts) keepFrom(bundle uint32) { s.keep = bundle }

// first returns the first bundle whose script is kept, if ticks and inputs need those from a
// number on.
func (s *Scripts) first(needed uint32) uint32 { return min(s.keep, needed) }

// Partial reports whether clients do not simulate all objects of a state.
func (s *Scripts) Partial(st *world.State) bool { return s.SchemaOf(st).PartiallyReplicated() }

// AnyPartial reports whether there is a bundle, in force or not, under which clients do not
// simulate all objects.
func (s *Scripts) AnyPartial() bool {
	// order: any bundle gives the same result
	for _, script := range s.byBundle {
		if script.Schema().PartiallyReplicated() {
			return true
		}
	}
	return false
}

// Translate translates an input that follows the declarations of a bundle to those of class,
// by the names of fields. The neutral input is the same in all bundles. Without the bundle's
// script all inputs are neutral.
func (s *Scripts) Translate(in world.Input, bundle uint32, class *world.Class) world.Input {
	from, ok := s.byBundle[bundle]
	if !ok || in == (world.Input{}) {
		return world.Input{}
	}
	i, ok := from.Schema().ClassByName(class.Name)
	if !ok {
		return world.Input{}
	}
	return world.RemapInput(from.Schema().Classes[i].Inputs, class.Inputs, in)
}

// bind makes in the input as a class declares it in the bundle in force in a world, and as it is
// at its age.
func (s *Scripts) bind(in *boundInput, w *world.World, class *world.Class) {
	if in.Bundle != 0 && in.Bundle != w.Now.Bundle {
		in.Input = s.Translate(in.Input, in.Bundle, class)
	}
	if in.Age > 0 {
		in.Input = class.Inputs.Repeated(in.Input, in.Age, w.Schema().Setup.TickRate)
	}
}

// SharedPart returns the shared set of a state.
func (s *Scripts) SharedPart(st *world.State) *world.State {
	if !s.Partial(st) {
		return st
	}
	var part, none world.State
	part.CopyFrom(st)
	part.KeepShared(s.SchemaOf(st), &none)
	return &part
}

// classOf returns the class of an object of a state.
func (s *Scripts) classOf(st *world.State, slot int) *world.Class {
	return &s.SchemaOf(st).Classes[st.Objects[slot].Class]
}

// fade reports whether a class has inputs that fade when they are repeated, under any bundle. The
// name "" stands for any class.
func (s *Scripts) fade(class string) bool {
	// order: any of them will do
	for _, script := range s.byBundle {
		classes := script.Schema().Classes
		if i, ok := script.Schema().ClassByName(class); ok {
			classes = classes[i : i+1]
		} else if class != "" {
			continue
		}
		for i := range classes {
			if classes[i].Inputs.Fades() {
				return true
			}
		}
	}
	return false
}

// fadesIn returns a function that reports whether a repeated input of an object of a world may
// differ from the input that it repeats.
func (s *Scripts) fadesIn(w *world.World) func(world.ObjectID) bool {
	return func(id world.ObjectID) bool {
		slot, here := w.Find(id)
		if !here {
			return s.fade("")
		}
		return s.fade(w.Class(slot).Name)
	}
}

// prune removes the scripts of bundles before first.
func (s *Scripts) prune(first uint32) {
	// order: deleting is the same in any order
	for bundle := range s.byBundle {
		if bundle < first {
			delete(s.byBundle, bundle)
		}
	}
}
