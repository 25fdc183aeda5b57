package world

import "fmt"

// ClassError is an error in the declaration of a class.
type ClassError struct {
	Class string // its name
	Err   error  // without the name of the class
}

func (e *ClassError) Error() string { return "class " + e.Class + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *ClassError) Unwrap() error { return e.Err }

// checkClass returns an error if the state, an input or a snapshot cannot hold the
// declarations of a class.
func checkClass(c *Class) error {
	for _, check := range [...]func(*Class) error{checkFields, checkInputs, checkReplication} {
		if err := check(c); err != nil {
			return &ClassError{c.Name, err}
		}
	}
	return nil
}

// checkFields finds a field that does not fit into a row.
func checkFields(c *Class) error {
	for i := range c.Fields {
		f := &c.Fields[i]
		switch {
		case f.Name == "":
			return fmt.Errorf("field %d has no name", i+1)
		case f.Kind > Count:
			return fmt.Errorf("%s: there is no kind %d of fields", f.Name, f.Kind)
		case f.Kind == String && (f.Cap < 1 || f.Cap > MaxString):
			return fmt.Errorf("%s: a text of %d bytes: must be 1 to %d", f.Name, f.Cap, MaxString)
		case len(f.Default) != f.Words() && f.Default != nil:
			return fmt.Errorf("%s: a default of %d words: the field has %d", f.Name, len(f.Default), f.Words())
		case f.Show > ShowFunction || f.Show == ShowFunction && (f.ShowWith < 1 || f.Kind == Ref || f.Kind == Count):
			return fmt.Errorf("%s: it cannot be shown by way %d with function %d", f.Name, f.Show, f.ShowWith)
		case f.Kind == Count && (f.Leaves < 1 || f.Cap < 1 || f.Cap*f.Leaves >= len(c.Fields)-i):
			return fmt.Errorf("%s: the fields of its %d items do not follow; AppendList lays out a list", f.Name, f.Cap)
		}
	}
	return nil
}

// checkInputs finds an input that does not fit into an Input.
func checkInputs(c *Class) error {
	for i := range c.Inputs {
		f := &c.Inputs[i]
		switch {
		case f.Axis && (f.Index < 0 || f.Index >= MaxAxes), !f.Axis && (f.Index < 0 || f.Index >= MaxButtons):
			return fmt.Errorf("input %s: index %d: at most %d buttons and %d axes", f.Name, f.Index, MaxButtons,
				MaxAxes)
		case f.Axis && !(f.Min <= 0 && f.Max >= 0 && f.Min < f.Max):
			return fmt.Errorf("input %s: min = %v, max = %v: the range must hold 0, which stands for no input",
				f.Name, f.Min, f.Max)
		case f.Axis && f.Counted:
			return fmt.Errorf("input %s: it is a number, and only the presses of a button are counted", f.Name)
		case f.Decay != 0 && (!f.Axis || f.Once || !(f.Decay > 0 && f.Decay <= maxDecay)):
			return fmt.Errorf("input %s: decay = %v: must be 0 to %v seconds, of a number that is repeated", f.Name,
				f.Decay, maxDecay)
		case !(f.Step >= 0 && f.Step <= f.Max-f.Min) || f.Step > 0 && (f.Max-f.Min)/f.Step > maxInputSteps:
			return fmt.Errorf(
				"input %s: step = %v: must be 0 (every value), or cut the range into at most %g parts", f.Name,
				f.Step, float64(maxInputSteps))
		}
	}
	return nil
}

// maxDecay is the longest Decay, in seconds.
const maxDecay = 10

// maxInputSteps is the largest number of steps in the range of an axis.
const maxInputSteps = 1e9

// checkReplication finds settings of replication that are out of bounds.
func checkReplication(c *Class) error {
	switch {
	case c.LOD > Extrapolate:
		return fmt.Errorf("there is no level of detail %d", c.LOD)
	case !(c.Ranges.Relevant >= 0 && c.Ranges.Relevant <= MaxRange):
		return fmt.Errorf("range = %v m: must be 0 to %g", c.Ranges.Relevant, float64(MaxRange))
	case !(c.Ranges.Predicted >= 0 && c.Ranges.Predicted <= MaxRange):
		return fmt.Errorf("predict_range = %v m: must be 0 to %g", c.Ranges.Predicted, float64(MaxRange))
	case c.Ranges.Predicted > 0 && (c.Body == nil || c.LOD != Predict):
		return fmt.Errorf("predict_range: for a class with a body whose objects clients predict")
	case c.Seen != nil && !(c.Seen.Within >= 0 && c.Seen.Within <= MaxSeenWithin):
		return fmt.Errorf("seen within %v m: must be 0 to %g", c.Seen.Within, float64(MaxSeenWithin))
	case c.Correct != nil && c.Body == nil:
		return fmt.Errorf("thresholds of corrections need a body: nothing is corrected without one")
	case c.Correct != nil:
		return c.Correct.check()
	}
	return nil
}
