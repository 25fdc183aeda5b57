package main

import (
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// display is what the page shows of a client. It is the Frames of a predictor: each tick is shown as soon as it is
// simulated, as it is, because the page moves bodies on by itself. If there are too few ticks for that, and for
// other kinds of clients, moments between two ticks are shown.
type display struct {
	scripts *bundle.Bundle // in force in the view before
	ticked  chan struct{}  // has a value when there is a new tick
	at      time.Duration  // when the view was taken
}

const (
	enoughTicks = 50                     // a second, to show each
	stillAlive  = 100 * time.Millisecond // a view is taken that often without ticks, too
)

func newDisplay() display { return display{ticked: make(chan struct{}, 1)} }

// RestoreFrame does nothing: the page shows the present only.
func (p *display) RestoreFrame(world.Reader) {}

// FinalizeFrame says that there is another present.
func (p *display) FinalizeFrame(world.Reader) {
	select {
	case p.ticked <- struct{}{}:
	default: // it is to be shown already
	}
}

// Ticked has a value when there is a new tick to show.
func (p *display) Ticked() <-chan struct{} { return p.ticked }

// Due reports whether the view of a client is to be taken now, which is not the one before, v.
func (p *display) Due(now time.Duration, c *client.Client, v *room.View) bool {
	if v.TickRate >= enoughTicks && c.Now() == v.Tick && now >= p.at && now < p.at+stillAlive && c.Stage() == v.Stage {
		return false
	}
	p.at = now
	return true
}

// Scripts says on the page which scripts are in force in the view. last is the tick of the one before.
func (p *display) Scripts(b *bundle.Bundle, last world.Tick, to *page) {
	if b == nil || b == p.scripts {
		return
	}
	if p.scripts != nil && bundle.SameSimulation(p.scripts, b) {
		last = 0 // only errors of view.lua are over
	}
	p.scripts = b
	to.tell(func(f *feed) { f.reloaded(last) })
}
