package world

// Look is how viewers draw an object. The simulation never reads it.
type Look struct {
	Shape string `json:"shape,omitempty"` // how it is drawn: a name that viewers know
	Color string `json:"color,omitempty"` // as CSS writes it
	Label string `json:"label,omitempty"` // text below it; {field} stands for a field's value
	Bar   string `json:"bar,omitempty"`   // a number field with a range: a bar above it, full at the maximum
}

// LabelParts calls part for each piece of the label: some text, which may be empty, and the
// name of the field whose value follows it, which is "" for the last piece.
func (l *Look) LabelParts(part func(text, field string)) {
	from, open := 0, -1
	for i := range len(l.Label) {
		switch {
		case l.Label[i] == '{':
			open = i
		case l.Label[i] == '}' && open >= 0:
			part(l.Label[from:open], l.Label[open+1:i])
			from, open = i+1, -1
		}
	}
	part(l.Label[from:], "")
}

// Changes reports whether the label shows values of fields.
func (l *Look) Changes() (yes bool) {
	l.LabelParts(func(_, field string) { yes = yes || field != "" })
	return yes
}
