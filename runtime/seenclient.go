package runtime

import (
	"math"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// seenSlack is the error that the view time of an input may have if nothing else of the input
// changes, in world.ViewParts of a tick. Such an input takes no bytes.
const seenSlack = world.ViewParts / 4

// noteSeen writes the view time into the inputs of tick t: the moment that the screen showed.
func (c *Client) noteSeen(t world.Tick) {
	shown, latest, ok := c.replica.viewTime(c.frameTime())
	if !ok {
		return
	}
	inputs := c.sent[t%wire.MaxInputs].inputs
	at := max(shown, c.viewedAt)
	if next, same := c.sameInputs(t); same && next-at < seenSlack && at-next < seenSlack {
		at = max(next, c.viewedAt)
	}
	at = min(at, latest) // the rest is extrapolated
	back := int64(t)*world.ViewParts - at
	if at <= 0 || back < world.MinViewBack || back > math.MaxUint16 {
		return
	}
	c.viewedAt = at
	for i := range inputs {
		inputs[i].input.ViewTime = world.ViewTime{Back: uint16(back), All: c.cfg.Blind}
	}
}

// sameInputs reports whether the inputs of tick t are those of the tick before. at is their
// view time if it is as long before tick t as that was before its tick.
func (c *Client) sameInputs(t world.Tick) (at int64, same bool) {
	was, now := &c.sent[(t-1)%wire.MaxInputs], &c.sent[t%wire.MaxInputs]
	if was.tick != t-1 || len(was.inputs) != len(now.inputs) || len(now.inputs) == 0 {
		return 0, false
	}
	seen := was.inputs[0].input.ViewTime
	for i := range now.inputs {
		own := now.inputs[i]
		own.input.ViewTime = seen
		if own != was.inputs[i] {
			return 0, false
		}
	}
	return seen.Moment(t), seen.Back != 0
}
