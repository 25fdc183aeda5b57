package goscript

import "github.com/hindcast/hindcast/world"

// question has the arguments of Relevant or Predicted.
type question struct {
	about world.ObjectID
	drawn uint32 // random numbers
}

// random returns the next number in [0, 1), of a stream that no hook draws from.
func (q *question) random(w world.Actor) float64 {
	q.drawn++
	return w.Calls().RandomAbout(q.about, q.drawn)
}
