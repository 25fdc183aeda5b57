package client

import (
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// session is a client's stay in a room: its stage, and which player it is. The methods that change
// the stage are in the order of a stay.
type session struct {
	stage     room.Stage
	err       error // why it is over
	snapshots bool  // the client requests snapshots of all objects
	onlooker  bool  // the player has not joined
	asked     bool  // as an onlooker, with the Hello
	player    world.PlayerID
	ticket    room.Ticket
	begun     bool // a keyframe has arrived
	renewing  bool // the client goes on with what it knows until the keyframe arrives that it has requested
	said      bool // the log says so
	resyncs   int  // keyframes that it requested because it had fallen too far behind
}

// Join asks to join, and for the keyframe if the host can send it at once. The link has opened.
func (s *session) Join(now time.Duration, out *side.Mailbox, hello *wire.Hello) {
	s.stage, s.asked = room.StageJoining, s.onlooker
	hello.AtOnce, hello.Snapshots, hello.Onlooker = true, s.snapshots, s.onlooker
	_ = out.Control(now, link.HostPeer, wire.AppendHello(nil, hello))
}

// Admit takes the host's admission. Now the client fetches the bundles, or waits for them and the keyframe, if they
// follow.
func (s *session) Admit(now time.Duration, out *side.Mailbox, m *wire.Welcome) {
	s.player, s.ticket, s.stage = m.Player, m.Ticket, room.StageFetching
	if !m.Follow {
		return
	}
	if s.stage = room.StageWaiting; s.asked && !s.onlooker { // the player has entered meanwhile
		_ = out.Control(now, link.HostPeer, wire.AppendEnter(nil, &wire.Enter{}))
	}
}

// FetchAgain notes that a keyframe arrived before its scripts. The client requests it again when it
// has them.
func (s *session) FetchAgain() { s.stage, s.renewing = room.StageFetching, false }

// Fetching reports whether the client requests the keyframe as soon as it has the bundles.
func (s *session) Fetching() bool { return s.stage == room.StageFetching }

// RequestKeyframe requests the keyframe. lastInput is the number of the last InputPacket.
func (s *session) RequestKeyframe(now time.Duration, out *side.Mailbox, lastInput uint32) error {
	s.stage = room.StageWaiting
	return out.Control(now, link.HostPeer, wire.AppendReady(nil, &wire.Ready{
		Snapshots:    s.snapshots,
		Onlooker:     s.onlooker,
		LastInputSeq: lastInput,
	}))
}

// Renew requests another keyframe and goes on until it arrives: the player may own other objects.
func (s *session) Renew(now time.Duration, out *side.Mailbox, lastInput uint32) {
	_ = s.RequestKeyframe(now, out, lastInput)
	s.renewing = true
}

// Resync requests another keyframe, because the client has fallen too far behind.
func (s *session) Resync(now time.Duration, out *side.Mailbox, lastInput uint32) {
	s.resyncs++
	_ = s.RequestKeyframe(now, out, lastInput)
}

// Enter lets the player of an onlooker join: at once, or with the keyframe that is not requested yet.
func (s *session) Enter(now time.Duration, out *side.Mailbox) {
	if s.onlooker && (s.stage == room.StageWaiting || s.stage == room.StagePlaying) {
		_ = out.Control(now, link.HostPeer, wire.AppendEnter(nil, &wire.Enter{}))
	}
	s.onlooker = false
}

// Play notes that the client has taken a keyframe.
func (s *session) Play() { s.stage, s.begun, s.renewing = room.StagePlaying, true, false }

// End ends the stay, once.
func (s *session) End(err error) {
	if s.stage != room.StageOver {
		s.stage, s.err = room.StageOver, err
	}
}

// Onlooker reports whether the player has not joined, and does not before Enter.
func (s *session) Onlooker() bool { return s.onlooker }

// Stage returns how far the client has come.
func (s *session) Stage() room.Stage { return s.stage }

// Playing reports whether the client has a world to play in.
func (s *session) Playing() bool { return s.stage == room.StagePlaying }

// Samples reports whether the client samples the inputs of its player: it plays, or waits only for a newer keyframe.
func (s *session) Samples() bool { return s.Playing() || s.renewing && s.stage == room.StageWaiting }

// Over reports whether the stay is over.
func (s *session) Over() bool { return s.stage == room.StageOver }

// Connected reports whether there is a connection to close.
func (s *session) Connected() bool {
	return s.stage != room.StageConnecting && s.stage != room.StageOver
}

// Err returns why the stay is over, nil while it goes on.
func (s *session) Err() error { return s.err }

// Player returns the client's player, 0 before the host admits it.
func (s *session) Player() world.PlayerID { return s.player }

// Ticket returns the ticket with which the player can return.
func (s *session) Ticket() room.Ticket { return s.ticket }

// Begun reports whether a keyframe has arrived.
func (s *session) Begun() bool { return s.begun }

// LogBegun logs, once, that the client is in the room. attrs say what it sees there.
func (s *session) LogBegun(log *slog.Logger, attrs ...any) {
	message := "joined"
	if s.onlooker {
		message = "looks on"
	}
	s.said = true
	log.Info(message, append([]any{"player", s.player}, attrs...)...)
}

// Said reports whether the log says that the client is in the room.
func (s *session) Said() bool { return s.said }

// Resyncs returns how often the client requested another keyframe.
func (s *session) Resyncs() int { return s.resyncs }

// sessionTimes has the times of a client's stay.
type sessionTimes struct {
	created time.Duration // the time of the first Poll
	arrived time.Duration // when it first reached its present; 0: it has not
	left    time.Duration // when it stopped stepping; 0: it has not
}

// create notes the first Poll.
func (s *sessionTimes) create(now time.Duration) {
	if s.created == 0 {
		s.created = now
	}
}

// arrive notes that the client is at its present.
func (s *sessionTimes) arrive(now time.Duration) {
	if s.arrived == 0 {
		s.arrived = now
	}
}

// leave notes that the client steps no more.
func (s *sessionTimes) leave(now time.Duration) { s.left = now }

// lived returns how long ago the first Poll was.
func (s *sessionTimes) lived(now time.Duration) time.Duration { return now - s.created }

// played returns how long the client has been at its present.
func (s *sessionTimes) played(now time.Duration) time.Duration {
	if s.arrived == 0 {
		return 0
	}
	return now - s.arrived
}

// stepped returns how long the client stepped at its present.
func (s *sessionTimes) stepped(now time.Duration) time.Duration {
	if s.left != 0 {
		now = s.left
	}
	return s.played(now)
}
