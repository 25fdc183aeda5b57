package runtime

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// watchedCues takes in what the host tells of cues.
func (c *Client) watchedCues(m wire.Cues) error {
	if c.cfg.Cues == nil || !c.cfg.Watch {
		return nil
	}
	q := &c.dueCues
	for i := range m.Updates {
		e := &m.Updates[i]
		switch e.Change {
		case wire.CueFired:
			q.Add(e.Cue)
		case wire.CueMoved:
			if q.Drop(e.Was) {
				q.Add(e.Cue)
			} else {
				c.cfg.Cues(CueEvent{CueMoved, e.Cue, world.Cue{CueKey: e.Was}})
			}
		case wire.CueCancelled:
			if !q.Drop(e.Cue.CueKey) {
				c.cfg.Cues(CueEvent{Kind: CueCancelled, Cue: e.Cue})
			}
		}
	}
	return nil
}

// showDueCues fires the cues of the ticks that are shown by now.
func (c *Client) showDueCues() {
	if !c.replica.begun() || c.dueCues.Len() == 0 {
		return
	}
	c.replica.show(c.frameTime())
	c.fireDueCues(c.replica.moment())
}

func (c *Client) fireDueCues(moment float64) {
	for _, cue := range c.dueCues.Due(moment) {
		c.cfg.Cues(CueEvent{Kind: CueFired, Cue: cue})
	}
}
