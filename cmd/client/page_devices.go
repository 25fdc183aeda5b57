package main

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/keyname"
)

// devices takes what the browsers' input devices do, for the two samples that are read of them. A
// sample has what was done since the one before. So ticks and independent frames have a keyboard each,
// and take nothing from each other.
type devices struct {
	ticks, frames keyboard
}

// hand is the keys that are down in one browser.
type hand map[string]bool

// Limits of one message of a browser.
const (
	maxHeld    = 32
	maxKeyName = 32
	maxFlow    = 1e6
)

func (d *devices) init() {
	d.ticks.init()
	d.frames.init()
}

// keyboards returns the keyboards of which samples are read for ticks and for independent frames.
func (d *devices) keyboards() (ticks, frames *keyboard) { return &d.ticks, &d.frames }

// hold sets the keys that are down in a browser, and releases its other keys.
func (d *devices) hold(h *hand, down []string) error {
	if len(down) > maxHeld {
		return fmt.Errorf("%d keys down at once, at most %d", len(down), maxHeld)
	}
	now := make(hand, len(down))
	for _, name := range down {
		if name == "" || len(name) > maxKeyName {
			return fmt.Errorf("a key's name has %d bytes, not 1 to %d", len(name), maxKeyName)
		}
		now[keyname.Canonical(name)] = true
	}
	d.ticks.change(*h, now)
	d.frames.change(*h, now)
	*h = now
	return nil
}

// point moves the pointer.
func (d *devices) point(x, y float64) {
	d.ticks.point(x, y)
	d.frames.point(x, y)
}

// push moves the sticks.
func (d *devices) push(axes []float64) error {
	if len(axes) != numSticks {
		return fmt.Errorf("%d stick axes, not %d", len(axes), numSticks)
	}
	d.ticks.push(axes)
	d.frames.push(axes)
	return nil
}

// flow adds the turns of the wheel and the movement of the pointer.
func (d *devices) flow(amounts []float64) error {
	if len(amounts) != numFlows {
		return fmt.Errorf("%d amounts, not %d", len(amounts), numFlows)
	}
	d.ticks.flow(amounts)
	d.frames.flow(amounts)
	return nil
}
