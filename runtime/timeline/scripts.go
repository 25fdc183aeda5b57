package timeline

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// scripts holds the scripts by the numbers of their bundles.
type scripts struct {
	byBundle map[uint32]world.Script
	keep     uint32 // scripts from this number on are kept even if no tick needs them
}

func newScripts(number uint32, first world.Script) scripts {
	return scripts{byBundle: map[uint32]world.Script{number: first}, keep: math.MaxUint32}
}

// of returns the script of a bundle, nil if there is none.
func (s *scripts) of(bundle uint32) world.Script { return s.byBundle[bundle] }

// schema returns the schema of a state.
func (s *scripts) schema(st *world.State) *world.Schema { return s.byBundle[st.Bundle].Schema() }

// add adds or replaces a script, and reports whether the bundle had none.
func (s *scripts) add(bundle uint32, script world.Script) (first bool) {
	first = s.byBundle[bundle] == nil
	s.byBundle[bundle] = script
	return first
}

// keepFrom keeps the scripts of bundles from a number on.
func (s *scripts) keepFrom(bundle uint32) { s.keep = bundle }

// first returns the first bundle whose script is kept, if ticks and inputs need those from a
// number on.
func (s *scripts) first(needed uint32) uint32 { return min(s.keep, needed) }

// partial reports whether clients do not simulate all objects of a state.
func (s *scripts) partial(st *world.State) bool { return s.schema(st).Mixed() }

// anyPartial is partial for any bundle that there is.
func (s *scripts) anyPartial() bool {
	// order: any bundle gives the same result
	for _, script := range s.byBundle {
		if script.Schema().Mixed() {
			return true
		}
	}
	return false
}

// translate translates an input that follows the declarations of a bundle to those of class,
// by the names of fields. The neutral input is the same in all bundles. Without the bundle's
// script all inputs are neutral.
func (s *scripts) translate(in world.Input, bundle uint32, class *world.Class) world.Input {
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

// fade reports whether a class has inputs that fade when they are repeated, under any bundle. The
// name "" stands for any class.
func (s *scripts) fade(class string) bool {
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

// prune removes the scripts of bundles before first.
func (s *scripts) prune(first uint32) {
	// order: deleting is the same in any order
	for bundle := range s.byBundle {
		if bundle < first {
			delete(s.byBundle, bundle)
		}
	}
}
