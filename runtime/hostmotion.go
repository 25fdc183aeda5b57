package runtime

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// What owners say of their objects besides inputs: where those are that they
// move, and the frames of those that tick independently.

// OwnerCounts follows what owners say of their objects. A move that says more than
// the simulation becomes an event, which is taken or refused in its tick: counted
// when that is final.
type OwnerCounts struct {
	Moves   int `json:"moves"`   // received for the first time
	Agreed  int `json:"agreed"`  // that said no more than the simulation: nothing to do
	Taken   int `json:"taken"`   // in ticks that are final
	Refused int `json:"refused"` // at once, or in ticks that are final
	TooOld  int `json:"too_old"`
	Frames  int `json:"frames"`         // run
	Cut     int `json:"frames_cut"`     // shortened, or not run at all, since the player had no time left
	CutMS   int `json:"cut_ms"`         // by how much in all
	Denied  int `json:"frames_refused"` // runs of frames

	cutParts int
}

const (
	// frameCredit is how much time a player may have left over for frames that
	// come late, as a part of a second: what his frames take more than has passed
	// is cut.
	frameCredit = 4
	// framesPerTick is how many frames of an object are run in one tick at most.
	framesPerTick = 32
)

// ownership is what the host keeps of what one player says of one object.
type ownership struct {
	object world.ObjectID
	moved  world.Tick // the newest move that came
	before uint64     // which of the 64 before it came: bit i for moved - 1 - i
	frame  uint32     // the newest frame that came
	ran    int        // frames run in tick at
	credit int        // time left for frames, in FrameParts of a second times the tick rate
	at     world.Tick // when that was reckoned
}

// heldMove is a move whose tick is to come.
type heldMove struct {
	peer  *peer
	event world.Event
}

// mostMotions is how many Motions of a client are read in a tick.
const mostMotions = 16

// readMotion queues what a Motion brings.
func (h *Host) readMotion(p *peer, data []byte) {
	m, err := wire.ParseMotion(data)
	if err != nil {
		h.stats.datagrams.Malformed++
		return
	}
	for i := range m.Poses {
		run := &m.Poses[i]
		o, err := h.ownership(p, run.Object, func(c *world.Class) bool { return c.Moves != nil })
		for j := range run.Poses {
			e := world.Event{Tick: run.First + world.Tick(j), Kind: world.OwnerPoseEvent, Player: p.player, Object: run.Object, Place: run.Poses[j]}
			h.queueMove(p, o, e, err)
		}
	}
	for i := range m.Frames {
		h.queueFrames(p, &m.Frames[i])
	}
}

// ownership is what is known of a player's object, if it is his and of the right
// kind of class.
func (h *Host) ownership(p *peer, id world.ObjectID, right func(*world.Class) bool) (*ownership, error) {
	s := h.State()
	slot, ok := s.Find(id)
	switch {
	case !ok:
		return nil, fmt.Errorf("object %s: %w", id, world.ErrRemoved)
	case s.Objects[slot].Owner != p.player:
		return nil, fmt.Errorf("object %s is not yours", id)
	case !right(&h.Schema().Classes[s.Objects[slot].Class]):
		return nil, fmt.Errorf("object %s is not moved by its owner", id)
	}
	for i := range p.owned {
		if p.owned[i].object == id {
			return &p.owned[i], nil
		}
	}
	p.owned = append(p.owned, ownership{object: id, at: h.tl.Now(), credit: h.mostCredit()})
	return &p.owned[len(p.owned)-1], nil
}

// queueMove decides about one move: that it is of no use, too old or not
// allowed, that it waits for its tick, or that there is to be a rewind for it.
func (h *Host) queueMove(p *peer, o *ownership, e world.Event, why error) {
	count := &h.stats.owners
	if o != nil {
		if !o.first(e.Tick) {
			return
		}
	} else if e.Tick <= p.denied {
		return
	} else {
		p.denied = e.Tick
	}
	count.Moves++
	if why == nil {
		why = e.Place.Check()
	}
	if why == nil && e.Tick > h.tl.Now()+h.ahead {
		why = fmt.Errorf("a move for tick %d is more than %v ahead of the host's %d", e.Tick, h.rules.MaxAhead, h.tl.Now())
	}
	switch {
	case why != nil:
		count.Refused++
		p.tell(wire.NoticeRefused, e.Tick, why.Error())
	case e.Tick <= h.final, e.Tick+p.ledger.window(h.rewind) < h.tl.Now():
		count.TooOld++
		p.tell(wire.NoticeDropped, e.Tick, fmt.Sprintf("a move older than max_rewind (%v)", h.rules.MaxRewind))
	case e.Tick > h.tl.Now():
		h.moves = append(h.moves, heldMove{p, e})
	case h.agreed(&e):
	default:
		h.await(p, e)
	}
}

