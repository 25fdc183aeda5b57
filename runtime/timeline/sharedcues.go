package timeline

import "github.com/hindcast/hindcast/world"

// sharedCues has the cues of the last tick of a SharedRun.
type sharedCues struct{ list []world.Cue }

// noCues is the patch of the cues of a tick in which the host and the shared run have the same ones.
var noCues = world.AppendCuePatch(nil, nil, nil)

// take takes them from a world.
func (c *sharedCues) take(w *world.World) { c.list = w.TakeCues(c.list[:0]) }

// all returns the cues, sorted by object. The list is valid until the next tick.
func (c *sharedCues) all() []world.Cue { return c.list }

// appendPatch appends the patch that turns them into those of the host's trace.
func (c *sharedCues) appendPatch(b []byte, host *world.Trace) []byte {
	return world.AppendCuePatch(b, c.list, host.Cues(nil))
}

// patch applies such a patch for tick t. It returns the rest of b.
func (c *sharedCues) patch(b []byte, t world.Tick) (rest []byte, err error) {
	cues, rest, err := world.ApplyCuePatch(b, t, c.list)
	c.list = append(c.list[:0], cues...)
	return rest, err
}
