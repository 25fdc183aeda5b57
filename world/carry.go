package world

import "math"

// carryPlan returns, for each field of a class, which field of an older version of the class its value
// comes from: the one of the same name and kind, -1 for none. Items of a list carry over only if their
// kind is the same.
func carryPlan(from, to *Class) []int {
	at := make(map[string]int, len(from.Fields))
	for i := range from.Fields {
		at[from.Fields[i].Name] = i
	}
	plan := make([]int, len(to.Fields))
	for i := range to.Fields {
		j, ok := at[to.Fields[i].Name]
		if !ok || from.Fields[j].Kind != to.Fields[i].Kind || to.Fields[i].Kind == Count && !sameItems(from, to, j, i) {
			j = -1
		}
		plan[i] = j
	}
	return plan
}

// CarryRows returns a function that makes of the fields of an object those that a newer version of its class has, as
// Migrate carries them over. It does not change what it is given.
func CarryRows(from, to *Class) func(old Row) Row {
	plan := carryPlan(from, to)
	return func(old Row) Row {
		row := freshRow(to).Clone()
		carryFields(from, to, plan, old, row)
		return row
	}
}

// sameItems reports whether two lists both hold records, or both hold plain values of one kind.
func sameItems(from, to *Class, i, j int) bool {
	a, b := &from.Fields[i+1], &to.Fields[j+1]
	plain := a.Name == from.Fields[i].Name[1:]+"[1]"
	return plain == (b.Name == to.Fields[j].Name[1:]+"[1]") && (!plain || a.Kind == b.Kind)
}

// carryFields fills a row from that of the older version. A field without a source, or whose value
// does not fit, starts at its default.
func carryFields(from, to *Class, plan []int, old, row Row) {
	for i := range to.Fields {
		f := &to.Fields[i]
		if plan[i] < 0 || !to.Has(row, i) {
			copy(row.Words(f), f.Default)
			continue
		}
		g := &from.Fields[plan[i]]
		switch {
		case f.Kind == Count:
			row.SetWord(f, uint64(min(g.Len(old), f.Cap)))
		case f.Kind == String && len(StringField(old, g)) > f.Cap:
			copy(row.Words(f), f.Default)
		case f.Kind == Number:
			row.SetWord(f, NumberBits(f.Quantize(math.Float64frombits(old.Word(g)))))
		default:
			copy(row.Words(f), old.Words(g))
		}
	}
}
