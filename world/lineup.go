package world

import "slices"

// TeamField is the field, a String, that names the team of a player, and that of an object of a class which has it.
const TeamField = "team"

// Lineup is who plays what, for the acting object: players, teams, and objects that nobody owns, which bots play. It
// is a value.
type Lineup struct{ a Actor }

// LineupOf returns the Lineup for the acting object.
func LineupOf(a Actor) Lineup { return Lineup{a} }

// TakeOver gives a player the first object of a class, or of one that extends it, that nobody owns, in the order of Queries.OfClasses; if the class and the
// player have teams, one of the player's team. It leaves out those that the acting object has given away since its
// order began. The owner changes at the end of the tick. It also returns how many objects it looked at, with those
// that the acting object has given away. ok is false if there is no such object. The error wraps ErrReadOnly if the
// Actor is that of a Reader.
func (l Lineup) TakeOver(p PlayerID, class int) (slot, looked int, ok bool, err error) {
	w, team := l.a.w, l.TeamOf(p)
	gone := w.handsOver()
	looked = len(gone)
	for _, s := range l.of(class) {
		looked++
		id := w.Now.Objects[s].ID
		state, at, there := w.see(id)
		if !there || state.Objects[at].Owner != 0 {
			continue
		}
		if theirs, has := l.teamIn(state, at); has && team != "" && theirs != team {
			continue
		}
		if _, found := slices.BinarySearch(gone, id); found || w.changesHands(id) {
			continue
		}
		return int(s), looked, true, l.a.Do(Op{Target: id, Kind: SetOwner, Word: uint64(p)})
	}
	return 0, looked, false, nil
}

// changesHands reports whether an object changes its owner at the end of this tick, and the acting object knows it:
// it may change the object at once, or it is the match, whose hooks come after those of all orders.
func (w *World) changesHands(id ObjectID) bool {
	slot, ok := w.Find(id)
	if !ok || !w.mine(slot) && w.actorID() != MatchID {
		return false
	}
	_, handed := w.acting.of(slot).newOwner()
	return handed
}

// TeamOf returns the team of a player, also one that the acting object has given the player since its order began; ""
// if the player has none.
func (l Lineup) TeamOf(p PlayerID) (team string) {
	w := l.a.w
	player, here := w.Now.PlayerByID(p)
	if !here {
		return ""
	}
	if op, found := w.asks(player.Object(), SetText, func(op Op) bool { return l.isTeam(op.Target, op.Field) }); found {
		return op.Text
	}
	s, slot, ok := l.a.See(player.Object())
	if now, exists := w.Find(player.Object()); exists && w.actorID() == MatchID {
		s, slot, ok = w.Now, now, true // with what hooks of the match, and nobody else, have done to it since
	}
	if ok {
		team, _ = l.teamIn(s, slot)
	}
	return team
}

// isTeam reports whether a field of an object is its team.
func (l Lineup) isTeam(id ObjectID, field int) bool {
	slot, ok := l.a.Find(id)
	return ok && l.a.Class(slot).Fields[field].Name == TeamField
}

// teamIn returns the team of an object of a state. has is false if its class has no teams.
func (l Lineup) teamIn(s *State, slot int) (team string, has bool) {
	f, has := l.a.Schema().Classes[s.Objects[slot].Class].Field(TeamField)
	if !has || f.Kind != String {
		return "", false
	}
	return StringField(s.Row(slot), f), true
}

// of returns the slots of the objects of a class, and of those that extend it, which the acting object sees, and of
// those that it has spawned since its order began: who asks twice is not told twice of a place that is filled.
func (l Lineup) of(class int) []int32 {
	w, family := l.a.w, l.a.Schema().Family(class)
	slots := l.a.Queries().Without(0).OfClasses(family, nil)
	w.eachOwnSpawn(func(slot int32) {
		if slices.Contains(family, int(w.Now.Objects[slot].Class)) {
			slots = append(slots, slot)
		}
	})
	return slots
}

// Count returns how many objects of a class, and of those that extend it, the acting object sees or has spawned.
func (l Lineup) Count(class int) int { return len(l.of(class)) }

// Missing returns the teams that lack objects of a class, or of those that extend it, so that there are n of them and the teams are as equal as
// can be: for each object that is missing the team with the fewest, and of several the first by name. Without teams,
// the names are "". It looks at as many objects as Count returns.
func (l Lineup) Missing(class, n int) (teams []string) {
	names := []string{""}
	if declared := l.a.Schema().Teams; len(declared) > 0 {
		names = names[:0]
		for _, t := range declared {
			names = append(names, t.Name)
		}
	}
	count, total := make([]int, len(names)), 0
	for _, s := range l.of(class) {
		state, at, there := l.a.See(l.a.w.Now.Objects[s].ID)
		if !there {
			continue
		}
		total++
		team, _ := l.teamIn(state, at)
		if i := slices.Index(names, team); i >= 0 {
			count[i]++
		}
	}
	for ; total < n; total++ {
		i := slices.Index(count, slices.Min(count))
		count[i]++
		teams = append(teams, names[i])
	}
	return teams
}

// ResetStats gives the fields of all players their defaults, except their team and whether they have answered the
// entry form. It returns how many fields these are. The error wraps ErrReadOnly if the Actor is that of a Reader.
func (l Lineup) ResetStats() (fields int, err error) {
	for _, p := range l.a.w.Now.Players {
		slot, ok := l.a.Find(p.Object())
		if !ok {
			continue
		}
		c := l.a.Class(slot)
		for i := range c.Declared() {
			op, resets := resetOf(c, i)
			if !resets {
				continue
			}
			fields++
			if op.Target = p.Object(); err == nil {
				err = l.a.Do(op)
			}
		}
	}
	return fields, err
}

// resetOf returns the operation that gives a field of what each player has its default. resets is false if it stays
// as it is.
func resetOf(c *Class, i int) (op Op, resets bool) {
	f := &c.Fields[i]
	op.Field = i
	switch {
	case f.Name == TeamField && f.Kind == String, f.Name == EnteredField, f.List != 0:
		return op, false
	case f.Kind == Count:
		op.Kind = ClearItems
	case f.Kind == String:
		op.Kind, op.Text = SetText, textIn(f.Default, f.Cap)
	default:
		op.Kind, op.Word = SetWord, f.Default[0]
	}
	return op, true
}
