package goscript

import "github.com/hindcast/hindcast/world"

// Lineup is who plays what, as a hook sees it: players, and objects that nobody owns, which bots play.
type Lineup struct{ of *script }

// LineupOf returns who plays what.
func LineupOf(a Actor) Lineup { return Lineup(a) }

// lineupCost is what a look at who plays what costs.
const lineupCost = 20

// TakeOver gives a player the first object of a class, or of one that extends it, that nobody owns; if the class and the player have a Text field
// "team", one of the player's team. The owner changes at the end of the tick. It returns no object if there is none.
func (l Lineup) TakeOver(player world.PlayerID, c *Class) Object {
	st := l.of.stage()
	w := st.change(lineupCost)
	if _, here := w.State().PlayerByID(player); !here {
		fail("TakeOver: player %d is not in the room", player)
	}
	slot, looked, ok, err := world.LineupOf(w).TakeOver(player, l.of.index(c))
	st.pay(looked)
	if err != nil {
		fail("TakeOver: %s", err)
	}
	if !ok {
		return Object{}
	}
	o := st.object(w.State().Objects[slot].ID)
	st.traced(world.Op{Target: o.ID(), Kind: world.SetOwner, Word: uint64(player)}, "")
	return o
}

// Missing returns how many objects of a class, and of those that extend it, there are less than n.
func (l Lineup) Missing(c *Class, n int) int {
	st := l.of.stage()
	lineup, class := world.LineupOf(st.world()), l.of.index(c)
	st.pay(lineupCost + lineup.Count(class))
	return len(lineup.Missing(class, n))
}

// ResetStats gives the fields of Stats their defaults, for all players. Only the team stays.
func (l Lineup) ResetStats() {
	st := l.of.stage()
	fields, err := world.LineupOf(st.change(lineupCost)).ResetStats()
	st.pay(2 * fields)
	if err != nil {
		fail("ResetStats: %s", err)
	}
}
