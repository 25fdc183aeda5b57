package room

import (
	"slices"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// How a host, a client or a replay fills a View. Programs that draw one need none of this.

// Begin empties a View that is to be filled, and keeps its memory. The functions of scripts that show fields are
// called by shower, which may be nil.
func (v *View) Begin(stage Stage, shower world.FieldShower) {
	*v = View{
		Stage:   stage,
		Status:  stage.String(),
		Bodies:  v.Bodies[:0],
		Culled:  v.Culled[:0],
		Lines:   v.Lines[:0],
		Players: v.Players[:0],
		states:  v.states[:0],
		rows:    v.rows[:0],
		shower:  shower,
	}
}

// End ends the filling.
func (v *View) End() { v.shower = nil }

// Show adds the bodies, the lines and the state of play of a state.
func (v *View) Show(s *world.State, schema *world.Schema) {
	v.Tick = s.Tick
	v.ShowLevel(schema)
	for _, slot := range s.Run {
		b := s.Body(int(slot))
		o := &s.Objects[slot]
		class := &schema.Classes[o.Class]
		if world.HoldsState(class.Name) {
			v.ShowState(schema, o.ID, o.Owner, class, v.keep(class, s.Row(int(slot))))
		}
		if b.Key == 0 {
			continue
		}
		def := &schema.Defs[b.Def]
		v.Bodies = append(v.Bodies, ViewBody{
			ID:       o.ID,
			Class:    class.Name,
			Owner:    o.Owner,
			Pose:     b.Pose,
			Velocity: b.Velocity,
			Holder:   s.Holder(int(slot)),
			Shape:    &def.Shape,
			Look:     class.Look,
			parts:    def.Parts(),
			class:    class,
			row:      v.keep(class, s.Row(int(slot))),
		})
		v.Bodies[len(v.Bodies)-1].showLook()
	}
	v.showLines(s)
}

// ShowState shows the state of the match, or that of a player.
func (v *View) ShowState(
	schema *world.Schema,
	id world.ObjectID,
	owner world.PlayerID,
	class *world.Class,
	row world.Row,
) {
	s := newViewState(id, class, row)
	if id != world.MatchID {
		v.states = append(v.states, playerState{owner, s})
		return
	}
	v.Match = s
	level := world.LevelIn(schema, row)
	v.Level, v.Width, v.Height = level.Name, level.Width, level.Height
}

// ShowLevel sets the tick rate, and the size of the main level until ShowState knows that of the one in force.
func (v *View) ShowLevel(schema *world.Schema) {
	v.Schema = schema
	v.TickRate, v.Level = schema.Setup.TickRate, world.MainLevel
	v.Width, v.Height = schema.Setup.Width, schema.Setup.Height
}

// showLines lists the joints that can be seen.
func (v *View) showLines(s *world.State) {
	for i := range s.Physics.Joints {
		j := &s.Physics.Joints[i]
		if j.Kind != physics.Distance || j.Gone() {
			continue
		}
		v.Lines = append(v.Lines, ViewLine{A: world.ObjectID(j.KeyA), B: world.ObjectID(j.KeyB),
			AX: j.AnchorA.X, AY: j.AnchorA.Y, BX: j.AnchorB.X, BY: j.AnchorB.Y})
	}
}

// Ask shows the entry form of a game to a player who has not answered it.
func (v *View) Ask(schema *world.Schema) {
	i := slices.IndexFunc(v.Players, func(p ViewPlayer) bool { return p.ID == v.Player })
	switch {
	case schema == nil:
		return
	case v.Onlooker:
		_, v.Entry = schema.Functions.EntryForm()
		return
	case i < 0:
		return
	}
	if entered, err := v.Players[i].State.Bool(world.EnteredField); err == nil && !entered {
		_, v.Entry = schema.Functions.EntryForm()
	}
}

// AddPlayer adds a player who is present, with the state that ShowState was given.
func (v *View) AddPlayer(id world.PlayerID, name string, ping uint16) {
	p := ViewPlayer{ID: id, Name: name, Ping: ping}
	if i := slices.IndexFunc(v.states, func(s playerState) bool { return s.player == id }); i >= 0 {
		p.State = v.states[i].state
	}
	v.Players = append(v.Players, p)
}

// AddReplicated adds a replicated object to a view. def is that of its body; nil: that of its class, or of its fields.
// An object without a body is left out.
func (v *View) AddReplicated(b *view.Buffer, o *view.Object, at physics.Pose, class *world.Class, def *physics.Def) {
	row := v.ReplicatedRow(b, o, class)
	if def == nil {
		def = &b.Schema().Defs[world.BodyDef(b.Schema(), class, row)]
	}
	if def.Type == physics.None {
		return
	}
	v.Bodies = append(v.Bodies, ViewBody{
		ID:       o.ID,
		Class:    class.Name,
		Owner:    o.Owner,
		Pose:     at,
		Velocity: b.Velocity(o),
		Shape:    &def.Shape,
		Look:     class.Look,
		parts:    def.Parts(),
		class:    class,
		row:      row,
	})
	v.Bodies[len(v.Bodies)-1].showLook()
}

// ReplicatedRow copies the fields of a replicated object into the view, none if they are not
// known.
func (v *View) ReplicatedRow(b *view.Buffer, o *view.Object, class *world.Class) world.Row {
	n := len(v.rows)
	v.rows = append(v.rows, make([]uint64, class.Words())...)
	if row := world.NewRow(class, v.rows[n:]); b.Fields(o, row, v.shower) {
		return row
	}
	v.rows = v.rows[:n]
	return world.Row{}
}

// keep copies the fields of an object into the view.
func (v *View) keep(class *world.Class, row world.Row) world.Row {
	n := len(v.rows)
	v.rows = row.AppendWords(v.rows, class)
	return world.NewRow(class, v.rows[n:])
}

// EachFields replaces the fields of all bodies, of the match and of the players by those that f returns for them. f may
// change row, which is not known yet for some bodies. body is nil for the match and the players.
func (v *View) EachFields(f func(id world.ObjectID, class *world.Class, row world.Row, body *ViewBody) world.Row) {
	for i := range v.Bodies {
		b := &v.Bodies[i]
		known := b.row.Known()
		if row := f(b.ID, b.class, b.row, b); !known && row.Known() {
			b.row = v.keep(b.class, row)
		}
		b.Look = b.class.Look
		b.showLook()
	}
	v.Match.replace(f)
	for i := range v.Players {
		v.Players[i].State.replace(f)
	}
}

// DropGone makes references lead nowhere whose objects do not exist, as scripts find them: in the fields of the bodies, of the
// match and of the players.
func (v *View) DropGone(exists func(world.ObjectID) bool) {
	drop := func(class *world.Class, row world.Row) {
		if row.Known() {
			class.DropGone(row, exists)
		}
	}
	for i := range v.Bodies {
		drop(v.Bodies[i].class, v.Bodies[i].row)
	}
	drop(v.Match.class, v.Match.row)
	for i := range v.Players {
		drop(v.Players[i].State.class, v.Players[i].State.row)
	}
}

// replace replaces the fields by those that f returns.
func (m *ViewState) replace(f func(id world.ObjectID, class *world.Class, row world.Row, body *ViewBody) world.Row) {
	if m.row.Known() {
		m.row.Set(f(m.of, m.class, m.row, nil))
	}
}

// Blend sets the fields of all bodies and of the match to their shown values after a part of the
// present tick.
func (v *View) Blend(tl *timeline.Timeline, alpha float64) {
	for i := range v.Bodies {
		v.Bodies[i].blend(tl, alpha, v.shower)
	}
	v.Match.blend(tl, alpha, v.shower)
	for i := range v.Players {
		v.Players[i].State.blend(tl, alpha, v.shower)
	}
}

// blend sets the fields of a body to their shown values after a part of the present tick.
func (b *ViewBody) blend(tl *timeline.Timeline, alpha float64, show world.FieldShower) {
	blendFields(tl, b.ID, b.class, b.row, alpha, show)
}

// blend sets the fields to their shown values after a part of the present tick.
func (m *ViewState) blend(tl *timeline.Timeline, alpha float64, show world.FieldShower) {
	blendFields(tl, m.of, m.class, m.row, alpha, show)
}

// blendFields sets the fields of an object to their shown values after a part of the
// present tick.
func blendFields(
	tl *timeline.Timeline,
	id world.ObjectID,
	class *world.Class,
	row world.Row,
	alpha float64,
	show world.FieldShower,
) {
	before, now := tl.At(tl.Now()-1), tl.At(tl.Now())
	if before == nil || before.Bundle != now.Bundle || !row.Known() {
		return
	}
	from, ok := before.Find(id)
	to, still := now.Find(id)
	if ok && still {
		class.Between(row, before.Row(from), now.Row(to), alpha, show)
	}
}
