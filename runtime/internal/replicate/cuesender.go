package replicate

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// CueSender sends one client the cues that the client does not find by itself, or only guesses, in datagrams. It
// repeats each until the client has acknowledged its newest version.
type CueSender struct {
	seq     uint32      // of the last datagram
	number  uint32      // of the last cue
	cues    []sentCue   // the newest ones, by number
	sent    [33]cueList // the content of datagram n at n % len
	message wire.Cues   // reused memory
	buf     []byte
	counts  CueCounts
}

// CueCounts counts cues that were sent to clients.
type CueCounts struct {
	Sent      int // cues that the client does not find by itself
	Cancelled int // of these, cues that did not happen after all
	Lost      int // cues that were given up before the client acknowledged them
}

// sentCue is a cue in its newest version.
type sentCue struct {
	number    uint32
	version   uint32 // counts the changes
	cue       world.Cue
	later     bool // it is shown with the interpolation delay
	found     bool // the client would have found it by itself
	own       bool // the client may have guessed it: it never changes
	cancelled bool
	known     bool          // the client has a version
	done      bool          // the client has the newest version, or it was given up
	sends     int           // how often the version was sent
	since     time.Duration // when the cue was added
	last      time.Duration // when the version was sent last
}

// cueList is the content of a datagram.
type cueList struct {
	seq  uint32
	cues []cueVersion
}

type cueVersion struct{ number, version uint32 }

// Times and limits of cues on their way.
const (
	// until a cue is sent for the second time; the next times are once, twice ... that longer
	cueRepeat = 50 * time.Millisecond
	ownRepeat = 200 * time.Millisecond // until one that the client may have guessed is, which is not given up
	cueGiveUp = 5 * time.Second        // until a cue that was not acknowledged is given up
	// of the newest numbers, at both ends: a busy room fires 600 a second, and a cue may be on its way for 3 s
	keptCues    = 2048
	likeBack    = 256 // how far below the newest number the one may be that a cue is like
	cueHeadroom = 80  // more bytes than most updates take
)

// Fire adds a cue. later says that the client shows it with the interpolation delay, found that the
// client would find it by itself if it had simulated its tick. A cue that was cancelled and happens after all keeps its
// number, because its last version may overtake the cancellation.
func (s *CueSender) Fire(now time.Duration, c world.Cue, later, found bool) {
	if k := s.last(c.CueKey); k != nil && k.cancelled {
		k.cue, k.later, k.found, k.cancelled = c, later, found, false
		if s.changed(now, k); k.version == 0 { // never sent
			k.done, k.since = false, now
		}
		return
	}
	s.add(sentCue{cue: c, later: later, found: found, since: now})
}

// add adds a cue with the next number.
func (s *CueSender) add(k sentCue) {
	s.number++
	if len(s.cues) == keptCues {
		s.giveUp(&s.cues[0])
		s.cues = s.cues[1:] // append moves the others now and then
	}
	k.number = s.number
	s.cues = append(s.cues, k)
}

// Confirm adds a cue of a committed tick that the client may have guessed, unless it has been added as one that the
// client does not find.
func (s *CueSender) Confirm(now time.Duration, c world.Cue) {
	if s.find(c.CueKey) == nil {
		s.add(sentCue{cue: c, own: true, since: now})
	}
}

// ConfirmedTo returns the newest tick up to t up to which the client has all cues that were given to Confirm, but for
// those that were too many. t is the newest committed tick.
func (s *CueSender) ConfirmedTo(t world.Tick) world.Tick {
	for i := range s.cues {
		if k := &s.cues[i]; k.own && !k.done {
			t = min(t, k.cue.Tick-1)
		}
	}
	return t
}

// Move replaces a cue that was added. It reports whether it was.
func (s *CueSender) Move(now time.Duration, was world.CueKey, c world.Cue) bool {
	k := s.find(was)
	if k == nil {
		return false
	}
	k.cue = c
	s.changed(now, k)
	return true
}

// Cancel removes a cue if it was added. If it was never sent, the client does not hear of it.
func (s *CueSender) Cancel(now time.Duration, key world.CueKey) {
	k := s.find(key)
	if k == nil {
		return
	}
	k.cancelled = true
	s.changed(now, k)
	if k.version == 0 { // never sent
		k.done = true
		return
	}
	s.counts.Cancelled++
}

// changed begins to send another version of a cue that was sent.
func (s *CueSender) changed(now time.Duration, k *sentCue) {
	if k.sends == 0 && k.version == 0 {
		return
	}
	k.version++
	k.done, k.sends, k.since = false, 0, now
}

// find returns the cue with a key that is not cancelled, nil if there is none.
func (s *CueSender) find(key world.CueKey) *sentCue {
	if k := s.last(key); k != nil && !k.cancelled {
		return k
	}
	return nil
}

