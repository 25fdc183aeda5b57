package replicate

import "github.com/hindcast/hindcast/world"

// ViewBounds holds the moments that a client with snapshots can have shown, as far as
// the host can tell. The zero value allows none.
type ViewBounds struct {
	oldest, newest world.Tick // of the acknowledged snapshots; 0: none
	used           [32]moment // moments of the player's inputs: of tick t at t % len
	floor          int64      // the latest moment that used no longer holds
}

// moment is a view time, in world.ViewParts of a tick, and the tick of its input.
type moment struct {
	tick world.Tick
	at   int64
}

// Acknowledge notes that the client has the snapshot of tick t. 0 is ignored.
func (b *ViewBounds) Acknowledge(t world.Tick) {
	if t == 0 {
		return
	}
	if b.oldest == 0 {
		b.oldest = t
	}
	b.newest = max(b.newest, t)
}

// Allows reports whether the player can have made an input of tick t at a view time: it
// must lie between acknowledged snapshots, at most limit ticks before t, and not before
// the view time of an earlier input.
func (b *ViewBounds) Allows(t world.Tick, seen world.ViewTime, limit world.Tick) bool {
	at := seen.Moment(t)
	switch {
	case b.newest == 0 || at < int64(b.oldest)*world.ViewParts || at > int64(b.newest)*world.ViewParts:
		return false
	case int64(seen.Back) > int64(limit)*world.ViewParts || at < b.floor:
		return false
	}
	for i := range b.used {
		u := &b.used[i]
		if u.tick != 0 && (u.tick <= t && at < u.at || u.tick >= t && at > u.at) {
			return false
		}
	}
	return true
}

// Use notes the view time of an input of tick t.
func (b *ViewBounds) Use(t world.Tick, seen world.ViewTime) {
	u := &b.used[t%world.Tick(len(b.used))]
	if u.tick > t {
		return // the input is so late that its place is taken
	}
	if u.tick < t {
		b.floor = max(b.floor, u.at)
	}
	*u = moment{t, seen.Moment(t)}
}
