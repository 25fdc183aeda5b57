package runtime

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// teller tells one client, who does not simulate, where all objects with a
// body are: in snapshots, each built on the newest that the client has named.
//
// When there is more to tell than a snapshot may hold, it goes to what is near
// the client's own object and has waited for long. The rest is as it was told
// last.
type teller struct {
	layout *wire.SnapshotLayout
	base   wire.Snapshot
	sent   [32]wire.Snapshot // snapshot n at n % len
	seq    uint32            // of the last one
	due    world.Tick        // when the next one is to go
	cost   float64           // bytes of an object told anew, smoothed
	picks  []pick
	order  []int32 // of picks: the most urgent first
	buf    []byte
}

// pick is an object that may be told of.
type pick struct {
	slot   int32
	was    int // its place in the base; -1: none
	chosen bool
	weight float64
}

// Bytes of a snapshot besides what old objects cost.
const (
	snapshotHead = 8
	birthCost    = 20  // of an object that the client does not know
	firstCost    = 2.5 // of others, before it is known better
)

// newTeller tells of what happens after s, the state in a client's keyframe,
// which is snapshot number seq: all of its bodies.
func newTeller(layout *wire.SnapshotLayout, s *world.State, seq uint32) *teller {
	t := &teller{layout: layout, seq: seq, cost: firstCost}
	takeBodies(&t.base, layout, s, bodiesByID(s, nil), seq)
	return t
}

// takeBodies makes a snapshot of some objects, which are in the order of ids.
func takeBodies(to *wire.Snapshot, layout *wire.SnapshotLayout, s *world.State, slots []int32, seq uint32) {
	to.Reset(seq, s.Bundle, s.Tick)
	for _, slot := range slots {
		layout.AddObject(to, s, int(slot))
	}
}

// bodiesByID gives the slots of all objects with a body, by id.
func bodiesByID(s *world.State, slots []int32) []int32 {
	slots = slots[:0]
	for _, slot := range s.Run {
		if s.Body(int(slot)).Key != 0 {
			slots = append(slots, slot)
		}
	}
	slices.SortFunc(slots, func(a, b int32) int { return cmp.Compare(s.Objects[a].ID, s.Objects[b].ID) })
	return slots
}

// acknowledge builds the next ones on a snapshot that the client has.
func (t *teller) acknowledge(seq uint32) {
	s := &t.sent[seq%uint32(len(t.sent))]
	if s.Seq == seq && seq > t.base.Seq && s.Bundle == t.base.Bundle {
		t.base, *s = *s, t.base
	}
}

// tell makes the next snapshot, of at most so many bytes. slots are those of
// bodiesByID. The bytes are valid until the next call.
func (t *teller) tell(s *world.State, slots []int32, viewer world.PlayerID, most int) []byte {
	t.consider(s, slots, viewer)
	t.seq++
	m := &t.sent[t.seq%uint32(len(t.sent))]
	for room := float64(most); ; room *= 0.9 * float64(most) / float64(len(t.buf)) { // once, nearly always: the costs are an estimate
		births, news := t.choose(room - snapshotHead)
		m.Reset(t.seq, s.Bundle, s.Tick)
		for i := range t.picks {
			switch p := &t.picks[i]; {
			case p.chosen:
				t.layout.AddObject(m, s, int(p.slot))
			case p.was >= 0:
				e := &t.base.Entities[p.was]
				m.Add(*e, t.base.Fields(e, t.layout))
			}
		}
		t.buf = wire.AppendSnapshot(t.buf[:0], t.layout, &t.base, m)
		if news > 0 {
			cost := float64(len(t.buf)-snapshotHead-births*birthCost) / float64(news)
			t.cost += float64((max(cost, 0.1) - t.cost) / 8)
		}
		if len(t.buf) <= most || births+news == 0 {
			return t.buf
		}
	}
}

