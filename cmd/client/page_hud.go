package main

import (
	"errors"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// hudRate is how often view.lua describes the HUD, in a second. The page draws what is at objects in
// each displayed frame.
const hudRate = 20

// pageHUD is what view.lua shows over the game.
type pageHUD struct {
	T string `json:"t"` // "hud"
	luabind.HUD
}

// hudMaker makes frames for view.lua.
type hudMaker struct {
	at    world.Tick // of the last one
	shown pageHUD
	frame luabind.Frame
	// of the last frames in which hud and camera did not fail; 0: none
	drawn, looked world.Tick
}

// heldFor is for how many seconds the page goes on with what hud or camera said before it failed: a failure in a few
// frames does not flicker, and nobody takes what is old for the present.
const heldFor = 1

// shows reports whether the page shows a HUD.
func (h *hudMaker) shows() bool { return h.shown.T != "" }

// forget notes that the page shows no HUD any more.
func (h *hudMaker) forget() { *h = hudMaker{} }

// due reports whether it is time for the HUD of a view. Before the first tick, a world has no objects, the match
// neither.
func (h *hudMaker) due(v *room.View) bool {
	return v.Tick > 0 && v.TickRate > 0 && (v.Tick < h.at || v.Tick >= h.at+max(1, world.Tick(v.TickRate/hudRate)))
}

// of returns the HUD of a view; nil: the game has none. The error is a *luabind.HUDError.
func (h *hudMaker) of(script *luabind.View, v *room.View, committed world.FieldReader) (*pageHUD, error) {
	h.at = v.Tick
	h.look(v, committed)
	now, err := script.HUD(&h.frame)
	if now == nil {
		return nil, err
	}
	failed := new(luabind.HUDError)
	errors.As(err, &failed)
	if held(&h.drawn, failed.HUD, v) {
		now.Widgets = h.shown.Widgets
	}
	if held(&h.looked, failed.Camera, v) {
		now.Camera = h.shown.Camera
	}
	h.shown = pageHUD{"hud", *now}
	return &h.shown, err
}

// held reports whether the page goes on with what a function said before: it has failed in this view, and not in one
// of a moment ago. last is the tick of the last view in which it did not fail.
func held(last *world.Tick, failed error, v *room.View) bool {
	if failed == nil {
		*last = v.Tick
		return false
	}
	return *last > 0 && v.Tick >= *last && v.Tick < *last+world.Tick(heldFor*v.TickRate)
}

// look makes the frame of a view.
func (h *hudMaker) look(v *room.View, committed world.FieldReader) {
	f := &h.frame
	*f = luabind.Frame{Now: (float64(v.Tick) - 1 + v.Alpha) / float64(v.TickRate), Level: v.Level, Player: v.Player,
		Match: v.Match.FieldReader, Committed: committed, Schema: v.Schema,
		Objects: f.Objects[:0], Players: f.Players[:0]}
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if b.Class != world.WallClass {
			f.Objects = append(f.Objects,
				luabind.FrameObject{
					ID:     b.ID,
					Class:  b.Declaration(),
					Owner:  b.Owner,
					X:      b.X,
					Y:      b.Y,
					Angle:  b.Angle,
					Fields: b.Fields(),
				})
		}
	}
	for _, q := range v.Players {
		f.Players = append(f.Players,
			luabind.FramePlayer{ID: q.ID, Name: q.Name, Ping: int(q.Ping), Stats: q.State.FieldReader})
	}
}
