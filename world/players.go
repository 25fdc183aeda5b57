package world

import (
	"cmp"
	"slices"
)

// Player is a player who has joined, and who has not been removed since.
type Player struct {
	ID     PlayerID
	Joined Tick
	Left   Tick // 0: present; otherwise when the player left
}

// Object returns the id of the object that holds the player's state, if the schema declares
// PlayerClass.
func (p *Player) Object() ObjectID { return deriveID(playersID, p.Joined, uint32(p.ID)) }

// PlayerByID returns a player who has not been removed.
func (s *State) PlayerByID(id PlayerID) (*Player, bool) {
	i, ok := slices.BinarySearchFunc(s.Players, id, func(p Player, id PlayerID) int { return cmp.Compare(p.ID, id) })
	if !ok {
		return nil, false
	}
	return &s.Players[i], true
}

// addPlayer adds a player. Players are sorted by id.
func addPlayer(s *State, p Player) {
	i, ok := slices.BinarySearchFunc(s.Players, p.ID, func(p Player, id PlayerID) int { return cmp.Compare(p.ID, id) })
	if ok {
		s.Players[i] = p
		return
	}
	s.Players = slices.Insert(s.Players, i, p)
}

// Join makes a player present and reports whether the player is new. A player who
// returns within the grace time gets back all that they own.
func (w *World) Join(p PlayerID) (isNew bool) {
	if pl, ok := w.Now.PlayerByID(p); ok {
		pl.Left = 0
		return false
	}
	pl := Player{ID: p, Joined: w.Now.Tick}
	addPlayer(w.Now, pl)
	w.spawnFor(&pl)
	return true
}

// Leave records that a player has left. The player's objects stay for the grace time. It reports false for a player who
// had left already: the caller removes that player, whose grace time ends, because others need the room.
func (w *World) Leave(p PlayerID) bool {
	pl, ok := w.Now.PlayerByID(p)
	if ok && pl.Left != 0 {
		return false
	}
	if ok {
		pl.Left = w.Now.Tick
	}
	return true
}

// Expired returns the first player whose grace time is over. The caller removes that
// player.
func (w *World) Expired() (PlayerID, bool) {
	for _, p := range w.Now.Players {
		if p.Left != 0 && w.Now.Tick-p.Left >= w.Schema().Setup.GraceTicks {
			return p.ID, true
		}
	}
	return 0, false
}

// RemovePlayer removes a player who left, with the object that holds the player's state. If remove is
// set, it removes all objects that the player still owns. Objects are removed at the end of the tick.
func (w *World) RemovePlayer(p PlayerID, remove bool) {
	for _, slot := range w.Now.Run {
		o := &w.Now.Objects[slot]
		if o.Owner != p {
			continue
		}
		w.touch(int(slot))
		o.Owner = 0
		if remove || w.holdsState(int(slot)) {
			w.dismiss(int(slot))
		}
	}
	for i := range w.Now.Players {
		if w.Now.Players[i].ID == p {
			w.Now.Players = append(w.Now.Players[:i], w.Now.Players[i+1:]...)
			return
		}
	}
}

// SpawnPlayers spawns an object of PlayerClass for each player who has none, after a bundle switch to a
// schema that declares this class.
func (w *World) SpawnPlayers() {
	for i := range w.Now.Players {
		if _, here := w.Find(w.Now.Players[i].Object()); !here {
			w.spawnFor(&w.Now.Players[i])
		}
	}
}

// spawnFor spawns the object that holds the state of a player, if the schema declares any. In the
// present order the game may change it at once.
func (w *World) spawnFor(p *Player) {
	ci, declared := w.Schema().ClassByName(PlayerClass)
	game, ok := w.Match()
	if !declared || !ok {
		return
	}
	slot := w.place(p.Object(), ci, w.Schema().Classes[ci].DefIndex(), Placement{Owner: p.ID}, 0)
	w.acting.of(slot).lend(game, w.log.number())
}

// holdsState reports whether the object in a slot holds the state of the match or that of a player.
func (w *World) holdsState(slot int) bool { return HoldsState(w.Class(slot).Name) }

// Room returns how many more objects a state has room for. The objects that hold the states of players
// do not count.
func Room(s *State, schema *Schema) int {
	if s == nil || schema == nil {
		return 0
	}
	most := schema.Setup.MostObjects()
	if _, ok := schema.ClassByName(PlayerClass); !ok {
		return most - s.Len()
	}
	return min(most, MaxObjects-MaxPlayers) - (s.Len() - len(s.Players))
}
