package host

import (
	"slices"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// intake keeps the owner poses that arrive before their ticks, and counts what players send.
type intake struct {
	held   []world.Event // owner poses whose ticks are to come
	inputs room.InputCounts
	owners room.OwnerCounts
	cut    int // the time by which frames were shortened, in FrameParts of a second
	lead   stats.Series
}

// Inputs returns the counts of inputs.
func (i *intake) Inputs() *room.InputCounts { return &i.inputs }

// Owners returns the counts of owner poses and independent frames.
func (i *intake) Owners() *room.OwnerCounts { return &i.owners }

// Cut counts a frame that was shortened, by a number of FrameParts.
func (i *intake) Cut(parts int) {
	i.owners.Cut++
	i.cut += parts
	i.owners.CutMS = i.cut * 1000 / world.FrameParts
}

// Lead counts by how many ticks an input that is applied was early.
func (i *intake) Lead(ticks int) { i.lead.Add(float64(ticks)) }

// Leads returns the percentiles of what Lead counted.
func (i *intake) Leads() stats.Percentiles { return i.lead.Percentiles() }

// Hold keeps an owner pose until its tick.
func (i *intake) Hold(e world.Event) { i.held = append(i.held, e) }

// Drain removes the owner poses up to tick t that are held, and calls insert with each.
func (i *intake) Drain(t world.Tick, insert func(e *world.Event)) {
	i.held = slices.DeleteFunc(i.held, func(e world.Event) bool {
		if e.Tick > t {
			return false
		}
		insert(&e)
		return true
	})
}
