package room

import (
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
	Level         string         // the name of the level in force
	Width         float64        // of the arena, metres, centre at 0, 0
	Height        float64        // of the arena, metres
	RTT           float64        // ms, smoothed
	Lead          float64        // ticks that this client is ahead of the host; below 0: behind it
	InputDelay    int            // ticks by which inputs are later than the next tick
	Rewinds       int            // so far
	Corrections   int            // so far
	Repredictions int            // so far
	Bodies        []ViewBody
	Culled        []world.ObjectID // bodies that are shown between complete ticks, because the client does not predict them
	Lines         []ViewLine
	Players       []ViewPlayer
	Match         ViewState
	Onlooker      bool             // the player has not joined (Client.Enter)
	Teams         []world.Option   // that the game declares, by name
	Entry         *world.EntryForm // what the game asks the player, who has not answered yet (Client.Say); nil: nothing

	states []playerState     // of Players
	rows   []uint64          // memory for the fields of Bodies, Match and Players
	shower world.FieldShower // while the View is filled: calls the functions of scripts that show fields
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
	Look   world.Look     // with the values of the fields that it names; Label has those of the label

	parts []physics.Shape
	class *world.Class
	row   world.Row // the object's fields, which may not be known yet
}

// Shapes returns the shapes of the body, in its frame: ToWorld of its pose converts their points.
// They must not be changed.
func (b *ViewBody) Shapes() []physics.Shape { return b.parts }

// Declaration returns the class of the body as the scripts in force declare it. It must not be changed.
func (b *ViewBody) Declaration() *world.Class { return b.class }

// Row returns the fields of the object, as far as they are known. They must not be changed.
func (b *ViewBody) Row() world.Row { return b.row }

// ViewLine is a rope, a rod or a spring between two bodies, or from a body to a fixed
// position. The view of a spectator has none.
type ViewLine struct {
	A, B   world.ObjectID // B is 0 for a fixed position
	AX, AY float64        // metres, in A's frame
	BX, BY float64        // metres, in B's frame, or the fixed position
}

// ViewPlayer is a player who is present.
type ViewPlayer struct {
	ID    world.PlayerID
	Name  string    // as they joined with, or have answered the entry form
	Ping  uint16    // ms of round trip between the host and the player; 0: not known
	State ViewState // the fields that game.lua declares for each player; see ViewState
}

// playerState is the state of a player.
type playerState struct {
	player world.PlayerID
	state  ViewState
}

// Begin empties a View that is to be filled, and keeps its memory. The functions of scripts that show fields are
// called by shower, which may be nil.
func (v *View) Begin(stage Stage, shower world.FieldShower) {
	*v = View{Stage: stage, Status: stage.String(), Bodies: v.Bodies[:0], Culled: v.Culled[:0], Lines: v.Lines[:0], Players: v.Players[:0],
		states: v.states[:0], rows: v.rows[:0], shower: shower}
}

// End ends the filling.
func (v *View) End() { v.shower = nil }

// ViewReplay fills v with the present tick of a replay.
func ViewReplay(p *replay.Player, v *View) {
	s := p.State()
	v.Begin(StageReplay, nil)
	v.Confirmed, v.Game = p.Committed(), p.Bundle().Game
	v.Show(s, p.Schema())
	for _, pl := range s.Players {
		if pl.Left == 0 {
			v.AddPlayer(pl.ID, p.Name(pl.ID), 0)
		}
	}
}

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
		v.Bodies = append(v.Bodies, ViewBody{ID: o.ID, Class: class.Name, Owner: o.Owner,
			Pose: b.Pose, Velocity: b.Velocity, Shape: &def.Shape, Look: class.Look,
			parts: def.Parts(), class: class, row: v.keep(class, s.Row(int(slot)))})
		v.Bodies[len(v.Bodies)-1].showLook()
	}
	v.showLines(s)
}

// ShowState shows the state of the match, or that of a player.
func (v *View) ShowState(schema *world.Schema, id world.ObjectID, owner world.PlayerID, class *world.Class, row world.Row) {
	s := newViewState(id, class, row)
	if id != world.GameID {
		v.states = append(v.states, playerState{owner, s})
		return
	}
	v.Match = s
	level := world.LevelIn(schema, row)
	v.Level, v.Width, v.Height = level.Name, level.Width, level.Height
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

// AddPlayer adds a player who is present, with the state that showState was given.
func (v *View) AddPlayer(id world.PlayerID, name string, ping uint16) {
	p := ViewPlayer{ID: id, Name: name, Ping: ping}
	if i := slices.IndexFunc(v.states, func(s playerState) bool { return s.player == id }); i >= 0 {
		p.State = v.states[i].state
	}
	v.Players = append(v.Players, p)
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

// ShowLevel sets the tick rate, and the size of the main level until showState knows that of the one in force.
func (v *View) ShowLevel(schema *world.Schema) {
	v.Teams = schema.Teams
	v.TickRate, v.Level, v.Width, v.Height = schema.Setup.TickRate, world.MainLevel, schema.Setup.Width, schema.Setup.Height
}

// Find returns the index of an object in Bodies, or -1.
func (v *View) Find(id world.ObjectID) int {
	for i := range v.Bodies {
		if v.Bodies[i].ID == id {
			return i
		}
	}
	return -1
}
