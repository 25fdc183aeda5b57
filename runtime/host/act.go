package host

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// What acts on the room. Spawn, Set, SetOwner, Remove and Call make host events of the coming tick, in the order of the
// calls. Switch puts other scripts in force from a later tick on. Kick, Say and SetAssets act on players, and are not
// simulated.

// ErrTooLarge is the error of a host event whose values do not fit into a packet.
var ErrTooLarge = fmt.Errorf("larger than the %d bytes that fit into a packet", wire.MaxHostEvent)

// ErrNoPlayer is the error of Kick for a player who does not exist or is not connected, and of Spawn and SetOwner for
// one who is neither in the room nor may return to it.
var ErrNoPlayer = errors.New("no such player")

// Spawn makes an object of a class in the coming tick, with these fields; the others start at
// their defaults. It returns the object's id, which Set, SetOwner, Remove and Call take at once.
//
// The error wraps world.ErrNoClass, world.ErrNoField, world.ErrValue, world.ErrTooMany,
// ErrTooLarge or ErrNoPlayer, or is about a number of the placement: then nothing happens.
func (h *Host) Spawn(class string, at world.Placement, fields Fields) (world.ObjectID, error) {
	schema := h.coming()
	e := h.hostEvent(world.SpawnEvent)
	e.Class, e.Place = class, at
	if i, ok := schema.ClassByName(class); ok {
		values, err := fields.Values(&schema.Classes[i])
		if err != nil {
			return 0, fmt.Errorf("spawn: %w", err)
		}
		e.Values = values
	}
	if err := e.Check(schema); err != nil {
		return 0, fmt.Errorf("spawn: %w", err)
	}
	if err := h.checkOwner(at.Owner); err != nil {
		return 0, fmt.Errorf("spawn: %w", err)
	}
	if h.events.Coming() >= world.Room(h.State(), schema) {
		return 0, fmt.Errorf("spawn: %w: the room holds %d", world.ErrTooMany, schema.Setup.MostObjects())
	}
	id := e.Spawned()
	if err := h.insertHostEvent(&e); err != nil {
		return 0, fmt.Errorf("spawn: %w", err)
	}
	h.events.Spawn(spawned{id: id, class: class, tick: e.Tick})
	return id, nil
}

// Set sets fields of an object at the beginning of the coming tick. world.MatchID is the state of
// the match.
//
// The error wraps world.ErrRemoved, world.ErrNoField, world.ErrValue or ErrTooLarge: then nothing
// happens.
func (h *Host) Set(id world.ObjectID, fields Fields) error {
	class := h.comingClass(id)
	if class == nil {
		return fmt.Errorf("set: object %s: %w", id, world.ErrRemoved)
	}
	values, err := fields.Values(class)
	if err != nil {
		return fmt.Errorf("set: %w", err)
	}
	e := h.hostEvent(world.SetEvent)
	e.Object, e.Values = id, values
	if err := h.insertHostEvent(&e); err != nil {
		return fmt.Errorf("set: %w", err)
	}
	return nil
}

// SetOwner gives an object to a player (0: nobody) at the end of the coming tick. The error wraps
// world.ErrRemoved, or ErrNoPlayer if no such player is in the room or may return to it.
func (h *Host) SetOwner(id world.ObjectID, p world.PlayerID) error {
	if class := h.comingClass(id); class == nil || world.HoldsState(class.Name) {
		return fmt.Errorf("owner of %s: %w", id, world.ErrRemoved)
	}
	if err := h.checkOwner(p); err != nil {
		return fmt.Errorf("owner of %s: %w", id, err)
	}
	e := h.hostEvent(world.OwnershipEvent)
	e.Object, e.Player = id, p
	return h.insertHostEvent(&e)
}

// checkOwner returns an error if a player cannot own anything, because there is none with this number.
func (h *Host) checkOwner(p world.PlayerID) error {
	if _, known := h.State().PlayerByID(p); known || p == 0 {
		return nil
	}
	if who := h.roster.ByPlayer(p); who == nil || who.Present() == 0 {
		return fmt.Errorf("%w: %d", ErrNoPlayer, p)
	}
	return nil
}

// Remove removes an object at the end of the coming tick. The error wraps world.ErrRemoved; the
// states of the match and of players cannot be removed.
func (h *Host) Remove(id world.ObjectID) error {
	if class := h.comingClass(id); class == nil || world.HoldsState(class.Name) {
		return fmt.Errorf("remove %s: %w", id, world.ErrRemoved)
	}
	e := h.hostEvent(world.RemoveEvent)
	e.Object = id
	return h.insertHostEvent(&e)
}