// consider lists what may be told of, and how urgent it is.
func (t *teller) consider(s *world.State, slots []int32, viewer world.PlayerID) {
	last := &t.sent[t.seq%uint32(len(t.sent))]
	if last.Seq != t.seq || last.Bundle != s.Bundle {
		last = &t.base
	}
	at, has := whereabouts(s, viewer)
	t.picks = t.picks[:0]
	for _, slot := range slots {
		id := s.Objects[slot].ID
		p := pick{slot: slot, was: -1, weight: 1e6} // what nobody has heard of goes first
		if i, ok := last.Find(id); ok {
			p.weight = float64(s.Tick-last.Entities[i].Tick) * nearness(s, slot, at, has)
		}
		if i, ok := t.base.Find(id); ok {
			p.was = i
		} else if p.weight < 1e6 {
			p.weight += 2e6 // or even before that, if it may be on its way: it must not come and go
		}
		t.picks = append(t.picks, p)
	}
}

// whereabouts is where a player's first object is.
func whereabouts(s *world.State, viewer world.PlayerID) (at physics.Pose, ok bool) {
	for _, slot := range s.Run {
		if s.Objects[slot].Owner == viewer && s.Body(int(slot)).Key != 0 {
			return s.Body(int(slot)).Pose, true
		}
	}
	return physics.Pose{}, false
}

// nearRange is the distance, in metres, at which an object is told of half as
// often as one close by when there is not room for all.
const nearRange = 15

func nearness(s *world.State, slot int32, at physics.Pose, has bool) float64 {
	if !has {
		return 1
	}
	return nearRange / (nearRange + distance(offset(at, s.Body(int(slot)).Pose)))
}

// choose marks the most urgent objects that fit, and tells how many the client
// does not know and how many it does.
func (t *teller) choose(room float64) (births, news int) {
	t.order = t.order[:0]
	all := 0.0
	for i := range t.picks {
		t.order = append(t.order, int32(i))
		t.picks[i].chosen = false
		all += t.costOf(&t.picks[i])
	}
	if all > room {
		slices.SortFunc(t.order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(t.picks[b].weight, t.picks[a].weight), cmp.Compare(a, b))
		})
	}
	for _, i := range t.order {
		p := &t.picks[i]
		if room -= t.costOf(p); room < 0 {
			break
		}
		p.chosen = true
		if p.was < 0 {
			births++
		} else {
			news++
		}
	}
	return births, news
}

func (t *teller) costOf(p *pick) float64 {
	if p.was < 0 {
		return birthCost
	}
	return t.cost
}

// startTelling has snapshots sent to one who gets s as a keyframe, and gives the
// number that it has as their base.
func (h *Host) startTelling(p *peer, s *world.State) uint32 {
	seq := uint32(1)
	if p.teller != nil {
		seq = p.teller.seq + 1
	}
	p.teller = newTeller(wire.NewSnapshotLayout(h.tl.SchemaOf(s)), s, seq)
	return seq
}

// snapshots sends those that are due to the clients that don't simulate.
func (h *Host) snapshots(now time.Duration) {
	s := h.State()
	h.bodiesAt, h.interest.asked = 0, 0
	for _, p := range h.peers {
		t := h.tellerOf(p)
		if t == nil || p.relay == nil || s.Tick < t.due {
			continue
		}
		t.due = s.Tick + max(h.inForce().bundle.Ticks(time.Second/time.Duration(h.rules.Snapshots.Rate)), 1)
		if h.bodiesAt != s.Tick {
			h.bodies, h.strange, h.bodiesAt = bodiesByID(s, h.bodies), strangersByID(s, h.Schema(), h.strange), s.Tick
			h.interest.rule(h.tl.Script(s.Bundle), &h.inForce().bundle.Rules.Snapshots)
		}
		if t.base.Bundle != s.Bundle { // other declarations: from the beginning
			t.layout = wire.NewSnapshotLayout(h.Schema())
			t.base.Reset(0, s.Bundle, 0)
		}
		slots := h.strange
		if p.watches {
			slots = h.bodies
		}
		b := t.tell(s, p.outlook.pick(&h.interest, h.tl.World(), p.player, slots), p.player, h.rules.Snapshots.Bytes)
		h.stats.bytes.snapshots += int64(len(b))
		h.datagramTo(now, p, b)
	}
}
