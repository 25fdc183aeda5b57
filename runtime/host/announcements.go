package host

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// announcements are the bundles that the host has announced to clients, by number, from 1.
type announcements struct {
	list   []*announced
	former []*announced // that another view.lua has replaced
}

// announced is a bundle that the host has announced to clients.
type announced struct {
	bundle *bundle.Bundle
	number uint32
	tick   world.Tick // in force from this tick on
	hash   bundle.Hash
	bytes  []byte // nil when clients can no longer request it
	packed packedBundle
	over   time.Duration // since when no tick can be run under it any more; 0: a tick still can
}

// packedBundle has the messages with a bundle, which clients share. Each is made when the first client needs it.
type packedBundle struct {
	whole []byte
	base  bundle.Hash // of against; all 0: there is none yet
	// against is packed against the bundle before: the one with the number before, or that which another view.lua
	// replaced. It is as whole if they have little in common.
	against []byte
}

// message returns the message with the bundle, packed against another one if a client has that; nil: it has none.
func (a *announced) message(base *announced) []byte {
	if base != nil && base.bytes != nil {
		if a.packed.base != base.hash {
			a.packed.base, a.packed.against = base.hash, nil
			if data := bundle.PackAgainst(base.bytes, a.bytes); data != nil {
				a.packed.against = wire.AppendBundle(nil, &wire.Bundle{Hash: a.hash, Base: base.hash, Data: data})
			}
		}
		if a.packed.against != nil {
			return a.packed.against
		}
	}
	if a.packed.whole == nil {
		a.packed.whole = wire.AppendBundle(nil, &wire.Bundle{Hash: a.hash, Data: bundle.Pack(a.bytes)})
	}
	return a.packed.whole
}

// lateAsks is how long clients can still request a bundle after its last tick. A client
// that received the announcement may be on a slow line.
const lateAsks = 30 * time.Second

// Add adds a bundle that is in force from tick t on, under the next number.
func (l *announcements) Add(b *bundle.Bundle, t world.Tick) *announced {
	data := b.Encode()
	a := &announced{
		bundle: b,
		number: uint32(len(l.list)) + 1,
		tick:   t,
		hash:   bundle.HashOf(data),
		bytes:  data,
	}
	l.list = append(l.list, a)
	return a
}

// Revise replaces the newest bundle by one that has another view.lua. Its number and its tick stay.
func (l *announcements) Revise(now time.Duration, b *bundle.Bundle) *announced {
	data, old := b.Encode(), l.Newest()
	revised := *old
	revised.bundle, revised.hash, revised.bytes, revised.packed = b, bundle.HashOf(data), data, packedBundle{}
	l.list[len(l.list)-1] = &revised
	old.over = now
	l.former = append(l.former, old)
	return &revised
}

// Newest returns the bundle announced last, which may not be in force yet.
func (l *announcements) Newest() *announced { return l.list[len(l.list)-1] }

// ByNumber returns the bundle of a number.
func (l *announcements) ByNumber(number uint32) *announced { return l.list[number-1] }

// Before returns the bundle with the number before, nil if there is none.
func (l *announcements) Before(a *announced) *announced {
	if a.number == 1 {
		return nil
	}
	return l.ByNumber(a.number - 1)
}

// From returns the bundles from a number on.
func (l *announcements) From(number uint32) []*announced { return l.list[number-1:] }

// ByHash returns the bundle with a hash if clients can still request it, or nil.
func (l *announcements) ByHash(hash bundle.Hash) *announced {
	for _, list := range [][]*announced{l.list, l.former} {
		if i := slices.IndexFunc(list, func(a *announced) bool { return a.hash == hash && a.bytes != nil }); i >= 0 {
			return list[i]
		}
	}
	return nil
}

// Tidy drops the scripts of bundles that clients can no longer request. kept reports whether a tick
// can still be run under a bundle.
func (l *announcements) Tidy(now time.Duration, kept func(number uint32) bool) {
	l.former = slices.DeleteFunc(l.former, func(a *announced) bool { return now-a.over > lateAsks })
	for _, a := range l.list {
		switch {
		case a.bytes == nil || kept(a.number):
		case a.over == 0:
			a.over = now
		case now-a.over > lateAsks:
			a.bytes, a.packed, a.bundle = nil, packedBundle{}, &bundle.Bundle{
				Game:  a.bundle.Game,
				Setup: a.bundle.Setup,
				Rules: a.bundle.Rules,
			}
		}
	}
}

// wire returns the announcement as it is sent.
func (a announced) wire() wire.Announce {
	return wire.Announce{Number: a.number, Tick: a.tick, Hash: a.hash, Bytes: uint32(len(a.bytes))}
}

// announceBundle announces a bundle to all clients, and sends it: they have none that is new, and asking for it would
// take a round trip. It is packed against the bundle that they were told of last, which is old: who does not have that
// one yet waits for it, and begins nothing anew.
func (h *Host) announceBundle(old, a *announced) {
	now, announce, message := h.clock.Now(), wire.AppendAnnounce(nil, new(a.wire())), []byte(nil)
	var stuck []*peer
	for _, p := range h.roster.All() {
		if !p.Admitted() {
			continue
		}
		if message == nil {
			message = a.message(old)
		}
		if h.mail.Bulk(now, p.id, announce) != nil || h.mail.Bulk(now, p.id, message) != nil { // in this order
			stuck = append(stuck, p)
		}
		p.Announced(1)
	}
	for _, p := range stuck {
		h.expel(now, p, takesNothing, "you take too little of what is sent to you: new scripts do not get through")
	}
}

// How long before its tick a bundle is announced, so that it is there: leastNotice, and for the longest round trip of a
// client that plays noticeTrips of it, but no more than mostNotice.
const (
	leastNotice = time.Second
	mostNotice  = 3 * time.Second
	noticeTrips = 5
	// longWait is from which wait on, in a room that runs slower than real time, all are told how long it takes until
	// saved scripts are in force.
	longWait = mostNotice + 500*time.Millisecond
)

// notice returns how long before its tick a bundle is to be announced now.
func (h *Host) notice() time.Duration {
	longest := time.Duration(0)
	h.roster.Playing(func(p *peer) { longest = max(longest, p.feed.RTT()) })
	return min(max(leastNotice, noticeTrips*longest), mostNotice)
}

// predictsMore reports whether clients simulate a class under the coming scripts that
// they did not simulate before.
func predictsMore(before, after *world.Schema) bool {
	return slices.ContainsFunc(before.Classes, func(c world.Class) bool {
		i, ok := after.ClassByName(c.Name)
		return ok && c.LOD != world.Predict && after.Classes[i].LOD == world.Predict
	})
}

// neededFrom returns the first record that some client still lacks.
func (h *Host) neededFrom() uint32 {
	from := h.applied.End()
	h.roster.Playing(func(p *peer) { from = min(from, p.feed.NeededFrom()) })
	return from
}

// inForce returns the bundle of the present tick.
func (h *Host) inForce() *announced { return h.bundles.ByNumber(h.State().Bundle) }