// first notes that the move of tick t came, and reports whether it is for the
// first time.
func (o *ownership) first(t world.Tick) bool {
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

// agreed reports, and counts, that a move says no more than the simulation.
func (h *Host) agreed(e *world.Event) bool {
	s := h.tl.At(e.Tick - 1)
	if s == nil {
		return false
	}
	slot, ok := s.Find(e.Object)
	if ok && world.OwnerPoseOf(s.Body(slot)) != e.Place {
		return false
	}
	h.stats.owners.Agreed++
	return true
}

// applyMoves puts the moves of the coming tick into the log, but for those that
// say no more than the simulation.
func (h *Host) applyMoves() {
	h.moves = slices.DeleteFunc(h.moves, func(m heldMove) bool {
		if m.event.Tick > h.tl.Now()+1 {
			return false
		}
		if !h.agreed(&m.event) {
			_, _ = h.insert(m.event, 0)
		}
		return true
	})
}

// judgeMoves tells what became of the moves of a tick that is final now.
func (h *Host) judgeMoves(s *world.State) {
	h.tl.OwnerVerdicts(s.Tick, func(object world.ObjectID, player world.PlayerID, taken bool, why world.Refusal) {
		switch {
		case taken:
			h.stats.owners.Taken++
		case why != world.NotRefused:
			h.stats.owners.Refused++
			if p := h.byPlayer(player); p != nil {
				p.tell(wire.NoticeRefused, s.Tick, fmt.Sprintf("a move of %s: %s", object, why))
			}
		default:
			h.stats.owners.Agreed++ // in the end
		}
	})
}

// queueFrames has the frames of a player, that have not come before, run in the
// coming tick.
func (h *Host) queueFrames(p *peer, run *wire.FrameRun) {
	count := &h.stats.owners
	o, err := h.ownership(p, run.Object, func(c *world.Class) bool { return c.Independent })
	if err == nil {
		h.earn(o)
	}
	for i := range run.Frames {
		number, f := run.First+uint32(i), &run.Frames[i]
		if o != nil && number <= o.frame {
			continue
		}
		e := world.Event{Tick: h.tl.Now() + 1, Kind: world.FrameEvent, Player: p.player, Object: run.Object, Bundle: run.Bundle, Input: f.Input, Number: number, DT: f.DT}
		e.Input.ViewTime = world.ViewTime{} // what the screen showed is said with inputs only
		if err == nil {
			err = h.refuse(p, &e)
		}
		if err != nil {
			h.denyFrames(p, o, run, err)
			return
		}
		if o.ran == framesPerTick {
			return // the client sends the others again
		}
		o.frame = number
		if o.ran++; h.cut(p, o, &e) {
			continue
		}
		count.Frames++
		h.toPresent(&e)
		_, _ = h.insert(e, 0)
	}
}

// toPresent reads a frame's input by the declaration in force: its client, which
// is ahead, may have made it by one that others do not have yet.
func (h *Host) toPresent(e *world.Event) {
	s := h.State()
	if e.Bundle == s.Bundle {
		return
	}
	if slot, ok := s.Find(e.Object); ok {
		e.Input = h.tl.TranslateInput(e.Input, e.Bundle, &h.Schema().Classes[s.Objects[slot].Class])
	}
	e.Bundle = s.Bundle
}

// denyFrames tells that the rest of a run is not run.
func (h *Host) denyFrames(p *peer, o *ownership, run *wire.FrameRun, why error) {
	last := run.First + uint32(len(run.Frames)) - 1
	if o != nil {
		o.frame = last
	} else if last <= p.deniedFrame {
		return
	} else {
		p.deniedFrame = last
	}
	h.stats.owners.Denied++
	p.tell(wire.NoticeRefused, h.tl.Now(), why.Error())
}

// earn gives an object's owner the time that has passed.
func (h *Host) earn(o *ownership) {
	now := h.tl.Now() + 1
	if now != o.at {
		o.ran = 0
	}
	passed := min(int(now-o.at), h.frameRate()) // more than there can be credit for
	o.credit = min(o.credit+passed*world.FrameParts, h.mostCredit())
	o.at = now
}

func (h *Host) mostCredit() int { return world.FrameParts * h.frameRate() / frameCredit }

// frameRate is the tick rate, which no bundle changes.
func (h *Host) frameRate() int { return h.bundles[0].bundle.Setup.TickRate }

// cut shortens a frame to what its player has time left for, and reports
// whether nothing is left.
func (h *Host) cut(p *peer, o *ownership, e *world.Event) (gone bool) {
	rate := h.frameRate()
	left := min(int(e.DT), o.credit/rate)
	if over := int(e.DT) - left; over > 0 {
		h.stats.owners.Cut++
		h.stats.owners.cutParts += over
		p.tell(wire.NoticeRefused, e.Tick, "frames take more time than has passed: they are cut")
	}
	e.DT = uint16(left)
	o.credit -= left * rate
	return left == 0
}

// forgetOwned forgets what players said of objects that are gone.
func (h *Host) forgetOwned() {
	s := h.State()
	for _, p := range h.peers {
		p.owned = slices.DeleteFunc(p.owned, func(o ownership) bool {
			_, there := s.Find(o.object)
			return !there
		})
	}
}
