package timeline_test

import "github.com/hindcast/hindcast/world"

// seat gives players objects of a class that nobody owns, twice: the second one gets another object than the first.
func (c *busyCall) seat(d *action, slot, class int) error {
	l := world.LineupOf(c.w)
	for i := range 2 {
		p := world.PlayerID(1 + (int(d.every)+i)%3)
		if _, here := c.w.State().PlayerByID(p); !here || world.BuiltIn(c.w.Schema().Classes[class].Name) {
			return nil
		}
		_, looked, ok, err := l.TakeOver(p, class)
		if err != nil {
			return err
		}
		if ok {
			c.did.seated++
		}
		if err := c.set(c.id, "mood", (c.own(slot, "mood")+uint64(looked+len(l.Missing(class, 3))))%1013); err != nil {
			return err
		}
	}
	return nil
}