// Call calls a function of the game in the coming tick. The game declares which functions can be
// called, and with which arguments: in game.lua with game { calls = { start = { "number", "string" } } },
// in Go with goscript.Game.Function. An argument is a number of any type, a bool, a string or a
// world.ObjectID.
//
// The error wraps world.ErrNoFunction, world.ErrValue or ErrTooLarge: then nothing happens. An
// error in the function itself is a script error, which is logged and counted like one in a
// hook.
func (h *Host) Call(function string, args ...any) error {
	e := h.hostEvent(world.CallEvent)
	e.Name = function
	for i, arg := range args {
		v, err := valueOf(arg)
		if err != nil {
			return fmt.Errorf("call %s: argument %d: %w", function, i+1, err)
		}
		e.Values = append(e.Values, world.NamedValue{Value: v})
	}
	if err := e.Check(h.coming()); err != nil {
		return fmt.Errorf("call: %w", err)
	}
	if err := h.insertHostEvent(&e); err != nil {
		return fmt.Errorf("call %s: %w", function, err)
	}
	return nil
}

// Kick disconnects a player, with a reason for people: the client ends with client.ErrKicked and the reason. The
// player's objects stay for the grace time, but the player cannot return as their owner: a client that joins again is
// another player, if Config.Admit lets it in. The error wraps ErrNoPlayer.
func (h *Host) Kick(p world.PlayerID, reason string) error {
	who := h.roster.ByPlayer(p)
	if who == nil {
		return fmt.Errorf("kick: %w: %d", ErrNoPlayer, p)
	}
	h.log.Warn("kicked", "player", p, "name", who.Name(), "reason", reason)
	h.dismiss(h.clock.Now(), who.id, wire.EndKicked, reason)
	h.gone(who.id, reason)
	h.roster.VoidTicket(p)
	return nil
}

// Say sends a line of chat from the host to all players: client.Config.Chat gets it from player 0. A
// text is cut after wire.MaxChat bytes. Chat is not simulated; a replay contains it beside the
// events.
func (h *Host) Say(text string) {
	h.log.Info("chat", "player", 0, "text", text)
	h.relayChat(&wire.Chat{Text: text})
}

// Switch announces a new bundle to all clients. The bundle takes effect in the same tick for all: a second
// later or a little more, and up to three if a client has a long line. script is the result of Compile for it. Switch
// returns that tick and the names of the changed files. If the bundle is already the newest
// one, nothing happens, and there are no changed files. Of the level in force, the walls and the objects that the new
// bundle declares in another way are replaced. Rates, windows and the type of a field cannot change while the room
// runs: the error is a *bundle.FixedError or a *bundle.RetypedError, or wraps bundle.ErrInvalid, or ErrConfig for a
// nil script.
//
// If only view.lua differs, which is not simulated, the match has no event: the bundle keeps its
// number and its tick, which Switch returns, and clients use the new view.lua as soon as they have it.
func (h *Host) Switch(b *bundle.Bundle, script world.Script) (from world.Tick, changed []string, err error) {
	if err := b.Check(); err != nil {
		return 0, nil, err
	}
	if script == nil {
		return 0, nil, fmt.Errorf("%w: Switch needs the script that Compile makes of the bundle", room.ErrConfig)
	}
	old := h.bundles.Newest()
	if bundle.HashOf(b.Encode()) == old.hash {
		h.Refuse()
		return 0, nil, nil
	}
	if bundle.SameSimulation(old.bundle, b) {
		a := h.bundles.Revise(h.clock.Now(), b)
		h.cfg.Recorder.Bundle(a.number, a.tick, a.hash, a.bytes)
		h.announceBundle(old, a)
		h.Refuse()
		return old.tick, bundle.ChangedFiles(old.bundle, b), nil
	}
	o := old.bundle
	if fixed := bundle.FixedChange(o, b); fixed != nil {
		return 0, nil, fixed
	}
	if lost := world.Retyped(h.Newest(), script.Schema()); len(lost) > 0 {
		return 0, nil, &bundle.RetypedError{Fields: lost}
	}
	number := old.number + 1
	ahead := h.match.Window().ahead
	if predictsMore(h.Newest(), script.Schema()) { // no unrelayed input may be repeated after the switch
		ahead += b.Setup.RepeatInputTicks
	}
	// No input for a later tick has arrived yet.
	speed := h.clock.speed.Share(h.clock.Now())
	notice := b.Ticks(time.Duration(float64(h.notice()) * speed))
	t := max(h.match.Now()+max(notice, ahead), old.tick+max(b.Ticks(leastNotice), ahead)) + 1
	h.match.Announce(number, h.profile.Wrap(script), &b.Rules)
	a := h.bundles.Add(b, t)
	h.cfg.Recorder.Bundle(a.number, a.tick, a.hash, a.bytes)
	if _, err := h.insert(world.Event{Tick: t, Kind: world.BundleEvent, Bundle: number}); err != nil {
		return 0, nil, err
	}
	h.announceBundle(old, a)
	h.Refuse()
	if wait := float64(t-h.match.Now()) * h.clock.Length().Seconds() / speed; speed < 1 && wait > longWait.Seconds() {
		h.awaitLong(number, t, wait)
	}
	return t, bundle.ChangedFiles(o, b), nil
}

