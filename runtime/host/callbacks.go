package host

import (
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// Callbacks are called when something happens in the room. Each may be nil.
//
// All of them run on the goroutine that calls Poll and Tick, which is the driving goroutine of a
// Driver, at the end of one of these calls; Chat runs within Poll. They may call every method of the
// Host but those that a Driver calls: Poll, Update, Tick, Wake, End, Abandon, Shutdown and Close.
// Driver.Do in them runs its function at once. Host events take effect in the coming tick, as elsewhere.
// They must not block: the room waits for them.
type Callbacks struct {
	// Joined is called when a player has joined, or has returned within the grace time.
	Joined func(p world.PlayerID, name string)
	// Left is called when a player has left, with a reason for people: that of the player's
	// client, of the connection, or of Kick. The player's objects stay for the grace time. It is
	// not called at Shutdown.
	Left func(p world.PlayerID, name, reason string)
	// Chat is called for each line of chat of a player before the scripts filter it (world.ChatFilter) and it is
	// relayed. If it returns false, the line is neither relayed nor recorded.
	Chat func(from world.PlayerID, text string) bool
	// ScriptError is called for each kind of script error, as errors are logged: once per class,
	// hook, text and bundle. For functions that the host program calls, it is called each time
	// that one fails. t is the tick.
	ScriptError func(t world.Tick, f world.Fault)
	// Cue is called for the cues of all players, as client.Config.Cues is: a cue that has fired may
	// move or be cancelled until its tick is committed.
	Cue func(room.CueEvent)
	// Match is called after a Tick that changed the state of the match (the fields of game.lua) at
	// the present t, and when other scripts take effect. A late input may still change the state.
	// Match is then called again.
	Match func(t world.Tick, state world.FieldReader)
	// MatchCommitted is called, in the order of ticks, for each committed tick t in which the state
	// of the match changed. It does not change any more.
	MatchCommitted func(t world.Tick, state world.FieldReader)
}

// notifier queues calls of the callbacks until the host is between two steps of its work.
type notifier struct {
	to      Callbacks
	waiting []func()
	running bool
	present matchWatch
	commits matchWatch
}

// Start sets the callbacks.
func (n *notifier) Start(to Callbacks) { n.to = to }

// later queues a call of f.
func (n *notifier) later(f func()) { n.waiting = append(n.waiting, f) }

// Flush makes the queued calls, and those that are queued meanwhile.
func (n *notifier) Flush() {
	if n.running {
		return
	}
	n.running = true
	for len(n.waiting) > 0 {
		f := n.waiting[0]
		n.waiting = n.waiting[1:]
		f()
	}
	n.running = false
}

// Joined notes that a player has joined.
func (n *notifier) Joined(p world.PlayerID, name string) {
	if n.to.Joined != nil {
		n.later(func() { n.to.Joined(p, name) })
	}
}

// Left notes that a player has left.
func (n *notifier) Left(p world.PlayerID, name, reason string) {
	if n.to.Left != nil {
		n.later(func() { n.to.Left(p, name, reason) })
	}
}

// AllowChat reports whether a line of chat is relayed.
func (n *notifier) AllowChat(from world.PlayerID, text string) bool {
	return n.to.Chat == nil || n.to.Chat(from, text)
}

// ScriptError notes a script error.
func (n *notifier) ScriptError(t world.Tick, f world.Fault) {
	if n.to.ScriptError != nil {
		n.later(func() { n.to.ScriptError(t, f) })
	}
}

// Cue notes a change of a cue.
func (n *notifier) Cue(c room.CueEvent) {
	if n.to.Cue != nil {
		n.later(func() { n.to.Cue(c) })
	}
}

// Present checks the state of the match after a Tick.
func (n *notifier) Present(s *world.State, schema *world.Schema) {
	if n.to.Match != nil && n.present.changed(s, schema) {
		n.tell(n.to.Match, &n.present, s.Tick)
	}
}

// Committed checks the state of the match in a tick that has been committed.
func (n *notifier) Committed(s *world.State, schema *world.Schema) {
	if n.to.MatchCommitted != nil && n.commits.changed(s, schema) {
		n.tell(n.to.MatchCommitted, &n.commits, s.Tick)
	}
}

// tell queues a call of f with the state that a watch has found in tick t.
func (n *notifier) tell(f func(world.Tick, world.FieldReader), w *matchWatch, t world.Tick) {
	state := w.fields()
	n.later(func() { f(t, state) })
}

// matchWatch finds changes of the state of the match.
type matchWatch struct {
	class *world.Class
	row   world.Row // the last state
}

// changed reports whether the state of the match differs from the last one.
func (w *matchWatch) changed(s *world.State, schema *world.Schema) bool {
	slot, ok := s.Find(world.MatchID)
	if !ok {
		return false
	}
	class := &schema.Classes[s.Objects[slot].Class]
	row := s.Row(slot)
	if w.class == class && w.row.Equal(row) {
		return false
	}
	w.class, w.row = class, row.Clone()
	return true
}

// fields returns the last state of the match, in memory that does not change any more.
func (w *matchWatch) fields() world.FieldReader {
	return world.NewFieldReader(w.class, w.row)
}
