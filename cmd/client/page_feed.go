package main

import (
	"slices"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// feed has the messages for browsers, ready to send: those of the room, and others in
// JSON: what changes seldom (info), settings, the HUD of view.lua, lines of chat, cues, and the reasons why an object
// of this player was displaced (moves). Messages are
// made once for all browsers and do not change after that.
type feed struct {
	room     gamepage.Room
	shown    pageInfo // the content of info
	info     gamepage.Latest
	chosen   pageSettings // the content of settings
	settings gamepage.Latest
	wrong    errorList // the content of errors
	errors   gamepage.Latest
	hud      gamepage.Latest
	assets   gamepage.Latest
	tiles    gamepage.Latest
	overlay  gamepage.Latest
	chats    backlog
	cues     backlog
	moves    backlog
}

// backlog is messages of which each counts.
type backlog struct {
	kept  [][]byte // the last ones
	count int      // of all so far
}

// add appends a message. A browser that is more than most behind misses some.
func (b *backlog) add(data []byte, most int) {
	b.kept = append(b.kept, data)
	if len(b.kept) > most {
		b.kept = slices.Delete(b.kept, 0, len(b.kept)-most)
	}
	b.count++
}

// since returns the messages after the first *count, which it moves.
func (b *backlog) since(count *int) [][]byte {
	missed := min(b.count-*count, len(b.kept))
	*count = b.count
	return b.kept[len(b.kept)-missed:]
}

// How many messages a browser may be behind before it misses some.
const (
	maxLines = 50 // of chat; a new browser gets as many
	maxCues  = 256
	maxMoves = 4
)

// pageInfo has the data that seldom changes.
type pageInfo struct {
	T       string           `json:"t"` // "info"
	Stage   room.Stage       `json:"stage"`
	Status  string           `json:"status"` // the stage in words, or the reason why play has ended
	Game    string           `json:"game"`
	Player  world.PlayerID   `json:"player"`
	Rate    int              `json:"rate"`  // ticks a second
	Delay   int              `json:"delay"` // of inputs, ticks
	Width   float64          `json:"width"`
	Height  float64          `json:"height"`
	Players []pagePlayer     `json:"players"`
	Help    []helpRow        `json:"help"`
	Frames  bool             `json:"frames"`   // the page says when it displays a frame
	Onlooks bool             `json:"onlooker"` // the player has not joined: the page says when
	Entry   *world.EntryForm `json:"entry"`    // what the game asks the player, who has not answered yet; nil: nothing
	Waits   string           `json:"waits"`    // why the client is trying to return to the host; "": it is not
}

type pagePlayer struct {
	ID   world.PlayerID `json:"id"`
	Name string         `json:"name"`
}

// pageSettings is what the player has chosen.
type pageSettings struct {
	T      string  `json:"t"`      // "settings"
	Volume float64 `json:"volume"` // 0 to 1
	Muted  bool    `json:"muted"`
	Line   string  `json:"line"` // that is simulated: a name as for -net
	LineShape
	Paused bool     `json:"paused"`          // the match is
	Games  []string `json:"games,omitempty"` // that can be played here, in a room of the player's own
	// of the player, whom the list of players lacks before the player has joined
	Name string `json:"name"`
}

// choose changes the settings.
func (f *feed) choose(change func(*pageSettings)) {
	change(&f.chosen)
	f.takeSettings()
}

// takeSettings notes the settings, which are sent with the first view or later.
func (f *feed) takeSettings() {
	if f.info.Data() != nil {
		f.chosen.T = "settings"
		f.settings.Renew(gamepage.Encode(f.chosen))
	}
}

// showHUD notes the HUD; nil: there is none.
func (f *feed) showHUD(h *pageHUD) {
	if h == nil {
		if f.hud.Data() == nil {
			return
		}
		h = &pageHUD{T: "hud"}
	}
	f.hud.Renew(gamepage.Encode(h))
}

// showAssets notes which assets are there.
func (f *feed) showAssets(list []pageAsset) {
	f.assets.Set(gamepage.Encode(map[string]any{"t": "assets", "list": list}))
}

// showOverlay notes what is shown over the game.
func (f *feed) showOverlay(message []byte) { f.overlay.Set(message) }

// showTiles notes the tile maps of view.lua.
func (f *feed) showTiles(maps []luabind.TileMap) {
	f.tiles.Renew(gamepage.Encode(map[string]any{"t": "tiles", "maps": maps}))
}

// game returns the name of the game that is shown.
func (f *feed) game() string { return f.shown.Game }

// publish makes the messages about a view.
func (f *feed) publish(v *room.View, help []helpRow, frames bool) {
	f.takeInfo(v, help, frames)
	f.room.Publish(v)
}

func (f *feed) takeInfo(v *room.View, help []helpRow, frames bool) {
	now := pageInfo{
		T:       "info",
		Stage:   v.Stage,
		Status:  v.Status,
		Game:    v.Game,
		Player:  v.Player,
		Rate:    v.TickRate,
		Delay:   v.InputDelay,
		Width:   v.Width,
		Height:  v.Height,
		Players: f.shown.Players,
		Help:    help,
		Frames:  frames,
		Onlooks: v.Onlooker,
		Entry:   v.Entry,
		Waits:   f.shown.Waits,
	}
	same := func(a pagePlayer, b room.ViewPlayer) bool { return a.ID == b.ID && a.Name == b.Name }
	if !slices.EqualFunc(now.Players, v.Players, same) || now.Players == nil {
		now.Players = make([]pagePlayer, 0, len(v.Players))
		for _, p := range v.Players {
			now.Players = append(now.Players, pagePlayer{p.ID, p.Name})
		}
	} else if f.shown.same(&now) {
		return
	}
	f.shown = now
	f.info.Set(gamepage.Encode(now))
	f.takeSettings()
}

// wait notes why the client is trying to return to the host, "" when it is back.
func (f *feed) wait(why string) {
	if f.shown.Waits != why {
		f.shown.Waits = why
		f.info.Set(gamepage.Encode(f.shown))
	}
}

// same compares everything but the players.
func (a *pageInfo) same(b *pageInfo) bool {
	return a.Stage == b.Stage && a.Status == b.Status && a.Game == b.Game && a.Player == b.Player && a.Rate == b.Rate &&
		a.Delay == b.Delay && a.Frames == b.Frames && a.Onlooks == b.Onlooks && a.Entry == b.Entry &&
		a.Width == b.Width &&
		a.Height == b.Height &&
		slices.EqualFunc(a.Help,
			b.Help, func(x, y helpRow) bool { return x.What == y.What && slices.Equal(x.Keys, y.Keys) })
}

func (f *feed) chat(from, text string) {
	f.chats.add(gamepage.Encode(map[string]string{"t": "chat", "from": from, "text": text}), maxLines)
}

func (f *feed) cue(c pageCue) { f.cues.add(gamepage.Encode(c), maxCues) }

// displaced adds the reason why an object was displaced.
func (f *feed) displaced(m *room.Displacement) {
	f.moves.add(
		gamepage.Encode(map[string]any{
			"t": "move", "kind": m.Kind.String(), "text": m.String(), "distance": m.Distance,
		}),
		maxMoves)
}

// scriptError adds a script error in tick t.
func (f *feed) scriptError(t world.Tick, e world.Fault) {
	f.wrong.add(t, e)
	f.takeErrors()
}

// askedError adds an error of a function that is asked between ticks, at tick t.
func (f *feed) askedError(t world.Tick, name string, err error) {
	f.wrong.addAsked(t, name, err)
	f.takeErrors()
}

// problems takes what the host says is wrong with the scripts.
func (f *feed) problems(p room.Problems) {
	f.wrong.told(p)
	f.takeErrors()
}

// lost takes what the player has lost to saved scripts; "": nothing.
func (f *feed) lost(what string) {
	f.wrong.lost = what
	f.takeErrors()
}

// viewError adds an error of view.lua in one of its functions; "": elsewhere.
func (f *feed) viewError(hook string, err error) {
	f.wrong.addView(hook, err)
	f.takeErrors()
}

// viewOver notes that another view.lua is loaded, so that the errors of the one before are over.
func (f *feed) viewOver() {
	if f.wrong.viewOver() {
		f.takeErrors()
	}
}

// viewMended notes that an error of view.lua is over, because the function has succeeded with other scripts.
func (f *feed) viewMended(hook string, err error) {
	f.wrong.viewMended(hook, err)
	f.takeErrors()
}

// reloaded notes that other scripts are in force after tick t.
func (f *feed) reloaded(t world.Tick) {
	if f.wrong.forget(t) {
		f.takeErrors()
	}
}

// reconnected notes that another client takes the place of the one before, perhaps in another room.
func (f *feed) reconnected() {
	if f.wrong.restart() {
		f.takeErrors()
	}
}

func (f *feed) takeErrors() {
	f.errors.Renew(gamepage.Encode(pageErrors{"errors", f.wrong.list()}))
}

// cursor is how far one browser has been sent messages.
type cursor struct {
	room                                                gamepage.Seen
	info, settings, errors, hud, assets, tiles, overlay uint64
	chats, cues, moves                                  int
}

// enter returns the cursor of a new browser. Cues and moves that are over are not
// shown again.
func (f *feed) enter() cursor {
	return cursor{overlay: f.overlay.Seq(), cues: f.cues.count, moves: f.moves.count}
}

// news returns the messages that a browser lacks, in the order in which it
// needs them, and moves its cursor.
func (f *feed) news(at *cursor) (texts [][]byte, frame []byte) {
	add := func(text []byte) {
		if text != nil {
			texts = append(texts, text)
		}
	}
	add(f.settings.Since(&at.settings)) // before what the game asks: the name is the first answer
	add(f.info.Since(&at.info))
	add(f.assets.Since(&at.assets))
	add(f.tiles.Since(&at.tiles))
	add(f.hud.Since(&at.hud))
	add(f.errors.Since(&at.errors))
	add(f.overlay.Since(&at.overlay))
	room, frame := f.room.News(&at.room)
	texts = append(texts, room...)
	texts = append(texts, f.chats.since(&at.chats)...)
	texts = append(texts, f.cues.since(&at.cues)...)
	texts = append(texts, f.moves.since(&at.moves)...)
	return texts, frame
}
