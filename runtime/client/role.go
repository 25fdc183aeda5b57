package client

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// role is what a kind of client does with the data of the host. Its methods get the parts of the
// client that they need as arguments. Only a frame goes through all of them, and wakeAt, which says
// when one is due: these get the endpoint.
type role interface {
	begin(of *session, l *library, clock *clock, now time.Duration, s *world.State, script world.Script,
		m *wire.Keyframe) error
	scripts(l *library) error // more scripts are available
	record(r *wire.Record, packet uint32) error
	correction(m *wire.Correction) error
	snapshot(r *replica, l *library, clock *clock, m *wire.Snapshot)
	lacksCue(c *world.Cue, found bool) bool // whether a cue from the host is new
	ownCue(c *world.Cue)                    // a cue that it may have guessed has happened
	stateReply(m *wire.StateReply) error
	frame(c *endpoint, now time.Duration) error
	wakeAt(c *endpoint, now time.Duration) time.Duration // when frame has something to do, if nothing arrives
	revise(object world.ObjectID, t world.Tick, in world.Input)
	view(v *room.View, r *replica, t frameTime, names map[world.PlayerID]wire.RosterEntry)
	report(r *room.Report)
	inputs(f func(e world.Event)) // those relayed, of complete ticks
	status() roleStatus
}

// snapshotScope is which objects a client takes from snapshots.
type snapshotScope uint8

const (
	noObjects         snapshotScope = iota
	replicatedObjects               // those that it does not simulate
	allObjects
)

// roleStatus is how far a role has come.
type roleStatus struct {
	simulates bool               // the role has a Timeline, from the keyframe on; always the same
	world     *world.World       // nil before the keyframe
	timeline  *timeline.Timeline // whose World it is; nil before the keyframe, or if the role does not simulate
	now       world.Tick         // the last tick simulated
	arrived   bool               // at the present, since the keyframe
	waits     bool               // for the host: it has predicted as far as it may
	done      bool               // with everything that was played
	complete  world.Tick         // up to here it has the whole log
	rewound   *OverlayRewind     // the last rewind, if the role simulates
	confirmed world.Tick         // compared with the host up to here
	hash      uint64             // of that tick
	desync    *Desync            // the first difference
}

// cuesOf returns what a kind of client reports cues to; nil: an input-only client only
// acknowledges them.
func cuesOf(cfg *Config) func(room.CueEvent) {
	if cfg.Kind == InputOnly {
		return nil
	}
	return cfg.Cues
}

// newRole returns the role of a kind of client, and the objects that it takes from snapshots. A role that simulates
// notes in errors which hooks fail.
func newRole(cfg *Config, errors *side.ScriptLog) (role, snapshotScope) {
	switch cfg.Kind {
	case Spectator:
		return &spectator{}, allObjects
	case InputOnly:
		return &inputOnly{}, noObjects
	}
	return newPredictor(cfg, errors), replicatedObjects
}

// nonSimulating has the methods of the roles that do not simulate: they ignore everything that concerns
// a simulation.
type nonSimulating struct{}

func (nonSimulating) scripts(*library) error                         { return nil }
func (nonSimulating) correction(*wire.Correction) error              { return nil }
func (nonSimulating) ownCue(*world.Cue)                              {}
func (nonSimulating) stateReply(*wire.StateReply) error              { return nil }
func (nonSimulating) revise(world.ObjectID, world.Tick, world.Input) {}
func (nonSimulating) inputs(func(world.Event))                       {}
func (nonSimulating) report(*room.Report)                            {}
