package room

import (
	"encoding/json"
	"math"

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
	// bodies that are shown between complete ticks, because the client does not predict them
	Culled   []world.ObjectID
	Lines    []ViewLine
	Players  []ViewPlayer
	Match    ViewState
	Onlooker bool             // the player has not joined (Client.Enter)
	Schema   *world.Schema    `json:"-"` // of the scripts in force
	Entry    *world.EntryForm // what the game asks the player, who has not answered yet (Client.Say); nil: nothing

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
	// Velocity is that of the object at the moment at which it is drawn; on its way to another holder, or from one,
	// that with which it is drawn.
	physics.Velocity
	// Holder is the object that carries it, at whose drawn pose it is drawn on a client; 0: none.
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
	v.DropGone(func(id world.ObjectID) bool { _, here := s.Find(id); return here })
}

// ViewState is the state of the match or of a player as a View shows it: the fields that game.lua
// declares, such as scores and the phase. Before it is known it has no fields (FieldReader.Known).
//
// A predictor shows its prediction. A spectator shows the same moment as for bodies.
type ViewState struct {
	world.FieldReader
	of    world.ObjectID
	class *world.Class
	row   world.Row
}

func newViewState(of world.ObjectID, class *world.Class, row world.Row) ViewState {
	return ViewState{world.NewFieldReader(class, row), of, class, row}
}

// MarshalJSON returns an object with a key for each number, boolean, reference and string;
// null before the state is known. Infinities and NaN are null.
func (m ViewState) MarshalJSON() ([]byte, error) {
	if !m.Known() {
		return []byte("null"), nil
	}
	fields := map[string]any{}
	m.All(func(name string, v world.Value) bool {
		switch {
		case v.Kind == world.Bool:
			fields[name] = v.Word != 0
		case v.Kind == world.Ref:
			fields[name] = world.ObjectID(v.Word)
		case v.Kind == world.String:
			fields[name] = v.Text
		case math.IsNaN(v.Number()) || math.IsInf(v.Number(), 0):
			fields[name] = nil
		default:
			fields[name] = v.Number()
		}
		return true
	})
	return json.Marshal(fields)
}
