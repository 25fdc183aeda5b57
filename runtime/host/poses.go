package host

import (
	"fmt"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Besides inputs, owners send the poses of objects with owner authority, and the frames
// of objects that tick independently.

// readMotion queues the owner poses and frames of a Motion.
func (h *Host) readMotion(p *peer, data []byte) {
	m, err := wire.ParseMotion(data)
	if err != nil {
		h.malformed(err)
		return
	}
	for i := range m.Poses {
		run := &m.Poses[i]
		o, err := h.ownership(p, run.Object, func(c *world.Class) bool { return c.Moves != nil })
		for j := range run.Poses {
			e := world.Event{
				Tick:   run.First + world.Tick(j),
				Kind:   world.OwnerPoseEvent,
				Player: p.Player(),
				Object: run.Object,
				Place:  run.Poses[j],
			}
			h.queueOwnerPose(p, o, e, err)
		}
	}
	for i := range m.Frames {
		h.queueFrames(p, &m.Frames[i])
	}
}

// ownership returns the ownership of an object, if it is the player's and of the right kind of class.
func (h *Host) ownership(p *peer, id world.ObjectID, right func(*world.Class) bool) (*ownership, error) {
	s := h.State()
	slot, ok := s.Find(id)
	switch {
	case !ok:
		return nil, because(objectGone, "object %s: %w", id, world.ErrRemoved)
	case s.Objects[slot].Owner != p.Player():
		return nil, because(notOwner, "object %s is not yours", id)
	case !right(&h.Schema().Classes[s.Objects[slot].Class]):
		return nil, because(wrongClass, "object %s is not moved by its owner", id)
	}
	return p.owned.Of(id, h.match.Now(), h.frameRate()), nil
}

// queueOwnerPose decides about one owner pose: it is useless, too old or not allowed, it is taken in the coming tick,
// it waits for its tick, or it causes a rewind.
func (h *Host) queueOwnerPose(p *peer, o *ownership, e world.Event, why error) {
	count := h.intake.Owners()
	if o != nil && !o.Pose(e.Tick) || o == nil && !p.owned.DenyPose(e.Tick) {
		return
	}
	count.Poses++
	if why == nil {
		why = e.Place.Check()
	}
	if why == nil {
		why = h.tooFarAhead(e.Tick, "a pose for tick")
	}
	switch {
	case why != nil:
		count.Refused++
		h.refused.Add(ofPose + reasonOf(why))
		p.notices.Add(wire.NoticeRefused, e.Tick, why.Error())
	case o.Passed(e.Tick):
		count.Passed++
	case h.takenAtOnce(&e):
		if o.Arrive(&e) {
			count.Passed++
		}
	case e.Tick <= h.match.Commits().Tick():
		count.TooOld++
		h.refused.Add(ofPose + tooOld)
		p.notices.Add(wire.NoticeDropped, e.Tick,
			fmt.Sprintf("a pose older than max_rewind (%v)", h.match.Rules().MaxRewind))
	case h.refuseLate(p, e.Tick) != nil:
		why := h.refuseLate(p, e.Tick)
		count.TooOld++
		h.refused.Add(ofPose + reasonOf(why))
		p.notices.Add(wire.NoticeDropped, e.Tick, "a pose "+why.Error())
	case e.Tick > h.match.Now():
		h.intake.Hold(e)
	case h.agreed(&e):
	default:
		h.late.Await(&p.ledger, e, h.match.Now())
	}
}

// agreed reports whether an owner pose equals the simulation, and counts it.
func (h *Host) agreed(e *world.Event) bool {
	s := h.match.At(e.Tick - 1)
	if s == nil {
		return false
	}
	slot, ok := s.Find(e.Object)
	if ok && world.OwnerPoseOf(s.Body(slot)) != e.Place {
		return false
	}
	h.intake.Owners().Agreed++
	return true
}

// takenAtOnce reports whether a pose does not wait for the tick for which its owner made it. Those of an object that
// ticks independently are the result of its frames, which run when they come. If clients simulated the object, they
// would have to know the pose by then.
func (h *Host) takenAtOnce(e *world.Event) bool {
	s := h.State()
	slot, ok := s.Find(e.Object)
	if !ok {
		return false
	}
	class := &h.Schema().Classes[s.Objects[slot].Class]
	return class.Independent && !h.simulatedByAll(class.Name, h.match.Now()+1)
}

// insertOwnerPoses inserts the owner poses that are taken in the coming tick, except those that equal the
// simulation.
func (h *Host) insertOwnerPoses() {
	next := h.match.Now() + 1
	insert := func(e *world.Event) {
		if !h.agreed(e) {
			_, _ = h.insert(*e)
		}
	}
	h.intake.Drain(next, func(e *world.Event) {
		if p := h.roster.ByPlayer(e.Player); p != nil && p.owned.Passed(e.Object, e.Tick) {
			h.intake.Owners().Passed++ // a bundle switch has changed the class since
			return
		}
		insert(e)
	})
	for _, p := range h.roster.All() {
		p.owned.Arrivals(next, insert)
	}
}

// countVerdicts counts the verdicts about the owner poses of a tick that is now committed.
func (h *Host) countVerdicts(s *world.State) {
	h.match.Log().
		OwnerVerdicts(s.Tick, func(
			object world.ObjectID,
			player world.PlayerID,
			made world.Tick,
			taken bool,
			why world.Refusal,
		) {
			switch {
			case taken:
				h.intake.Owners().Taken++
			case why != world.NotRefused:
				h.intake.Owners().Refused++
				h.refused.Add(ofPose + byRules)
				if p := h.roster.ByPlayer(player); p != nil {
					p.notices.Add(wire.NoticeRefused, made, fmt.Sprintf("a pose of %s: %s", object, why))
				}
			default:
				h.intake.Owners().Agreed++ // a later rewind made them equal
			}
		})
}

// queueFrames schedules the independent frames of a player that have not arrived before for
// the coming tick.
func (h *Host) queueFrames(p *peer, run *wire.FrameRun) {
	o, err := h.ownership(p, run.Object, func(c *world.Class) bool { return c.Independent })
	if err == nil {
		o.Earn(h.match.Now()+1, h.frameRate())
	}
	for i := range run.Frames {
		number, f := run.First+uint32(i), &run.Frames[i]
		if o != nil && !o.Newer(number) {
			continue
		}
		e := world.Event{
			Tick:   h.match.Now() + 1,
			Kind:   world.FrameEvent,
			Player: p.Player(),
			Object: run.Object,
			Bundle: run.Bundle,
			Input:  f.Input,
			Sight:  f.Sight,
			Number: number,
			DT:     f.DT,
		}
		e.Input.ViewTime = world.ViewTime{} // only inputs have view times
		if err == nil {
			err = h.refuse(p, &e)
		}
		if err != nil {
			h.denyFrames(p, o, run, err)
			return
		}
		if o.Full() {
			return // the client sends the others again
		}
		if e.DT = o.Spend(number, f.DT, h.frameRate()); e.DT < f.DT {
			h.intake.Cut(int(f.DT - e.DT))
			h.refused.Add(shortened)
			p.notices.Add(wire.NoticeRefused, e.Tick, "frames take more time than has passed: they are shortened")
		}
		if e.DT == 0 {
			continue
		}
		h.intake.Owners().Frames++
		p.replica.Framed(e.Object, h.match.Now())
		h.judgeSight(p, &e)
		h.toPresent(&e)
		_, _ = h.insert(e)
	}
}

// toPresent translates a frame's input to the declaration in force. The client is ahead
// and may have used a declaration that others do not have yet.
func (h *Host) toPresent(e *world.Event) {
	s := h.State()
	if e.Bundle == s.Bundle {
		return
	}
	if slot, ok := s.Find(e.Object); ok {
		e.Input = h.match.Scripts().Translate(e.Input, e.Bundle, &h.Schema().Classes[s.Objects[slot].Class])
	}
	e.Bundle = s.Bundle
}

// denyFrames notifies the player that the rest of a run is not simulated.
func (h *Host) denyFrames(p *peer, o *ownership, run *wire.FrameRun, why error) {
	last := run.First + uint32(len(run.Frames)) - 1
	if o != nil {
		o.Skip(last)
	} else if !p.owned.DenyFrame(last) {
		return
	}
	h.intake.Owners().Denied++
	h.refused.Add(ofFrame + reasonOf(why))
	p.notices.Add(wire.NoticeRefused, h.match.Now(), why.Error())
}

// frameRate returns the tick rate, which no bundle changes.
func (h *Host) frameRate() int { return h.cfg.Bundle.Setup.TickRate }