// last returns the cue that had a key last, preferably one that is not cancelled; nil if there is none.
func (s *CueSender) last(key world.CueKey) (last *sentCue) {
	for i := len(s.cues) - 1; i >= 0; i-- {
		if k := &s.cues[i]; k.cue.CueKey == key {
			if !k.cancelled {
				return k
			}
			if last == nil {
				last = k
			}
		}
	}
	return last
}

func (s *CueSender) giveUp(k *sentCue) {
	if !k.done {
		k.done = true
		s.counts.Lost++
	}
}

// Counts returns the counts since the beginning.
func (s *CueSender) Counts() CueCounts { return s.counts }

// Acknowledge notes which datagrams have arrived.
func (s *CueSender) Acknowledge(ack wire.Ack) {
	if ack.Newest == 0 {
		return
	}
	s.arrived(ack.Newest)
	for i := range uint32(32) {
		if ack.Mask&(1<<i) != 0 && ack.Newest > i+1 {
			s.arrived(ack.Newest - 1 - i)
		}
	}
}

func (s *CueSender) arrived(seq uint32) {
	list := &s.sent[seq%uint32(len(s.sent))]
	if list.seq != seq {
		return
	}
	for _, v := range list.cues {
		if k := s.numbered(v.number); k != nil {
			k.known = true
			k.done = k.done || k.version == v.version
		}
	}
	list.seq = 0
}

// numbered returns a cue by its number, nil if it is no longer kept.
func (s *CueSender) numbered(number uint32) *sentCue {
	if len(s.cues) == 0 || number < s.cues[0].number || number > s.number {
		return nil
	}
	return &s.cues[number-s.cues[0].number]
}

// Datagram encodes the cues that are due, in at most limit bytes; nil if none is. The bytes are
// valid until the next call.
func (s *CueSender) Datagram(now time.Duration, limit int) []byte {
	s.message.Updates = s.message.Updates[:0]
	s.buf = s.buf[:0]
	for i := range s.cues {
		k := &s.cues[i]
		if k.done {
			continue
		}
		if !k.own && now-k.since >= cueGiveUp {
			s.giveUp(k)
			continue
		}
		if !k.due(now) {
			continue
		}
		s.message.Updates = append(s.message.Updates, s.update(k))
		if len(s.message.Updates) == wire.MaxCues {
			break
		}
	}
	if len(s.message.Updates) == 0 {
		return nil
	}
	s.seq++
	s.message.Seq = s.seq
	for {
		s.buf = wire.AppendCues(s.buf[:0], &s.message)
		n := len(s.message.Updates)
		if len(s.buf) <= limit || n == 1 {
			break
		}
		s.message.Updates = s.message.Updates[:max(n-1-(len(s.buf)-limit)/cueHeadroom, 1)]
	}
	s.note(now)
	return s.buf
}

// due reports whether the newest version is to be sent now. A cue that the client shows at once is
// sent twice in a row, because nothing hides that the first one was lost. One that the client may have guessed has
// time.
func (k *sentCue) due(now time.Duration) bool {
	if k.own {
		return k.sends == 0 || now-k.last >= ownRepeat
	}
	atOnce := 1
	if !k.later {
		atOnce = 2
	}
	return k.sends < atOnce || now-k.last >= time.Duration(k.sends-atOnce+1)*cueRepeat
}

// note notes what the datagram just made contains.
func (s *CueSender) note(now time.Duration) {
	list := &s.sent[s.seq%uint32(len(s.sent))]
	list.seq, list.cues = s.seq, list.cues[:0]
	for i := range s.message.Updates {
		k := s.numbered(s.message.Updates[i].Number)
		if k.version == 0 && k.sends == 0 && !k.own {
			s.counts.Sent++
		}
		k.sends++
		k.last = now
		list.cues = append(list.cues, cueVersion{k.number, k.version})
	}
}

// update returns the newest version of a cue as a message has it.
func (s *CueSender) update(k *sentCue) wire.CueUpdate {
	if k.cancelled {
		return wire.CueUpdate{Number: k.number, Cancelled: true}
	}
	u := wire.CueUpdate{Number: k.number, Later: k.later, Found: k.found, Own: k.own, Cue: k.cue}
	first := max(s.cues[0].number,
		max(s.number, likeBack)-likeBack) // the client has it even if newer cues overtake the datagram
	for n := k.number - 1; n >= first && n > 0; n-- {
		o := s.numbered(n)
		if o == nil {
			break
		}
		if !o.known || o.cancelled || o.version != 0 {
			continue // a client that has a version may lack the newest
		}
		fits, object := u.Resembles(&o.cue)
		if fits && (object || u.Like == 0) {
			u.Like, u.LikeObject = n, object
		}
		if object {
			break
		}
	}
	return u
}
