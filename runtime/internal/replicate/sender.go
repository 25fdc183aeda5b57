package replicate

import (
	"cmp"
	"math"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Sender encodes the snapshots for one client. Each is a change from the newest
// snapshot that the client has acknowledged.
//
// When not all objects fit into a snapshot, it holds those that are near the client's
// own object or have waited long. For the others it repeats the values of the baseline.
type Sender struct {
	*Workspace
	layout   *wire.SnapshotLayout
	base     *wire.Snapshot // the acknowledged baseline
	shared   bool           // base is that of other clients, too, and must not change
	sent     sentSnapshots
	last     []lastSent // the objects of the last snapshot, by id
	lastHead sentHead   // of it
	seq      uint32     // of the last snapshot
	due      world.Tick // when the next snapshot is due
	inputs   world.Tick // up to which the inputs of the client's player have been applied
	settled  world.Tick // up to which the client has the cues of replicated objects of its player
	cost     float64    // bytes of an update of an object in the baseline, smoothed
	rows     rowSender
	checked  bool
}

// Workspace is the memory in which senders make their snapshots. Those of one goroutine share it: in a room of
// thousands of objects it is as large as the room, and only one of them makes a snapshot at a time. The zero value is
// ready.
type Workspace struct {
	of         *Sender // who has made a snapshot last
	candidates []candidate
	order      []int32       // of candidates: the most urgent first
	made       wire.Snapshot // the snapshot being made
	probe      wire.Snapshot // scratch of weigh: one object, as it is now
	buf        []byte
}

// lastSent is of which tick an object was in a snapshot.
type lastSent struct {
	id   world.ObjectID
	tick world.Tick
}

// candidate is an object that a snapshot may hold.
type candidate struct {
	slot     int32
	baseline int  // its index in the baseline; -1: none
	own      bool // the viewer's
	chosen   bool
	tooLong  bool    // it does not fit even alone
	early    bool    // its fields are sent as a row, so the snapshot has those of an earlier tick
	change   float64 // estimated bytes of the change of its fields, if that is not in the average
	nearness float64 // the part of the urgency that depends on the distance
	urgency  float64
}

// Estimated bytes of the parts of a snapshot.
const (
	headBytes  = 9
	birthBytes = 20  // for an object that is not in the baseline
	firstBytes = 2.5 // for any other object, before there is a measurement
)

// maxLeftOut is how many objects a snapshot leaves out because their changes are longer
// than its limit. After that many, it gives up.
const maxLeftOut = 4

// Urgencies that exceed those by age and distance.
const (
	unsent   = 1e6 // of an object that was in no snapshot
	underway = 2e6 // added for an object that was in a snapshot, but not in the baseline: it must not disappear again
	awaited  = 4e6 // added for the viewer's own that is not in the baseline: the client simulates it already
)

// NewSender returns a sender with an empty baseline. check switches the assertions of its
// invariants on.
func NewSender(w *Workspace, schema *world.Schema, bundle uint32, check bool) *Sender {
	s := &Sender{
		Workspace: w,
		layout:    wire.NewSnapshotLayout(schema),
		base:      new(wire.Snapshot),
		cost:      firstBytes,
		checked:   check,
	}
	s.base.Reset(0, bundle, 0)
	return s
}

// NextNumber returns the number of the next snapshot, or of the baseline of the next Restart.
func (s *Sender) NextNumber() uint32 { return s.seq + 1 }

// Baseline returns the spectated objects of a keyframe as snapshot seq, for Restart. It does not change, so several
// senders may have it.
func Baseline(schema *world.Schema, keyframe *world.State, seq uint32) *wire.Snapshot {
	base := new(wire.Snapshot)
	fill(base, wire.NewSnapshotLayout(schema), keyframe, spectated(keyframe, schema, nil), seq)
	return base
}

// Restart begins anew with a Baseline of NextNumber.
func (s *Sender) Restart(schema *world.Schema, base *wire.Snapshot) {
	if s.checked {
		assert(base.Seq == s.NextNumber(), "the baseline is snapshot %d, and the next one is %d", base.Seq,
			s.NextNumber())
	}
	s.rows.restart()
	*s = Sender{
		Workspace: s.Workspace,
		layout:    wire.NewSnapshotLayout(schema),
		base:      base,
		shared:    true,
		seq:       base.Seq,
		cost:      firstBytes,
		rows:      s.rows,
		checked:   s.checked,
	}
	s.sent.begin(base.Seq)
}

// Acknowledge makes a snapshot that has arrived the baseline, if it is newer and was kept, and notes the
// newest row that has arrived. It returns the tick of the snapshot if none that is newer was acknowledged, otherwise 0.
func (s *Sender) Acknowledge(seq, row uint32) world.Tick {
	s.rows.acknowledge(row)
	if m := s.sent.find(seq); m != nil && seq > s.base.Seq && m.Bundle == s.base.Bundle {
		s.take(m)
	}
	head := s.sent.acknowledge(seq)
	if s.checked {
		s.checkBaseline()
	}
	switch {
	case seq == s.base.Seq:
		return s.base.Tick
	case head.bundle != s.base.Bundle:
		return 0
	}
	return head.tick
}

// take makes a snapshot the baseline. m gets the memory of the former one, unless others have that, too.
func (s *Sender) take(m *wire.Snapshot) {
	if s.shared {
		s.base, s.shared = new(wire.Snapshot), false
	}
	*s.base, *m = *m, *s.base
}

// Applied notes up to which tick the host has applied the inputs of the client's player. The next snapshots say so.
func (s *Sender) Applied(inputs world.Tick) { s.inputs = inputs }

// Settled notes up to which tick the client has the cues of replicated objects of its player. The next snapshots say
// so.
func (s *Sender) Settled(cues world.Tick) { s.settled = cues }

// owns reports whether the acknowledged baseline has an object as that of a player, with its fields.
func (s *Sender) owns(id world.ObjectID, player world.PlayerID) bool {
	i, here := s.base.Find(id)
	return here && s.base.Entities[i].Owner == player && s.base.Entities[i].FieldsTick != 0
}

// Due reports whether a snapshot is due at tick t. If it is, the next one is due every
// ticks later.
func (s *Sender) Due(t, every world.Tick) bool {
	if t < s.due {
		return false
	}
	s.due = t + every
	return true
}

// Snapshot encodes the next snapshot, of at most limit bytes unless the head alone is
// longer. slots are the objects relevant to the viewer, by id. The bytes are valid until
// the next call.
func (s *Sender) Snapshot(
	state *world.State,
	schema *world.Schema,
	slots []int32,
	viewer world.PlayerID,
	limit int,
) []byte {
	if s.base.Bundle != state.Bundle { // another schema: begin with an empty baseline
		s.layout = wire.NewSnapshotLayout(schema)
		if s.shared {
			s.base, s.shared = new(wire.Snapshot), false
		}
		s.base.Reset(0, state.Bundle, 0)
		s.rows.restart()
	}
	s.of = s
	s.consider(state, slots, viewer, limit)
	s.seq++
	m := &s.made
	least, cost := maxLeftOut, s.cost
	// nearly always once: the costs are estimates
	for room := float64(limit); ; room *= 0.9 * float64(limit) / float64(len(s.buf)) {
		births, updates := s.choose(room-headBytes, min(least, 1))
		m.Reset(s.seq, state.Bundle, state.Tick)
		m.Behind = uint8(min(state.Tick-min(s.inputs, state.Tick), math.MaxUint8))
		m.Settled = min(s.settled, state.Tick)
		for i := range s.candidates {
			switch c := &s.candidates[i]; {
			case c.chosen && c.early:
				s.addEarly(m, state, c, viewer)
			case c.chosen:
				s.layout.AddObject(m, state, int(c.slot), viewer)
			case c.baseline >= 0:
				e := &s.base.Entities[c.baseline]
				m.Add(*e, s.base.Fields(e, s.layout))
			case c.own:
				m.Lacks = max(m.Lacks, min(state.Tick-state.Objects[c.slot].Spawned+1, state.Tick))
			}
		}
		s.buf = wire.AppendSnapshot(s.buf[:0], s.layout, s.rows.usable(), s.base, m)
		if births+updates == 1 && len(s.buf) > limit {
			s.leaveOut()
			least, s.cost = least-1, cost    // of the others
			room = float64(len(s.buf)) / 0.9 // all of it, for the others
			continue
		}
		s.measure(births, updates)
		if full := births+updates > 0; len(s.buf) <= limit || !full {
			if s.checked {
				s.check(limit, full)
			}
			s.rows.earn(len(s.buf), limit)
			s.keep(m)
			return s.buf
		}
	}
}

// keep keeps what is needed of a snapshot that is sent.
func (s *Sender) keep(m *wire.Snapshot) {
	s.last, s.lastHead = slices.Grow(s.last[:0], len(m.Entities)), sentHead{m.Seq, m.Bundle, m.Tick}
	for i := range m.Entities {
		s.last = append(s.last, lastSent{m.Entities[i].ID, m.Entities[i].Tick})
	}
	s.sent.note(s.lastHead)
	s.sent.put(m)
}

// leaveOut leaves out the only candidate that was chosen: even it alone does not fit, because the
// snapshot says of too many others that they are as in the baseline. It does not take the place of
// others.
func (s *Sender) leaveOut() {
	for i := range s.candidates {
		c := &s.candidates[i]
		c.tooLong = c.tooLong || c.chosen
	}
}

// measure learns the cost of an update from the last snapshot.
func (s *Sender) measure(births, updates int) {
	if updates > 0 {
		known := 0.0
		for i := range s.candidates {
			if c := &s.candidates[i]; c.chosen {
				known += c.change
			}
		}
		cost := (float64(len(s.buf)-headBytes-births*birthBytes) - known) / float64(updates)
		s.cost += float64((max(cost, 0.1) - s.cost) / 8)
	}
}

// consider makes candidates of objects and weighs how urgent each is.
func (s *Sender) consider(state *world.State, slots []int32, viewer world.PlayerID, limit int) {
	at := eyeOf(state, viewer)
	s.candidates = s.candidates[:0]
	last := s.sentLast(state.Bundle)
	s.rows.begin()
	for _, slot := range slots {
		id := state.Objects[slot].ID
		c := candidate{slot: slot, baseline: -1, nearness: at.nearness(state, slot), urgency: unsent}
		if tick, ok := last.tickOf(id); ok {
			c.urgency = float64(state.Tick-tick) * c.nearness
		}
		i, known := s.base.Find(id)
		c.own = state.Objects[slot].Owner == viewer
		switch {
		case known:
			c.baseline = i
		case c.urgency < unsent:
			c.urgency += underway
		case c.own: // the oldest first: the snapshot says up to which tick none is missing
			c.urgency += min(float64(state.Tick-state.Objects[slot].Spawned), unsent/2)
		}
		if !known && c.own {
			c.urgency += awaited
		}
		s.weigh(state, &c, viewer, limit)
		s.candidates = append(s.candidates, c)
	}
	s.rows.end(s.base)
}

// lastTicks finds the ticks of the objects of the last snapshot, for ids in their order.
type lastTicks struct {
	list []lastSent
	base *wire.Snapshot // in the place of list; nil: there is a list
}

// sentLast returns the ticks of the last snapshot under a bundle. The client has the baseline if none was sent.
func (s *Sender) sentLast(bundle uint32) lastTicks {
	if s.lastHead.seq != s.seq || s.lastHead.bundle != bundle {
		return lastTicks{base: s.base}
	}
	return lastTicks{list: s.last}
}

// tickOf returns of which tick an object was sent. ids must increase from call to call.
func (l *lastTicks) tickOf(id world.ObjectID) (t world.Tick, ok bool) {
	if l.base != nil {
		i, ok := l.base.Find(id)
		if !ok {
			return 0, false
		}
		return l.base.Entities[i].Tick, true
	}
	for len(l.list) > 0 && l.list[0].id < id {
		l.list = l.list[1:]
	}
	if len(l.list) == 0 || l.list[0].id != id {
		return 0, false
	}
	return l.list[0].tick, true
}

// choose marks the most urgent candidates that fit, but at least least of them. It
// returns how many of these the baseline lacks and how many it has.
func (s *Sender) choose(room float64, least int) (births, updates int) {
	s.order = s.order[:0]
	all := 0.0
	for i := range s.candidates {
		s.order = append(s.order, int32(i))
		s.candidates[i].chosen = false
		if s.candidates[i].tooLong {
			continue
		}
		all += s.costOf(&s.candidates[i])
	}
	if all > room {
		slices.SortFunc(s.order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(s.candidates[b].urgency, s.candidates[a].urgency), cmp.Compare(a, b))
		})
	}
	for _, i := range s.order {
		c := &s.candidates[i]
		if c.tooLong {
			continue
		}
		cost := s.costOf(c)
		if cost > room && births+updates >= least {
			if c.change > 0 {
				continue // one that takes less may fit
			}
			break
		}
		room -= cost
		c.chosen = true
		if c.baseline < 0 {
			births++
		} else {
			updates++
		}
	}
	return births, updates
}

func (s *Sender) costOf(c *candidate) float64 {
	if c.baseline < 0 {
		return birthBytes + c.change
	}
	return s.cost + c.change
}

// eye is the position of a player's first object with a body.
type eye struct {
	x, y float64
	open bool // there is one
}

func eyeOf(s *world.State, viewer world.PlayerID) eye {
	for _, slot := range s.Run {
		if b := s.Body(int(slot)); s.Objects[slot].Owner == viewer && b.Key != 0 {
			return eye{b.X, b.Y, true}
		}
	}
	return eye{}
}

// halfRange is the distance in metres at which an object is half as urgent as one
// close by.
const halfRange = 15

// nearness returns the part of the urgency that depends on the distance, at most 1.
func (e eye) nearness(s *world.State, slot int32) float64 {
	if !e.open {
		return 1
	}
	b := s.Body(int(slot))
	if b.Key == 0 { // the state of the match is always near
		return 1
	}
	return halfRange / (halfRange + math.Hypot(b.X-e.x, b.Y-e.y))
}
