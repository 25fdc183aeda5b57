package runtime

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// stage is the stage of a client at the host.
type stage uint8

const (
	stageOpened   stage = iota // the connection is open
	stageAdmitted              // the client knows which bundles it needs
	stagePlaying               // the client has everything, and plays
)

// What a client may send on reliable streams: so many at once, and one more in each interval.
const (
	mostRequests = 16 // messages other than chat
	requestEvery = time.Second
	mostChats    = 20
	chatEvery    = 500 * time.Millisecond
)

// seat is the place of a client in the room: its stage of joining, its player, and its quotas of
// requests.
type seat struct {
	stage  stage
	name   string
	player world.PlayerID
	joined world.Tick // the tick from which on the player is present; 0: the player is not

	bulky  quota // requests for states and scripts
	chatty quota // lines of chat
}

func newSeat() seat {
	return seat{bulky: quota{most: mostRequests, every: requestEvery}, chatty: quota{most: mostChats, every: chatEvery}}
}

// Name returns the name that the client has sent.
func (s *seat) Name() string { return s.name }

// Player returns the player that an admitted client is.
func (s *seat) Player() world.PlayerID { return s.player }

// Admitted reports whether the client holds one of the seats of the room. It may be playing.
func (s *seat) Admitted() bool { return s.stage >= stageAdmitted }

// Playing reports whether the client plays.
func (s *seat) Playing() bool { return s.stage == stagePlaying }

// Present returns the tick from which on the player is in the world; 0: it is not.
func (s *seat) Present() world.Tick { return s.joined }

// Introduce notes the name from a client's Hello.
func (s *seat) Introduce(name string) { s.name = name }

// admit makes the client a player. old is the player's seat on another connection, from which
// this seat takes over the player's presence in the world; nil: there is none.
func (s *seat) admit(player world.PlayerID, old *seat) {
	s.stage, s.player = stageAdmitted, player
	if old != nil {
		s.joined, old.joined = old.joined, 0
	}
}

// Enter lets an admitted client play: the player is present from tick t on.
func (s *seat) Enter(t world.Tick) { s.stage, s.joined = stagePlaying, t }

// errTooMuch is the error of a client that exceeds its quota.
var errTooMuch = errors.New("too many requests")

// Accept returns why a message of a kind is not allowed now, or nil.
func (s *seat) Accept(now time.Duration, kind wire.Kind) error {
	asked := &s.bulky
	if kind == wire.KindChat {
		asked = &s.chatty
	}
	if !asked.take(now) {
		return errTooMuch
	}
	ok := false
	switch kind {
	case wire.KindHello:
		ok = s.stage == stageOpened
	case wire.KindBundleWant, wire.KindReady:
		ok = s.Admitted()
	case wire.KindChat, wire.KindStateWant:
		ok = s.Playing()
	}
	if !ok {
		return fmt.Errorf("%w: kind %d at stage %d", wire.ErrMalformed, kind, s.stage)
	}
	return nil
}

// quota limits how often a client may request something: most times at once, and once
// more each time every has passed.
type quota struct {
	most  int
	every time.Duration
	used  int
	at    time.Duration
}

func (q *quota) take(now time.Duration) bool {
	back := int((now - q.at) / q.every)
	q.used = max(q.used-back, 0)
	q.at += time.Duration(back) * q.every
	if q.used == q.most {
		return false
	}
	q.used++
	return true
}
