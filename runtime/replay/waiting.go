package replay

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// maxWaiting bounds the memory of the events of ticks that can still be simulated again, in bytes. 128 players who send
// an input and a frame for each tick of the widest window of a host take half as much.
const maxWaiting = 192 << 20

// waiting counts the memory of the events that a run keeps.
type waiting struct {
	bytes  int
	ofTick map[world.Tick]int // only looked up
	oldest world.Tick         // nothing is counted of ticks up to here
}

// add counts an event. It returns an error if they are too many.
func (w *waiting) add(e *world.Event) error {
	size := eventBytes + len(e.Class) + len(e.Name) + sightBytes*len(e.Sight)
	for i := range e.Values {
		size += valueBytes + len(e.Values[i].Name)
	}
	if w.bytes += size; w.bytes > maxWaiting {
		return fmt.Errorf("more events within the ticks that a host can rewind than a host takes, at tick %d", e.Tick)
	}
	if w.ofTick == nil {
		w.ofTick = map[world.Tick]int{}
	}
	w.ofTick[e.Tick] += size
	return nil
}

// What an event takes in a log, roughly.
const (
	eventBytes = 400
	valueBytes = 200
	sightBytes = 64
)

// drop forgets the events up to a tick.
func (w *waiting) drop(oldest world.Tick) {
	for ; w.oldest < oldest; w.oldest++ {
		w.bytes -= w.ofTick[w.oldest+1]
		delete(w.ofTick, w.oldest+1)
	}
}
