package host

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// ownerships is the state of one player's owner poses and independent frames.
type ownerships struct {
	list        []ownership
	denied      world.Tick // the tick of the newest pose of an object over which the player has no authority
	deniedFrame uint32     // the newest independent frame of such an object
}

// Of returns the ownership of an object; rate is the tick rate.
func (o *ownerships) Of(id world.ObjectID, now world.Tick, rate int) *ownership {
	for i := range o.list {
		if o.list[i].object == id {
			return &o.list[i]
		}
	}
	o.list = append(o.list, ownership{object: id, at: now, credit: mostCredit(rate)})
	return &o.list[len(o.list)-1]
}

// DenyPose reports whether a pose without authority is newer than all such poses before, and
// notes it.
func (o *ownerships) DenyPose(t world.Tick) bool {
	if t <= o.denied {
		return false
	}
	o.denied = t
	return true
}

// DenyFrame is DenyPose for independent frames.
func (o *ownerships) DenyFrame(number uint32) bool {
	if number <= o.deniedFrame {
		return false
	}
	o.deniedFrame = number
	return true
}

// Passed reports whether a newer pose of an object than that of tick t has been taken at once.
func (o *ownerships) Passed(id world.ObjectID, t world.Tick) bool {
	i := slices.IndexFunc(o.list, func(o ownership) bool { return o.object == id })
	return i >= 0 && o.list[i].Passed(t)
}

// Arrivals calls take for each pose that is to be taken at once, as an event of the coming tick. One whose frames did
// not fit into that tick waits for them.
func (o *ownerships) Arrivals(next world.Tick, take func(e *world.Event)) {
	for i := range o.list {
		if a := &o.list[i]; a.waits && (a.at != next || !a.Full()) {
			a.waits = false
			a.arrived.Tick = next
			take(&a.arrived)
		}
	}
}

// Forget drops the state of removed objects.
func (o *ownerships) Forget(s *world.State) {
	o.list = slices.DeleteFunc(o.list, func(o ownership) bool {
		_, there := s.Find(o.object)
		return !there
	})
}

const (
	// frameCredit limits the time that a player can save up for frames that arrive
	// late: a second divided by frameCredit. Frames that exceed the passed and saved
	// time are truncated.
	frameCredit = 4
	// framesPerTick is how many frames of an object are run in one tick at most.
	framesPerTick = 32
)

// ownership is the state of the owner poses and independent frames of one object.
type ownership struct {
	object world.ObjectID
	moved  world.Tick // the tick of the newest pose that arrived
	before uint64     // which of the 64 poses before it arrived: bit i for moved - 1 - i
	placed world.Tick // the tick of the newest pose that is taken at once
	waits  bool       // and it is to be taken in the next tick:
	// as it becomes an event; its Number is the tick for which its owner made it
	arrived world.Event
	frame   uint32     // the newest frame that arrived
	ran     int        // frames run in tick at
	credit  int        // time left for frames, in FrameParts of a second times the tick rate
	at      world.Tick // the tick of the last update of credit
}

// Pose notes that the pose of tick t arrived, and reports whether it did for the first
// time.
func (o *ownership) Pose(t world.Tick) (first bool) {
	if t > o.moved {
		if d := t - o.moved; d <= 64 && o.moved != 0 {
			o.before = o.before<<d | 1<<(d-1)
		} else {
			o.before = 0
		}
		o.moved = t
		return true
	}
	i := o.moved - t
	if i == 0 || i > 64 || o.before&(1<<(i-1)) != 0 {
		return false
	}
	o.before |= 1 << (i - 1)
	return true
}

// Passed reports whether a newer pose than that of tick t is taken at once.
func (o *ownership) Passed(t world.Tick) bool { return t <= o.placed }

// Arrive keeps a pose that is to be taken at once, and that is newer than all those before. It reports whether it
// replaces one that has not been taken.
func (o *ownership) Arrive(e *world.Event) (replaced bool) {
	replaced = o.waits
	o.placed, o.waits, o.arrived = e.Tick, true, *e
	o.arrived.Number = uint32(e.Tick)
	return replaced
}

func mostCredit(rate int) int { return world.FrameParts * rate / frameCredit }

// Earn credits the owner with the time that has passed up to tick now.
func (o *ownership) Earn(now world.Tick, rate int) {
	if now != o.at {
		o.ran = 0
	}
	passed := min(int(now-o.at), rate) // a second is more than the credit can hold
	o.credit = min(o.credit+passed*world.FrameParts, mostCredit(rate))
	o.at = now
}

// Newer reports whether a frame has not arrived before.
func (o *ownership) Newer(number uint32) bool { return number > o.frame }

// Skip notes that frames up to number will not be run.
func (o *ownership) Skip(number uint32) { o.frame = number }

// Full reports whether the present tick has run its largest number of frames.
func (o *ownership) Full() bool { return o.ran == framesPerTick }

// Spend takes a frame of dt FrameParts of a second. It returns the part of dt for which the
// player has time left.
func (o *ownership) Spend(number uint32, dt uint16, rate int) (left uint16) {
	o.frame = number
	o.ran++
	left = uint16(min(int(dt), o.credit/rate))
	o.credit -= int(left) * rate
	return left
}
