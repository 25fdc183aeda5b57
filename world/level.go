package world

import (
	"math"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// SpawnLevel spawns the game object and the level in the empty world, at the beginning
// of tick 1. The game object is the spawner of walls and objects. spawned is called for
// each object of the level's spawns.
func (w *World) SpawnLevel(spawned func(slot int)) {
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

func (w *World) spawnGroup(sp *Spawn, game int, spawned func(slot int)) {
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
		spawned(slot)
	}
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
