package world

// ButtonCounts is a number from 0 to 15 for each button.
type ButtonCounts [MaxButtons / countsPerWord]uint64

const (
	countBits     = 4
	countsPerWord = 64 / countBits
	countMask     = 1<<countBits - 1
)

// Of returns the number of a button, given as a bit of Input.Buttons.
func (c *ButtonCounts) Of(button int) int {
	return int(c[button/countsPerWord] >> (button % countsPerWord * countBits) & countMask)
}

// Set sets the number of a button to n modulo 16.
func (c *ButtonCounts) Set(button, n int) {
	word, shift := &c[button/countsPerWord], button%countsPerWord*countBits
	*word = *word&^(countMask<<shift) | uint64(n&countMask)<<shift
}

// Turn counts that a button of Input.Edges went down or up.
func (c *ButtonCounts) Turn(button int) {
	switch n := c.Of(button); n {
	case notCounted:
		c.Set(button, firstCount+1)
	case countMask:
		c.Set(button, firstCount)
	default:
		c.Set(button, n+1)
	}
}

// A button of Input.Edges is counted from firstCount to 15, and then from firstCount on again.
const (
	notCounted = 0
	firstCount = 2
	countCycle = countMask - firstCount + 1
)

// Presses are how often each button went down and up since the object's last input. Only
// buttons whose InputField is Counted have presses, at most four of each.
type Presses struct{ Down, Up ButtonCounts }

// InputFields are the inputs that a class declares.
type InputFields []InputField

// counted calls f for each counted button. n counts them from 0, in the order of declaration.
func (fs InputFields) counted(f func(n int, in *InputField)) {
	total := 0
	for i := range fs {
		if in := &fs[i]; in.Counted {
			f(total, in)
			total++
		}
	}
}

// countedButtons returns how many buttons are counted. Most classes have none, and every steered
// object asks in every tick.
func (fs InputFields) countedButtons() (n int) {
	for i := range fs {
		if fs[i].Counted {
			n++
		}
	}
	return n
}

// fields returns the fields of a class in which the state keeps the counts on which its objects
// acted last.
func (fs InputFields) fields() (out []Field) {
	fs.counted(func(_ int, in *InputField) {
		out = append(out, Field{
			Name:    "edges of " + in.Name,
			Kind:    Number,
			Max:     countMask,
			Step:    1,
			Show:    ShowStep,
			Default: []uint64{NumberBits(firstCount)},
		})
	})
	return out
}

// actedOn are these counts of an object.
type actedOn struct {
	of    InputFields
	words []uint64 // of the row
}

func actedOnBy(c *Class, row Row) actedOn {
	n := c.Inputs.countedButtons()
	if n == 0 {
		return actedOn{}
	}
	first := len(c.Fields) - n - ownershipWords(c)
	at := c.Fields[first].Offset
	return actedOn{of: c.Inputs, words: row.State[at : at+n]}
}

// mostChanges is by how much a count may have gone forward. A larger difference is a count that
// went back.
const mostChanges = countCycle / 2

func (a actedOn) count(n int) int { return int(wholeOf(a.words[n], countMask)) }

// differ reports whether an input has other counts.
func (a actedOn) differ(in *Input) (differ bool) {
	a.of.counted(func(n int, f *InputField) {
		now := in.Edges.Of(f.Index)
		differ = differ || now != notCounted && now != a.count(n)
	})
	return differ
}

// take sets the counts to those of an input, and returns the presses since the last one. After
// the owner has changed, the counts of the last one are not known, and there are no presses.
func (a actedOn) take(in *Input) (p Presses) {
	a.of.counted(func(n int, f *InputField) {
		was, now := a.count(n), in.Edges.Of(f.Index)
		if now == notCounted {
			return
		}
		a.words[n] = NumberBits(float64(now))
		changes := (now - was + countCycle) % countCycle
		if was == notCounted || changes > mostChanges {
			return
		}
		p.Down.Set(f.Index, (changes+1-was&1)/2) // the first change is a press if the button was up
		p.Up.Set(f.Index, (changes+was&1)/2)
	})
	return p
}

func (a actedOn) forget() {
	for i := range a.words {
		a.words[i] = NumberBits(notCounted)
	}
}

// TakeEdges gives the object of a slot the counts of an input, and returns the presses since its
// last input. Counts that went back are those of a client that has started anew: they press
// nothing, as do the first counts of a new owner. An input that is not counted, such as the neutral
// one, leaves the object's counts as they are.
func (w *World) TakeEdges(slot int, in *Input) (p Presses) {
	if in.Edges == (ButtonCounts{}) {
		return p // nothing is counted, as in most games
	}
	acted := actedOnBy(w.Class(slot), w.Now.Row(slot))
	if len(acted.words) == 0 || !acted.differ(in) {
		return p
	}
	w.touch(slot)
	return acted.take(in)
}

// EdgesOf returns the counts on which an object acted last, from its row: from there a client
// counts that begins to steer it.
func EdgesOf(c *Class, row Row) (e ButtonCounts) {
	acted := actedOnBy(c, row)
	acted.of.counted(func(n int, f *InputField) { e.Set(f.Index, acted.count(n)) })
	return e
}

// FollowEdges sets the counts of an input that no client counts, such as that of a think hook:
// from the buttons that are down in it, and from the counts on which the object of a row acted
// last.
func FollowEdges(c *Class, row Row, in *Input) {
	acted := actedOnBy(c, row)
	acted.of.counted(func(n int, f *InputField) {
		in.Edges.Set(f.Index, max(acted.count(n), firstCount))
		if in.Edges.Of(f.Index)&1 != int(in.Buttons>>f.Index&1) {
			in.Edges.Turn(f.Index)
		}
	})
}
