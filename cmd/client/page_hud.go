package main

import (
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
}

// shows reports whether the page shows a HUD.
func (h *hudMaker) shows() bool { return h.shown.T != "" }

// forget notes that the page shows no HUD any more.
func (h *hudMaker) forget() { *h = hudMaker{} }

// due reports whether it is time for the HUD of a view. Before the first tick, a world has no objects, the match
// neither.
func (h *hudMaker) due(v *room.View) bool {
	return v.Tick > 0 && v.TickRate > 0 && (v.Tick < h.at || v.Tick >= h.at+max(1, world.Tick(v.TickRate/hudRate)))
}

// of returns the HUD of a view; ok is false if the game has none. After an error, it returns the HUD of the view
// before.
func (h *hudMaker) of(script *luabind.View, v *room.View,
	committed world.FieldReader) (hud *pageHUD, ok bool, err error) {
	h.at = v.Tick
	h.look(v, committed)
	now, err := script.HUD(&h.frame)
	if err != nil {
		return &h.shown, h.shows(), err
	}
	if now == nil {
		return nil, false, nil
	}
	h.shown = pageHUD{"hud", *now}
	return &h.shown, true, nil
}

// look makes the frame of a view.
func (h *hudMaker) look(v *room.View, committed world.FieldReader) {
	f := &h.frame
	*f = luabind.Frame{Now: (float64(v.Tick) - 1 + v.Alpha) / float64(v.TickRate), Level: v.Level, Player: v.Player,
		Match: v.Match.FieldReader, Committed: committed, Teams: v.Teams,
		Objects: f.Objects[:0], Players: f.Players[:0]}
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if b.Class != world.WallClass {
			f.Objects = append(f.Objects,
				luabind.FrameObject{
					ID:     b.ID,
					Class:  b.Class,
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
