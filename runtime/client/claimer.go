package client

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// claimer makes the claims of a predictor.
type claimer struct {
	newest world.Tick // the newest tick claimed
	made   wire.Claim // the newest claim
}

// claim returns where this client has its player's first predicted object at the newest tick for
// which this client's inputs are no longer guesses; nil if there is nothing new to claim. It is valid until the next call. Inputs of
// other players may still be missing: the claim says how much of the log the client has. complete is
// the last complete tick. While objects are culled, there is no claim: what touches them may be wrong until its
// tick is complete.
func (l *claimer) claim(tl *timeline.Timeline, player world.PlayerID, log *logReceiver, complete world.Tick, culls bool) *wire.Claim {
	t := max(tl.Log().CertainTo(min(log.hostAt(), tl.Now())), complete)
	s := tl.At(t)
	if s == nil || culls || t <= l.newest || tl.Dirty() != 0 && t >= tl.Dirty() {
		return nil
	}
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if o.Owner == player && s.Body(int(slot)).Key != 0 && tl.Schema(t).Classes[o.Class].LOD == world.Predict {
			l.newest = t
			l.made = claimFor(s, int(slot), log.received())
			return &l.made
		}
	}
	return nil
}

// claimFor returns the claim of a client that has the state s and the records of the log before
// received.
func claimFor(s *world.State, slot int, received uint32) wire.Claim {
	b := s.Body(slot)
	return wire.Claim{Object: s.Objects[slot].ID, Tick: s.Tick, KnownSeq: received,
		X: float32(b.X), Y: float32(b.Y), Angle: float32(b.Angle),
		VX: float32(b.VX), VY: float32(b.VY), AngularVelocity: float32(b.W)}
}
