package gametest

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// viewEvery is how many ticks of a trial are between two frames that view.lua describes.
const viewEvery = 3

// shownTrial runs view.lua on what a trial shows.
type shownTrial struct {
	view   *luabind.View
	faults *faults
	most   luabind.HUDCost
}

// newShownTrial returns nil if the game has no view.lua.
func newShownTrial(game *scripts.Game, f *faults) *shownTrial {
	v, _ := luabind.NewView(game.Bundle.Files, game.Bundle.Setup, nil)
	if v == nil {
		return nil
	}
	return &shownTrial{view: v, faults: f}
}

// follow shows the newest tick: its cues, and every now and then the HUD, to a player and to a spectator in turns.
// It returns how many instructions these took.
func (s *shownTrial) follow(tl *timeline.Timeline) (instructions int) {
	now := tl.Now()
	for _, c := range tl.Past().Cues(now) {
		if _, isMessage := c.Message(); isMessage {
			continue
		}
		_, _, err := s.view.Show(luabind.OnCue, &c, luabind.Showing{Mine: c.Owner == 1})
		s.faults.note(err, "")
	}
	if now%viewEvery > 0 {
		return 0
	}
	err := tl.Past().Read(now, func(r world.Reader) {
		hud, err := s.view.HUD(frameOf(r, world.PlayerID(now/viewEvery%2)))
		if failed := (*luabind.HUDError)(nil); errors.As(err, &failed) {
			s.faults.note(failed.HUD, "")
			s.faults.note(failed.Camera, "")
		}
		if hud != nil {
			instructions = hud.Cost.HUD + hud.Cost.Camera
			s.most = luabind.HUDCost{HUD: max(s.most.HUD, hud.Cost.HUD), Camera: max(s.most.Camera, hud.Cost.Camera)}
		}
	})
	s.faults.note(err, "")
	return instructions
}

// frameOf returns what view.lua is given of a state.
func frameOf(r world.Reader, viewer world.PlayerID) *luabind.Frame {
	s := r.State()
	f := &luabind.Frame{
		Now:       r.Seconds(),
		Level:     world.LevelsOf(r.Actor()).InForce().Name,
		Player:    viewer,
		Match:     r.Shown(world.MatchID),
		Committed: r.Shown(world.MatchID),
		Schema:    r.Schema(),
	}
	for slot := range s.Objects {
		o := &s.Objects[slot]
		at, err := r.Placement(o.ID)
		if err != nil { // it is gone, or has no body
			continue
		}
		f.Objects = append(f.Objects, luabind.FrameObject{
			ID:     o.ID,
			Class:  r.Class(slot),
			Owner:  o.Owner,
			X:      at.X,
			Y:      at.Y,
			Angle:  at.Angle,
			Fields: r.Shown(o.ID),
		})
	}
	for i := range s.Players {
		p := &s.Players[i]
		f.Players = append(f.Players,
			luabind.FramePlayer{ID: p.ID, Name: fmt.Sprintf("player %d", p.ID), Ping: 50, Stats: r.Shown(p.Object())})
	}
	return f
}
