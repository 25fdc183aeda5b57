package runtime

import "github.com/hindcast/hindcast/world"

// screen is what the host knows of a player's screen that shows the past: which
// moments it can have shown.
type screen struct {
	since, newest world.Tick // of the snapshots that the client has acknowledged; 0: none
	used          [32]moment // of his inputs: of tick t at t % len
	floor         int64      // the latest moment that is not in used any more
}

// moment is the one an input was made before, in world.ViewParts of a tick.
type moment struct {
	tick world.Tick
	at   int64
}

// has notes that the client has a snapshot.
func (s *screen) has(t world.Tick) {
	if s.since == 0 {
		s.since = t
	}
	s.newest = max(s.newest, t)
}

// allows reports whether an input of tick t can have been made before what it
// says: a moment among the snapshots that the client has named, not more than
// most ticks ago, and not before that of an earlier input.
func (s *screen) allows(t world.Tick, seen world.ViewTime, most world.Tick) bool {
	at := seen.Moment(t)
	switch {
	case s.newest == 0 || at < int64(s.since)*world.ViewParts || at > int64(s.newest)*world.ViewParts:
		return false
	case int64(seen.Back) > int64(most)*world.ViewParts || at < s.floor:
		return false
	}
	for i := range s.used {
		u := &s.used[i]
		if u.tick != 0 && (u.tick <= t && at < u.at || u.tick >= t && at > u.at) {
			return false
		}
	}
	return true
}

// use notes the moment before which an input was made.
func (s *screen) use(t world.Tick, seen world.ViewTime) {
	u := &s.used[t%world.Tick(len(s.used))]
	if u.tick > t {
		return // so late that others have come since
	}
	if u.tick < t {
		s.floor = max(s.floor, u.at)
	}
	*u = moment{t, seen.Moment(t)}
}

// judgeSeen takes away from an input what the player's screen cannot have
// shown: it then acts on the world of its own tick.
func (h *Host) judgeSeen(p *peer, e *world.Event) {
	seen := e.Input.ViewTime
	if seen == (world.ViewTime{}) {
		return
	}
	most := h.inForce().bundle.Ticks(h.rules.MaxSeen)
	if p.teller == nil || !h.Schema().HasSeen() || !seen.Check() || seen.All && !p.watches || !p.screen.allows(e.Tick, seen, most) {
		e.Input.ViewTime = world.ViewTime{}
		h.stats.inputs.SeenRefused++
		return
	}
	p.screen.use(e.Tick, seen)
}
