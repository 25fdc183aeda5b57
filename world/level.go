package world

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// SpawnLevel spawns the game object and the level in the empty world, at the beginning
// of tick 1. The game object is the spawner of walls and objects. spawned is called for
// each object of the level's spawns. Its event describes the object as a SpawnEvent of the host
// program would; it is nil for an object of which the level sets no field.
func (w *World) SpawnLevel(spawned func(slot int, e *Event)) {
	ci, _ := w.schema.ClassByName(GameClass)
	game := w.place(GameID, ci, w.schema.Classes[ci].DefIndex(), Placement{}, 0)
	defer w.Act(w.Act(game))
	wc, _ := w.schema.ClassByName(WallClass)
	for i, wl := range w.schema.Setup.Walls {
		if _, err := w.spawn(wc, w.schema.wallDef(i), Placement{Pose: physics.Pose{X: wl.X, Y: wl.Y, Angle: wl.Angle}}); err != nil {
			w.Fault(game, OnStart, err)
		}
	}
	for i := range w.schema.Setup.Spawns {
		w.spawnGroup(&w.schema.Setup.Spawns[i], game, spawned)
	}
}

func (w *World) spawnGroup(sp *Spawn, game int, spawned func(slot int, e *Event)) {
	for range sp.Count {
		p := Placement{Pose: physics.Pose{X: sp.X, Y: sp.Y}}
		if sp.W > 0 || sp.H > 0 {
			p.X += float64((w.random() - 0.5) * sp.W)
			p.Y += float64((w.random() - 0.5) * sp.H)
			p.Angle = float64((w.random()-0.5)*2) * math.Pi
		}
		if sp.Speed > 0 {
			s, c := detmath.Sincos(w.random() * 2 * math.Pi)
			p.VX, p.VY = float64(sp.Speed*c), float64(sp.Speed*s)
		}
		slot, err := w.Spawn(sp.Class, p)
		if err != nil {
			w.Fault(game, OnStart, err)
			return
		}
		if len(sp.Fields) == 0 {
			spawned(slot, nil)
			continue
		}
		if err := setValues(w.Class(slot), w.Now.Row(slot), sp.Fields); err != nil {
			w.Fault(game, OnStart, err) // checkLevel has refused all that could fail
		}
		spawned(slot, &Event{Tick: w.Now.Tick, Kind: SpawnEvent, Class: sp.Class, Place: p, Values: sp.Fields})
	}
}

// checkLevel returns an error for a level entry that names an unknown class, or sets a field that
// its class does not have or that takes other values.
func checkLevel(s *Schema) error {
	for i, sp := range s.Setup.Spawns {
		if _, ok := s.ClassByName(sp.Class); !ok {
			return fmt.Errorf("spawn %d: no class %q; the scripts declare %s", i+1, sp.Class, Listed(scriptClasses(s)))
		}
		if err := sp.check(s); err != nil {
			return fmt.Errorf("spawn %d: %w", i+1, err)
		}
	}
	return nil
}

// check returns an error if the objects cannot be spawned.
func (sp *Spawn) check(s *Schema) error {
	ci, _ := s.ClassByName(sp.Class)
	p := Placement{Pose: physics.Pose{X: max(math.Abs(sp.X), sp.W), Y: max(math.Abs(sp.Y), sp.H)}, Velocity: physics.Velocity{VX: sp.Speed}}
	if err := checkBody(s, ci, &p); err != nil {
		return err
	}
	row := make([]uint64, s.rowWords())
	fillDefaults(&s.Classes[ci], row)
	return setValues(&s.Classes[ci], row, sp.Fields)
}

// Game returns the slot of the game object.
func (w *World) Game() (slot int, ok bool) { return w.Find(GameID) }

// Join makes a player present and reports whether the player is new. A player who
// returns within the grace time gets back all that they own.
func (w *World) Join(p PlayerID) (isNew bool) {
	if pl, ok := w.Now.PlayerByID(p); ok {
		pl.Left = 0
		return false
	}
	addPlayer(w.Now, Player{ID: p, Joined: w.Now.Tick})
	return true
}

// Leave records that a player has left. The player's objects stay for the grace time.
func (w *World) Leave(p PlayerID) {
	if pl, ok := w.Now.PlayerByID(p); ok && pl.Left == 0 {
		pl.Left = w.Now.Tick
	}
}

// Expired returns the first player whose grace time is over. The caller removes that
// player.
func (w *World) Expired() (PlayerID, bool) {
	for _, p := range w.Now.Players {
		if p.Left != 0 && w.Now.Tick-p.Left >= w.schema.Setup.GraceTicks {
			return p.ID, true
		}
	}
	return 0, false
}

// RemovePlayer removes a player who left. If remove is set, it removes all objects that
// the player still owns at the end of the tick.
func (w *World) RemovePlayer(p PlayerID, remove bool) {
	for _, slot := range w.Now.Run {
		if o := &w.Now.Objects[slot]; o.Owner == p && o.ID != GameID {
			w.touch(int(slot))
			o.Owner = 0
			if remove {
				w.remove(int(slot))
			}
		}
	}
	for i := range w.Now.Players {
		if w.Now.Players[i].ID == p {
			w.Now.Players = append(w.Now.Players[:i], w.Now.Players[i+1:]...)
			return
		}
	}
}
