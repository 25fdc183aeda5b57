package runtime

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// View has everything that a viewer needs to draw the room and to show the state of
// play. Client.View, Host.View and ViewReplay fill it. It shares no memory that
// changes.
type View struct {
	Stage         Stage
	Status        string         // the stage in words, or the reason why play is over
	Game          string         // its name
	Player        world.PlayerID // the player who sees it; 0 for a host and a replay
	Tick          world.Tick     // the newest tick simulated
	Moment        float64        // the moment at which interpolated objects are shown, in ticks; 0: there are none
	Alpha         float64        `json:"Part"` // the part of the way from the tick before to Tick that is shown, 0 to 1
	Confirmed     world.Tick     // the last tick that cannot change any more
	TickRate      int            // ticks a second
	Width         float64        // of the arena, metres, centre at 0, 0
	Height        float64        // of the arena, metres
	RTT           float64        // ms, smoothed
	Lead          float64        // ticks that this client is ahead of the host
	Rewinds       int            // so far
	Corrections   int            // so far
	Repredictions int            // so far
	Bodies        []ViewBody
	Lines         []ViewLine
	Players       []ViewPlayer
	Match         MatchState

	rows []uint64 // memory for the fields of Bodies and Match
}

// ViewBody is one object with a body.
type ViewBody struct {
	ID    world.ObjectID
	Class string // as scripts declare it
	Owner world.PlayerID
	physics.Pose
	physics.Velocity
	// Holder is the object that carries it, at whose drawn pose it is drawn; 0: none.
	Holder world.ObjectID
	Shape  *physics.Shape // of a body with one; Shapes has all
	Look   world.Look

	parts []physics.Shape
	class *world.Class
	row   []uint64 // the object's fields; nil: not known yet
}

// Shapes returns the shapes of the body, in its frame: ToWorld of its pose converts their points.
// They must not be changed.
func (b *ViewBody) Shapes() []physics.Shape { return b.parts }

// interpolated reports whether clients interpolate objects of the class that they do not own.
func (b *ViewBody) interpolated() bool { return b.class.LOD == world.Interpolate }

// ViewLine is a rope, a rod or a spring between two bodies, or from a body to a fixed
// position. The view of a spectator has none.
type ViewLine struct {
	A, B   world.ObjectID // B is 0 for a fixed position
	AX, AY float64        // metres, in A's frame
	BX, BY float64        // metres, in B's frame, or the fixed position
}

// ViewPlayer is a player who is present.
type ViewPlayer struct {
	ID   world.PlayerID
	Name string // as they joined with
}

// View fills v with the present as this client predicts it, at the time of the last Poll or
// Update. Poses are between two ticks, and the errors of predictions decay instead of
// making objects jump.
func (c *Client) View(v *View) {
	*v = View{Stage: c.Stage(), Status: c.Status(), Player: c.Player(), Bodies: v.Bodies[:0], Lines: v.Lines[:0], Players: v.Players[:0], rows: v.rows[:0]}
	if err := c.Err(); err != nil {
		v.Status = err.Error()
	}
	v.RTT = c.end.Clock.smoothedRTT().Seconds() * 1000
	if c.role.status().World == nil {
		return
	}
	v.Lead = c.end.Clock.leadTicks()
	v.Confirmed = c.Confirmed()
	if b := c.Bundle(); b != nil {
		v.Game = b.Game
	}
	c.role.view(v, &c.end.Replica, c.end.Clock.frame(c.now, c.Now()), c.names)
}

// View fills v with the host's present.
func (h *Host) View(v *View) {
	*v = View{Stage: StageRunning, Status: StageRunning.String(), Bodies: v.Bodies[:0], Lines: v.Lines[:0], Players: v.Players[:0], rows: v.rows[:0], Confirmed: h.Committed(),
		Rewinds: h.stats.rewinds.count(), Corrections: h.stats.jumps.Count(), Game: h.inForce().Bundle.Game}
	v.Alpha = 1
	v.show(h.State(), h.Schema())
	h.roster.Playing(func(p *peer) { v.Players = append(v.Players, ViewPlayer{p.Player(), p.Name()}) })
}

// ViewReplay fills v with the present tick of a replay.
func ViewReplay(p *replay.Player, v *View) {
	s := p.State()
	*v = View{Stage: StageReplay, Status: StageReplay.String(), Bodies: v.Bodies[:0], Players: v.Players[:0], Confirmed: p.Committed(), Game: p.Bundle().Game}
	v.show(s, p.Schema())
	for _, pl := range s.Players {
		if pl.Left == 0 {
			v.Players = append(v.Players, ViewPlayer{pl.ID, p.Name(pl.ID)})
		}
	}
}

func (v *View) show(s *world.State, schema *world.Schema) {
	v.Tick = s.Tick
	v.level(schema)
	for _, slot := range s.Run {
		b := s.Body(int(slot))
		o := &s.Objects[slot]
		class := &schema.Classes[o.Class]
		if o.ID == world.GameID {
			v.Match = matchState(class, v.keep(class, s.Row(int(slot))))
		}
		if b.Key == 0 {
			continue
		}
		def := &schema.Defs[b.Def]
		v.Bodies = append(v.Bodies, ViewBody{ID: o.ID, Class: class.Name, Owner: o.Owner,
			Pose: b.Pose, Velocity: b.Velocity, Shape: &def.Shape, Look: class.Look,
			parts: def.Parts(), class: class, row: v.keep(class, s.Row(int(slot)))})
	}
	v.showLines(s)
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

// level sets the size of the arena and the tick rate.
func (v *View) level(schema *world.Schema) {
	v.TickRate, v.Width, v.Height = schema.Setup.TickRate, schema.Setup.Width, schema.Setup.Height
}

// present lists the players who are present, by number.
func (v *View) present(names map[world.PlayerID]string) {
	// order: sorted below
	for id, name := range names {
		v.Players = append(v.Players, ViewPlayer{id, name})
	}
	slices.SortFunc(v.Players, func(a, b ViewPlayer) int { return cmp.Compare(a.ID, b.ID) })
}
