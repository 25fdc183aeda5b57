package gametest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// play is the world of a test once it is open.
type play interface {
	step(ticks int) error
	spawn(class string, at world.Placement, fields host.Fields) (world.ObjectID, error)
	call(function string, args []world.Value) error
	look(p world.PlayerID) (*world.State, *world.Schema, error)
	confirmed() (*world.State, *world.Schema)
	waitConfirmed() error
	desyncs() []string
	join(answers string) (world.PlayerID, error)
	leave(p world.PlayerID) error
	cues() []world.Cue
}

// stage is a luabind.Stage for tests of a game.
type stage struct {
	game    *scripts.Game
	schema  *world.Schema // before the world is there
	script  *luabind.VM   // nil: the world is not there
	over    func() error  // why the test may not go on; nil: it may
	printed []string      // what scripts printed
	faults  *faults
	held    *held
	play    play
	// overlooked is shared by all tests of a run.
	overlooked *overlooks
}

func newStage(game *scripts.Game, schema *world.Schema, overlooked *overlooks, over func() error) *stage {
	return &stage{game: game, schema: schema, over: over, held: newHeld(), faults: newFaults(), overlooked: overlooked}
}

// Schema returns the game's declarations.
func (s *stage) Schema() *world.Schema { return s.schema }

// Game returns the scripts of the world.
func (s *stage) Game() *luabind.VM { return s.script }

// Open creates the world.
func (s *stage) Open(o luabind.StageOptions) error {
	bundle := *s.game.Bundle
	if o.Seed != 0 {
		bundle.Setup.Seed = o.Seed
	}
	if o.Empty {
		bundle.Setup.Walls, bundle.Setup.Spawns = nil, nil
	}
	if o.Players > bundle.Rules.MaxPlayers {
		return fmt.Errorf("%d players: the game takes %d", o.Players, bundle.Rules.MaxPlayers)
	}
	script, err := luabind.Compile(bundle.Files, bundle.Setup)
	if err != nil {
		return err
	}
	s.schema = script.Schema()
	if vm, ok := script.(*luabind.VM); ok {
		s.script = vm
		vm.WatchPending(s.overlooked.note)
	}
	watched := &watched{Script: script, faults: s.faults, prints: func(line string) {
		s.printed = append(s.printed, line)
	}}
	if o.Net == "" {
		s.play, err = openAlone(watched, s.held, o.Players, unanswered, nil)
		return err
	}
	profile, err := memlink.ParseProfile(o.Net)
	if err != nil {
		return fmt.Errorf("net = %q: %w", o.Net, err)
	}
	s.play, err = openMatch(&bundle, watched, profile, s.held, o.Players)
	return err
}

// Step simulates ticks.
func (s *stage) Step(ticks int) error {
	for range ticks {
		if err := s.over(); err != nil {
			return err
		}
		if err := s.play.step(1); err != nil {
			return err
		}
	}
	return nil
}

// Input sets the input of a player's objects from now on.
func (s *stage) Input(p world.PlayerID, object world.ObjectID, byClass []world.Input) error {
	state, _, err := s.play.look(0)
	if err != nil {
		return err
	}
	if _, here := state.PlayerByID(p); !here {
		return fmt.Errorf("there is no player %d: t:world { players = %d }", p, p)
	}
	if object != 0 {
		s.held.holdFor(object, byClass)
	} else {
		s.held.hold(p, byClass)
	}
	return nil
}

// Spawn spawns an object with these fields and returns its ID.
func (s *stage) Spawn(class string, at world.Placement, fields map[string]any) (world.ObjectID, error) {
	id, err := s.play.spawn(class, at, fields)
	if err != nil {
		return 0, err
	}
	after, _, err := s.play.look(0)
	if err != nil {
		return 0, err
	}
	if _, here := after.Find(id); here {
		return id, nil
	}
	return 0, fmt.Errorf("the spawned %s is not there after a tick", class)
}

// Call calls a function of game.lua.
func (s *stage) Call(function string, args []world.Value) error { return s.play.call(function, args) }

// Join has one more player join.
func (s *stage) Join(answers string) (world.PlayerID, error) {
	if state, _, err := s.play.look(0); err == nil && len(state.Players) >= s.game.Bundle.Rules.MaxPlayers {
		return 0, fmt.Errorf("there are %d players: the game takes %d", len(state.Players), s.game.Bundle.Rules.MaxPlayers)
	}
	return s.play.join(answers)
}

// Leave has a player leave.
func (s *stage) Leave(p world.PlayerID) error {
	state, _, err := s.play.look(0)
	if err != nil {
		return err
	}
	if player, here := state.PlayerByID(p); !here || player.Left != 0 {
		return fmt.Errorf("there is no player %d who could leave", p)
	}
	return s.play.leave(p)
}

// Cues returns the cues so far.
func (s *stage) Cues() []world.Cue { return s.play.cues() }

// Look returns the present state of the host, or of a player's client.
func (s *stage) Look(p world.PlayerID) (*world.State, *world.Schema, error) { return s.play.look(p) }

// Confirmed returns the newest committed state.
func (s *stage) Confirmed() (*world.State, *world.Schema, error) {
	state, schema := s.play.confirmed()
	if state == nil {
		return nil, nil, errors.New("nothing is confirmed yet: step more ticks")
	}
	return state, schema, nil
}

// Confirm plays on until everything that was played is confirmed.
func (s *stage) Confirm() error {
	s.held.release()
	if err := s.over(); err != nil {
		return err
	}
	return s.play.waitConfirmed()
}

// Errors returns the errors since it was last called, each once, and one of each budget.
func (s *stage) Errors() (out []string) {
	var spent []string
	for _, err := range s.faults.take() {
		text := s.game.Placed(err).Error()
		se := (*world.ScriptError)(nil)
		if errors.As(err, &se) && se.TraceIn("") != "" {
			text += "; " + se.TraceIn(s.game.Folder())
		}
		if se != nil && se.Budget {
			if slices.Contains(spent, mistakeKey(se)) {
				continue
			}
			spent = append(spent, mistakeKey(se))
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if s.play != nil {
		out = append(out, s.play.desyncs()...)
	}
	return out
}
