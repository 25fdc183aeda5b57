package host

import (
	"log/slog"
	"math"

	"github.com/hindcast/hindcast/world"
)

// judgeSight judges each pose of an input's sight, once: an object may have been drawn near the way that
// it has come on the host in the last max_seen, or in max_rewind if that is longer. Poses that are too far from it
// are moved toward it, and those of unknown objects are left out. Then asSeen shows these objects where the tick has
// them.
func (h *Host) judgeSight(p *peer, e *world.Event) {
	if len(e.Sight) == 0 {
		return
	}
	window := max(h.inForce().bundle.Ticks(h.match.Rules().MaxSeen), h.match.Window().rewind)
	oldest, to := e.Tick-min(e.Tick, window), min(e.Tick, h.match.Now())
	guessed := guessMargin * min(float64(p.feed.Guessed(e.Tick, h.TickLength()))/float64(h.TickLength()),
		float64(e.Tick-oldest))
	sight := make(world.Sight, 0, len(e.Sight))
	for _, at := range e.Sight {
		var out world.PastPose
		var ok bool
		if at.ID == e.Object && p.replica.spectates {
			out, ok = h.judgeOwn(at, min(oldest, to), to, guessed)
		} else {
			out, ok = h.judgePose(at, min(oldest, to), to, guessed)
		}
		if ok {
			sight = append(sight, out)
		}
		if out != at || !ok {
			h.lines.Line(h.clock.Now(), slog.LevelDebug, p.source(),
				"a pose of a sight is too far from where the host had the object, or of no such object",
				"player", e.Player, "tick", uint32(e.Tick), "object", at.ID, "metres", at.DistanceTo(out),
				"refused", !ok)
		}
	}
	e.Sight = sight
}

// guessMargin is the factor by which a client may have guessed for longer than since the newest packet that it has:
// packets get lost, and an object that a rewind moves is not drawn there at once.
const guessMargin = 1.5

// seenMetres and seenRadians are by how much more an object may be drawn elsewhere than its speed explains.
const (
	seenMetres  = 0.5
	seenRadians = 0.25
)

// classIn returns the class of an object in tick t, which may be to come, or before it; nil if there is no such object.
// The object may have been removed since.
func (h *Host) classIn(id world.ObjectID, t world.Tick) *world.Class {
	t = min(t, h.match.Now())
	for _, at := range [...]world.Tick{t, t - min(t, 1)} {
		if s := h.match.At(at); s != nil {
			if slot, ok := s.Find(id); ok {
				return &h.match.Scripts().SchemaOf(s).Classes[s.Objects[slot].Class]
			}
		}
	}
	return nil
}

// judgePose judges one pose of a sight. ok is false if it is refused.
func (h *Host) judgePose(at world.PastPose, from, to world.Tick, guessed float64) (out world.PastPose, ok bool) {
	c := &h.intake.Inputs().Sights
	class := h.classIn(at.ID, to)
	if class == nil {
		c.Unknown++
		return at, false
	}
	rules := class.Seen
	if rules == nil {
		c.NotSeen++
		return at, false
	}
	track, ok := h.match.Past().Approach(at, from, to)
	if !ok {
		c.Unknown++
		return at, false
	}
	within := seenMetres + float64(track.Speed*guessed)
	if rules.Within > 0 {
		within = rules.Within
	}
	out, all := track.Nearest.Toward(at, within, seenRadians+float64(track.Turning*guessed))
	if all {
		c.Accepted++
	} else {
		c.Clamped++
	}
	return out, true
}

// judgeOwn judges where a spectator saw the object with which it acts, which need not be of a class with Seen: near
// where the object has been in the ticks from one to another, as far as the host keeps them.
func (h *Host) judgeOwn(at world.PastPose, from, to world.Tick, guessed float64) (out world.PastPose, ok bool) {
	c := &h.intake.Inputs().Sights
	var last, near world.PastPose
	best, speed, before := math.Inf(1), 0.0, world.Tick(0)
	for t := from; t <= to; t++ {
		s := h.match.At(t)
		if s == nil {
			continue
		}
		slot, here := s.Find(at.ID)
		if !here || s.Body(slot).Key == 0 {
			continue
		}
		now := world.SightPose(at.ID, s.Body(slot).Pose)
		if before == 0 {
			last, before = now, t
		}
		if on, d := at.NearestOnWay(last, now); d < best {
			near, best = on, d
		}
		if t > before {
			speed = max(speed, last.DistanceTo(now)/float64(t-before))
		}
		last, before = now, t
	}
	if before == 0 {
		c.Unknown++
		return at, false
	}
	out, all := near.Toward(at, seenMetres+float64(speed*guessed), math.Pi)
	if all {
		c.Accepted++
	} else {
		c.Clamped++
	}
	return out, true
}
