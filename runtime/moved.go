package runtime

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// moves tells a client's program why its objects were moved.
type moves struct {
	told   []toldMove     // in the last round trip
	counts [2]causeCounts // by DisplacementKind
}

// toldMove is when an object's move was told of.
type toldMove struct {
	object world.ObjectID
	at     time.Duration
}

// causeCounts counts moves by their labels.
type causeCounts map[string]int // sorted before anybody sees it

func (c *causeCounts) add(m *Displacement) {
	if *c == nil {
		*c = causeCounts{}
	}
	(*c)[m.label()]++
}

// mostCauses is how many labels a report has.
const mostCauses = 5

// top are the most frequent labels.
func (c causeCounts) top() (out []CauseCount) {
	// order: sorted below
	for label, n := range c {
		out = append(out, CauseCount{label, n})
	}
	slices.SortFunc(out, func(a, b CauseCount) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Cause, b.Cause)) })
	return out[:min(len(out), mostCauses)]
}

// explain tells, after a Rewind, why objects of this player are elsewhere than
// before it.
func (p *predictor) explain(c *endpoint) {
	now := p.tl.At(p.tl.Now())
	for _, slot := range now.Run {
		o := &now.Objects[slot]
		if o.Owner != c.Session.Player || !p.tl.Differs(int(slot)) {
			continue
		}
		was, ok := p.present.Find(o.ID)
		if !ok || now.Body(int(slot)).Key == 0 {
			continue
		}
		distance, in := p.rules(c).Correct.Exceeded(p.present.Body(was), now.Body(int(slot)))
		if in == 0 || !p.mayTell(c, o.ID) {
			continue
		}
		m := Displacement{Kind: Reprediction, Object: o.ID, Class: p.tl.Schema(p.tl.Now()).Classes[o.Class].Name, Distance: distance,
			Provenance: p.tl.Explain(int(slot))}
		p.lateBy(c, &m)
		p.moves.counts[Reprediction].add(&m)
		p.tellMove(c, &m)
	}
}

// rules are those of the bundle in force.
func (p *predictor) rules(c *endpoint) *bundle.Rules {
	if b := c.Library.bundle(p.tl.World().Now.Bundle); b != nil {
		return &b.Rules
	}
	rules := bundle.DefaultRules()
	return &rules
}

// lateBy finds by how much the host had an input too late. The record of the
// log that follows it and says that a tick is final tells when it came in: there
// is one such record for each tick of the host's.
func (p *predictor) lateBy(c *endpoint, m *Displacement) {
	if m.Cause != timeline.CauseInput || m.Record == 0 {
		return
	}
	b := c.Library.bundle(p.tl.World().Now.Bundle)
	for i := range p.finals {
		if f := &p.finals[i]; f.seq > m.Record && b != nil {
			m.LateBy = max(int(f.tick+b.Ticks(b.Rules.MaxRewind))-int(m.InputTick), 0)
			return
		}
	}
	m.LateBy = max(int(p.hostAt)-int(m.InputTick), 0)
}

// mayTell reports whether a move of an object is to be looked into: at most one a
// round trip.
func (p *predictor) mayTell(c *endpoint, id world.ObjectID) bool {
	trip := c.Clock.RTT().Smoothed
	p.moves.told = slices.DeleteFunc(p.moves.told, func(t toldMove) bool { return c.Now-t.at >= trip })
	if slices.ContainsFunc(p.moves.told, func(t toldMove) bool { return t.object == id }) {
		return false
	}
	p.moves.told = append(p.moves.told, toldMove{id, c.Now})
	return true
}

// tellMove tells the program of a move, with the lines of scripts.
func (p *predictor) tellMove(c *endpoint, m *Displacement) {
	if c.Cfg.Moved != nil {
		p.tl.Locate(&m.Provenance)
		c.Cfg.Moved(*m)
	}
}

// tellCorrection tells of a correction: why, the host says.
func (p *predictor) tellCorrection(c *endpoint, m *wire.Correction, distance float64) {
	move := Displacement{Kind: Correction, Object: m.Object, Distance: distance, Wrong: m.Mismatch.Words(),
		Provenance: timeline.Provenance{Tick: m.Tick, Cause: timeline.CauseComputed, Player: m.Cause.Player, InputTick: m.Cause.Tick, LateBy: int(m.Cause.Late)}}
	if s := p.tl.At(m.Tick); s != nil {
		if p.tl.Partial(s) {
			move.Cause = timeline.CauseReplicated // what it does not simulate it had otherwise
		}
		if slot, ok := s.Find(m.Object); ok {
			move.Class = p.tl.Schema(m.Tick).Classes[s.Objects[slot].Class].Name
		}
	}
	p.moves.counts[Correction].add(&move)
	c.Log.Info("corrected", "tick", uint32(m.Tick), "object", m.Object.String(), "distance", distance, "why", move.cause())
	if c.Cfg.Moved != nil {
		c.Cfg.Moved(move)
	}
}