// awaitLong says in the log and to all clients how long it takes until a bundle is in force in a tick: the last save
// seems to do nothing meanwhile.
func (h *Host) awaitLong(number uint32, t world.Tick, seconds float64) {
	text := fmt.Sprintf("the saved scripts are in force in about %.0f s, in tick %d: the room runs slower than real "+
		"time", seconds, t)
	h.log.Warn(text)
	h.Hold(text)
	h.problems.Await(number)
}

// Refuse logs why saved scripts are not in force, and tells all clients: a text for each mistake, FILE:LINE: message,
// or a message without a place. If there are more than wire.MaxRefusals, clients are told how many more. Of those
// before, it logs which are mended while others are left. Nothing happens to the room. A Switch that succeeds takes it
// back, as does Refuse without a mistake.
func (h *Host) Refuse(mistakes ...string) {
	h.refusals.Log(h.log, mistakes)
	h.problems.Refuse(mistakes, false)
}

// Warn tells all clients of likely mistakes in scripts that have just been saved and are, or soon will be, in force:
// for half a minute, or until it is called again. The texts are as those of Refuse. It logs nothing.
func (h *Host) Warn(mistakes ...string) { h.problems.Warn(h.clock.Now(), mistakes) }

// Hold tells all clients why the program waits before it puts saved scripts in force, or refuses them: they may be
// saved by half. It takes the place of a Refuse, and the other way round. A Switch that succeeds takes it back.
func (h *Host) Hold(reason string) { h.problems.Refuse([]string{reason}, true) }

// SetAssets replaces the assets of the game, and announces them to all clients, which fetch what they lack.
// It changes nothing that is simulated. nil: the game has none.
func (h *Host) SetAssets(now time.Duration, set *asset.Set) {
	h.clock.Set(now)
	m := h.assets.Put(set)
	h.roster.Playing(func(p *peer) { _ = h.mail.Control(now, p.id, m) })
}

// acts are the host events of a room, numbered in the order of the calls.
type acts struct {
	number  uint32    // the number of the last host event
	spawned []spawned // objects spawned by host events that are not simulated yet
}

// spawned is an object that a host event spawns in a coming tick.
type spawned struct {
	id    world.ObjectID
	class string
	tick  world.Tick
}

// Next numbers the next host event.
func (e *acts) Next() uint32 {
	e.number++
	return e.number
}

// Spawn notes an object that will be spawned.
func (e *acts) Spawn(s spawned) { e.spawned = append(e.spawned, s) }

// Simulated drops the objects that are spawned by the end of tick t.
func (e *acts) Simulated(t world.Tick) {
	e.spawned = slices.DeleteFunc(e.spawned, func(s spawned) bool { return s.tick <= t })
}

// ClassOf returns the class of an object that will be spawned.
func (e *acts) ClassOf(id world.ObjectID) (class string, ok bool) {
	i := slices.IndexFunc(e.spawned, func(s spawned) bool { return s.id == id })
	if i < 0 {
		return "", false
	}
	return e.spawned[i].class, true
}

// Coming returns the number of objects that will be spawned.
func (e *acts) Coming() int { return len(e.spawned) }

// hostEvent returns the next host event, for the coming tick.
func (h *Host) hostEvent(kind world.EventKind) world.Event {
	return world.Event{Tick: h.match.Now() + 1, Kind: kind, Number: h.events.Next()}
}

// insertHostEvent inserts a host event, unless it cannot be relayed.
func (h *Host) insertHostEvent(e *world.Event) error {
	b := wire.AppendEvent(nil, e)
	if len(b) > wire.MaxHostEvent {
		return fmt.Errorf("%w: it takes %d", ErrTooLarge, len(b))
	}
	if _, err := wire.ReadEvent(b, new(world.Event)); err != nil {
		return fmt.Errorf("%w: %w", world.ErrValue, err)
	}
	_, err := h.insert(*e)
	return err
}

// coming returns the schema in force in the coming tick.
func (h *Host) coming() *world.Schema {
	next := h.match.Now() + 1
	list := h.bundles.From(1)
	for i := len(list) - 1; i > 0; i-- {
		if list[i].tick <= next {
			return h.match.Scripts().Of(list[i].number).Schema()
		}
	}
	return h.match.Scripts().Of(list[0].number).Schema()
}

// comingClass returns the class of an object in the coming tick, nil if there is no such object.
func (h *Host) comingClass(id world.ObjectID) *world.Class {
	name, ok := h.events.ClassOf(id)
	if s := h.State(); !ok {
		slot, here := s.Find(id)
		if !here {
			if id != world.MatchID {
				return nil
			}
			name = world.GameClass // before the first tick
		} else {
			name = h.Schema().Classes[s.Objects[slot].Class].Name
		}
	}
	schema := h.coming()
	if i, ok := schema.ClassByName(name); ok {
		return &schema.Classes[i]
	}
	return nil
}
