package host

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/world"
)

// logFeed sends one client the applied-input log, and checks whether the client keeps up
// with it.
type logFeed struct {
	sender   *relay.Sender // from the first InputPacket after a keyframe on
	from     uint32        // the first record to send
	packets  uint32        // HostPackets that earlier senders sent
	asked    uint32        // the newest InputPacket that the client sent before it requested the keyframe
	acked    uint32        // the records acknowledged at the last check
	progress time.Duration // when acked last increased, or everything was acknowledged
	due      uint32        // the end of the log when the client last had caught up ...
	caught   time.Duration // ... which was then: it had all that was due before
	stale    staleness
	begun    time.Duration // when the client was admitted
}

// These are limits for clients, because the host keeps the log for them: for a step of
// joining, which can be a large download, for acknowledging any record, and for
// catching up with the log.
const (
	joinLimit   = 2 * time.Minute
	ackLimit    = 15 * time.Second
	behindLimit = time.Minute
)

// Progress notes that the client has completed a step.
func (f *logFeed) Progress(now time.Duration) { f.progress = now }

// Begin notes that the client is admitted.
func (f *logFeed) Begin(now time.Duration) {
	f.begun = now
	f.Progress(now)
}

// Begun returns when the client was admitted.
func (f *logFeed) Begun() time.Duration { return f.begun }

// Restart stops sending until the client sends an InputPacket with a number above asked. Then
// the client has the keyframe, which the record from follows.
func (f *logFeed) Restart(now time.Duration, from, asked uint32) {
	if f.sender != nil {
		f.packets = f.sender.LastSeq()
	}
	f.sender, f.from, f.asked, f.progress = nil, from, asked, now
}

// Acknowledge handles the acknowledgement of HostPackets in InputPacket seq.
func (f *logFeed) Acknowledge(now time.Duration, applied *relay.Log, seq uint32, ack wire.Ack) {
	if f.sender == nil && seq > f.asked { // so the client has the keyframe
		f.sender = relay.NewSender(applied, f.from, f.packets)
	}
	if f.sender != nil {
		f.sender.Acknowledge(now, ack)
	}
}

// Unsent reports whether an acknowledgement names packets that have not been sent.
func (f *logFeed) Unsent(ack wire.Ack) bool {
	sent := f.packets
	if f.sender != nil {
		sent = f.sender.LastSeq()
	}
	return ack.Newest > sent
}

// Open reports whether the log is being sent to the client.
func (f *logFeed) Open() bool { return f.sender != nil }

// RTT returns the smoothed round trip; 0 while the feed is not open.
func (f *logFeed) RTT() time.Duration {
	if f.sender == nil {
		return 0
	}
	return f.sender.RTT()
}

// Guessed returns for how long the client had to guess what others do when it made an input of tick t: since the newest
// HostPacket that it is known to have, as far as that is credible.
func (f *logFeed) Guessed(t world.Tick, tickLen time.Duration) time.Duration {
	if f.sender == nil {
		return 0
	}
	known, _ := f.sender.Known()
	return f.stale.credible(time.Duration(t-min(t, known)) * tickLen)
}

// Packets calls send with the HostPacket of tick t, or with two if not everything fits into one. The
// patches of a busy tick may not fit, together with records that a bad line has lost.
func (f *logFeed) Packets(now time.Duration, t world.Tick, ack wire.InputAck, send func([]byte)) {
	_, sent := f.sender.Known()
	f.stale.note(now, sent)
	send(f.sender.Packet(now, t, ack))
	if f.sender.Behind() {
		send(f.sender.Packet(now, t, ack))
	}
}

// NeededFrom returns the first record of the log that the client still lacks.
func (f *logFeed) NeededFrom() uint32 {
	if f.sender == nil {
		return f.from
	}
	return f.sender.Acked()
}

// Overdue returns the reason to disconnect a client: it does not get ready, does not acknowledge
// the log, or falls further and further behind. It is "" if there is none. end is the end of the
// log.
func (f *logFeed) Overdue(now time.Duration, end uint32) string {
	if f.sender != nil && (f.sender.Acked() != f.acked || f.sender.Acked() == end) {
		f.acked, f.progress = f.sender.Acked(), now
	}
	if f.sender == nil || f.sender.Acked() >= f.due {
		f.due, f.caught = end, now
	}
	limit := joinLimit
	if f.sender != nil {
		limit = ackLimit
	}
	switch {
	case now-f.progress > limit:
		return fmt.Sprintf("nothing was acknowledged for %v", limit)
	case now-f.caught > behindLimit:
		return fmt.Sprintf("more than %v behind the log", behindLimit)
	}
	return ""
}

// staleness says how old the newest packet that a client has is credible to be. The client says itself what it has, and
// one that says nothing new could claim to have guessed for as long as it likes. So it is believed up to the age that
// the line explains, and beyond that for as long as an occasional jam lasts.
type staleness struct {
	started bool
	at      time.Duration // of the last note
	newest  time.Duration // when the newest packet was sent that the client has
	// age and varies are how old a packet is when it becomes the newest one that the client is known to have: smoothed,
	// and by how much that varies. A client that acknowledges seldom changes neither.
	age, varies time.Duration
	jams        time.Duration // for how long a larger age is believed
	recent      time.Duration // the largest believed age, less the time that has passed since
}

const (
	// staleSlack is by how much a client's newest packet may be older than the line explains.
	staleSlack = 100 * time.Millisecond
	// jamAllowance is for how long in all an age is believed that the line does not explain. An allowance that
	// is used up is full again after jamShare times as long.
	jamAllowance = time.Second
	jamShare     = 20
)

// note notes when the newest packet was sent that a client is known to have; 0: none.
func (s *staleness) note(now, sent time.Duration) {
	age, passed := now-sent, now-s.at
	switch {
	case sent == 0 && !s.started:
		return
	case !s.started:
		*s = staleness{started: true, newest: sent, age: age, varies: age / 2, jams: jamAllowance}
		passed = 0
	case sent > s.newest:
		s.newest = sent
		s.varies += (max(age-s.age, s.age-age) - s.varies) / 4
		s.age += (age - s.age) / 8
	}
	s.at = now
	most := s.most()
	switch {
	case age <= most:
		s.jams = min(s.jams+passed/jamShare, jamAllowance)
	case s.jams > 0:
		s.jams -= passed
	default:
		age = most
	}
	s.recent = max(age, s.recent-passed)
}

// most returns the largest age that the line explains.
func (s *staleness) most() time.Duration { return s.age + 4*s.varies + staleSlack }

// credible returns for how long a client can have guessed that says that it has guessed for some time. What it drew in
// a jam returns to its place within some tenths of a second after it.
func (s *staleness) credible(said time.Duration) time.Duration {
	return max(min(said, s.most()), s.recent)
}
