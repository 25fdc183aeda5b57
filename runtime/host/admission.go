package host

import (
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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

// admission is the place of a client in the room: its stage of joining, its player, and its quotas of
// requests.
type admission struct {
	stage  stage
	name   string
	player world.PlayerID
	since  time.Duration // when the client was admitted; before that, when it connected
	joined world.Tick    // the tick from which on the player is present; 0: the player is not
	named  int           // how often the client has sent a name

	bundles  int   // how many the client may still ask for
	states   int   // keyframes and other whole states that were sent
	requests quota // for states and scripts
	chats    quota // lines of chat
}

func newAdmission(now time.Duration) admission {
	return admission{
		since:    now,
		requests: quota{most: mostRequests, every: requestEvery},
		chats:    quota{most: mostChats, every: chatEvery},
	}
}

// Name returns the name that the client has sent.
func (a *admission) Name() string { return a.name }

// Player returns the player that an admitted client is.
func (a *admission) Player() world.PlayerID { return a.player }

// Admitted reports whether the client is one of the players for whom the room has a place. It may be playing.
func (a *admission) Admitted() bool { return a.stage >= stageAdmitted }

// Playing reports whether the client plays.
func (a *admission) Playing() bool { return a.stage == stagePlaying }

// Present returns the tick from which on the player is in the world; 0: it is not.
func (a *admission) Present() world.Tick { return a.joined }

// mostNames is how many names a client may send: one in its Hello, and one when it answers an entry form.
const mostNames = 2

// Introduce notes a name that a client sends. It returns false if it has sent too many.
func (a *admission) Introduce(name string) bool {
	if a.named == mostNames {
		return false
	}
	a.named++
	a.name = name
	return true
}

// admit makes the client a player. old is the player's admission on another connection, from which
// this admission takes over the player's presence in the world; nil: there is none.
func (a *admission) admit(now time.Duration, player world.PlayerID, old *admission) {
	a.stage, a.player, a.since = stageAdmitted, player, now
	if old != nil {
		a.joined, old.joined = old.joined, 0
		a.since = old.since
	}
}

// Since returns when the client was admitted; before that, when it connected.
func (a *admission) Since() time.Duration { return a.since }

// Enter lets an admitted client receive the match: the player is present from tick t on. 0: the player is
// an onlooker, until the next Enter.
func (a *admission) Enter(t world.Tick) { a.stage, a.joined = stagePlaying, t }

// SentState notes that the client was sent a whole state.
func (a *admission) SentState() { a.states++ }

// States returns how many whole states the client was sent.
func (a *admission) States() int { return a.states }

// Announced lets the client ask for so many bundles more.
func (a *admission) Announced(bundles int) { a.bundles += bundles }

// WantBundle reports whether the client may ask for a bundle: for no more than were announced to it.
func (a *admission) WantBundle() bool {
	a.bundles--
	return a.bundles >= 0
}

// errBundles is the error of a client that asks for more bundles than there are.
var errBundles = because(tooManyScript, "more bundles were asked for than were announced")

// errTooMuch is the error of a client that exceeds its quota.
var errTooMuch = because(tooMany, "too many requests")

// Accept returns why a message of a kind is not allowed now, or nil.
func (a *admission) Accept(now time.Duration, kind wire.Kind) error {
	asked := &a.requests
	if kind == wire.KindChat {
		asked = &a.chats
	}
	if kind != wire.KindAssetWant && !asked.take(now) { // each of those waits for an answer
		return errTooMuch
	}
	ok := false
	switch kind {
	case wire.KindHello:
		ok = a.stage == stageOpened
	case wire.KindBundleWant, wire.KindReady:
		ok = a.Admitted()
	case wire.KindChat, wire.KindStateWant, wire.KindAssetWant, wire.KindEnter:
		ok = a.Playing()
	}
	if !ok {
		return because(badMessage, "%w: kind %d at stage %d", wire.ErrMalformed, kind, a.stage)
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

// cutName returns a name as Roster can carry it. Chat, of which it is a part, has no control characters.
func cutName(name string) string {
	end := min(len(name), wire.MaxName)
	for end < len(name) && !utf8.RuneStart(name[end]) {
		end--
	}
	return strings.TrimSpace(name[:end])
}

// splitName takes the name out of the answers to the entry form that e has, because names are not simulated. It returns
// the name; "" if there is none.
func splitName(fs world.Functions, e *world.Event) (name string) {
	i := slices.IndexFunc(fs, func(f world.Function) bool { return f.Name == e.Name && f.Entry != nil && f.Entry.Name })
	last := len(e.Values) - 1
	if i < 0 || last < 0 || e.Values[last].Kind != world.String {
		return ""
	}
	others, name := fs[i].Entry.SplitName(e.Values[last].Text)
	e.Values[last].Value = world.TextValue(others)
	return cutName(name)
}

// takeName gives a player the name that the answers to the entry form have, unless it has answered before. If
// Config.Admit has admitted a name, the player keeps that name.
func (h *Host) takeName(p *peer, name string) {
	if h.cfg.Admit != nil || name == "" || name == p.Name() || h.entered(p.Player()) || !p.Introduce(name) {
		return
	}
	h.lines.Line(h.clock.Now(), slog.LevelInfo, p.source(), "renamed", "player", p.Player(), "to", name)
	h.cfg.Recorder.Name(p.Player(), name)
	h.pings.Renamed()
}

// entered reports whether a player has answered the entry form.
func (h *Host) entered(id world.PlayerID) bool {
	return h.Schema().Entered(h.State(), id)
}
