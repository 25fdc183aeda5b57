package client

import (
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
)

// problems takes what the host says of the scripts. What this client has found by itself is in its log already.
func (c *Client) problems(m wire.Problems) error {
	if m.Refused != "" && m.Refused != c.told.Refused {
		c.cfg.Log.Error("saved files are not in force, the old ones stay: " + m.Refused)
	}
	if m.Refused == "" && c.told.Refused != "" {
		c.cfg.Log.Info("nothing keeps saved files from being in force any more")
	}
	for i := range m.Failed {
		f := &m.Failed[i]
		was := slices.IndexFunc(c.told.Failed, func(old wire.Failure) bool { return side.SameFailure(&old, f) })
		if was < 0 && !c.errors.Seen(f) {
			c.cfg.Log.Error(side.Text(f), "tick", uint32(f.Tick), "object", f.Object.String(),
				"class", f.Class, "hook", f.Hook, "at", "the host")
		}
		if f.Until > 0 && (was < 0 || c.told.Failed[was].Until != f.Until) && !c.errors.SeenPause(f) {
			side.LogPause(c.cfg.Log, f, c.end.clock.tickRate)
		}
	}
	c.told = m
	c.errors.Heard(m.Failed)
	if c.cfg.Problems != nil {
		c.cfg.Problems(m)
	}
	return nil
}
