package luabind

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// usage knows which functions and lines used a budget, because the line in which it ends is chance: in a loop, it is
// another one in each tick. To look at every instruction would take longer than the instruction, so it looks now and
// then, and takes what was used since the last look for the calls that run. The gaps between looks differ: a loop whose
// length divides a fixed one would always be seen in the same line.
type usage struct {
	next         int64 // how many instructions are left at the next look
	left, memory int64 // how much was left at the last one
	gap          int64 // between two looks, on average
	random       uint32
	lines        []usedLine
	off          bool // it does not look: for tests that measure what scripts allocate
}

// amount is how much was used.
type amount struct{ instructions, memory int64 }

func (a *amount) add(o amount) {
	a.instructions, a.memory = a.instructions+o.instructions, a.memory+o.memory
}

// of returns the one or the other.
func (a amount) of(memory bool) int64 {
	if memory {
		return a.memory
	}
	return a.instructions
}

// usedLine is how much was used in a line of a function.
type usedLine struct {
	scriptLine
	function int    // the line in which the function begins
	own, all amount // without and with what it calls
}

// within reports whether both lines are of one function.
func (l *usedLine) within(o *usedLine) bool { return l.file == o.file && l.function == o.function }

const (
	looks      = 128 // into a whole budget
	leastGap   = 256 // between two looks: a short function is not worth one
	looksDepth = 16  // how many calls a look takes in: what it costs grows with the square of it
)

// start forgets all lines. left and memory are all there is.
func (u *usage) start(left, memory int64) {
	u.lines, u.left, u.memory, u.gap, u.random = u.lines[:0], left, memory, max(left/looks, leastGap), 0
	u.plan()
}

// apart is start for the hook within another one, whose lines are kept.
func (u *usage) apart(left, memory int64) {
	u.lines = nil
	u.start(left, memory)
}

// plan plans the next look.
func (u *usage) plan() {
	u.random = u.random*1664525 + 1013904223
	u.next = max(u.left-u.gap/2-int64(u.random>>8)%u.gap, 0)
}

// look gives what was used since the last look to the calls that an interpreter runs.
func (u *usage) look(L *lua.LState, left, memory int64) {
	if u.off {
		return
	}
	used := amount{u.left - left, u.memory - memory}
	u.left, u.memory = left, memory
	u.plan()
	var seen [looksDepth]usedLine
	n := 0
next:
	for level := 0; n < looksDepth; level++ {
		l, ok := callAt(L, level)
		if !ok {
			return
		}
		if l.line <= 0 { // one of our functions
			continue
		}
		for i := range seen[:n] {
			if l.within(&seen[i]) { // a recursion: it is not used twice
				continue next
			}
		}
		seen[n] = l
		at := u.at(l)
		at.all.add(used)
		if n == 0 {
			at.own.add(used)
		}
		n++
	}
}

// at returns the entry of a line, a new one if there is none.
func (u *usage) at(l usedLine) *usedLine {
	for i := range u.lines {
		if u.lines[i].scriptLine == l.scriptLine && u.lines[i].function == l.function {
			return &u.lines[i]
		}
	}
	u.lines = append(u.lines, l)
	return &u.lines[len(u.lines)-1]
}

// most returns the innermost function that used at least half of the instructions, or of the memory, and of its lines
// the one that did most of that. ok is false if nothing is known.
func (u *usage) most(memory bool) (m mostUsed, ok bool) {
	total, best := int64(0), int64(0)
	for i := range u.lines {
		total += u.lines[i].own.of(memory)
	}
	for i := range u.lines {
		f := u.function(i, memory)
		enough, had := f.all*2 >= total, best*2 >= total
		inner := f.all < best || f.all == best && f.own > m.own
		if enough && (!had || inner) || !had && f.all > best {
			best, m = f.all, f
		}
	}
	if best == 0 {
		return m, false
	}
	m.percent = min(100*best/total, 100)
	return m, true
}

// function sums what the lines of the function of the i-th line used.
func (u *usage) function(i int, memory bool) (m mostUsed) {
	most := int64(-1)
	for j := range u.lines {
		l := &u.lines[j]
		all := l.all.of(memory)
		if all == 0 || !l.within(&u.lines[i]) {
			continue
		}
		m.all += all
		m.own += l.own.of(memory)
		if m.first == 0 || l.line < m.first {
			m.first = l.line
		}
		m.last = max(m.last, l.line)
		if all > most || all == most && l.line < m.line {
			most, m.scriptLine = all, l.scriptLine
		}
	}
	return m
}

// mostUsed is where most of a budget was used.
type mostUsed struct {
	scriptLine        // the line that used most of what its function did
	first, last int   // the lines of the function that used something
	own, all    int64 // what they used, without and with what they call
	percent     int64 // all, of the budget
}

func (m *mostUsed) String() string {
	share, calls := "almost all", ""
	if m.percent < 95 { // it does not look often enough to tell more from all
		share = fmt.Sprintf("about %d %%", m.percent)
	}
	if m.own < m.all {
		calls = ", with what is called there"
	}
	if m.first == m.last {
		return fmt.Sprintf("%s of it in line %d%s", share, m.first, calls)
	}
	return fmt.Sprintf("%s of it in lines %d to %d%s", share, m.first, m.last, calls)
}

// callAt returns the line that a call runs, and its function. ok is false if there is no such call.
func callAt(L *lua.LState, level int) (l usedLine, ok bool) {
	frame, ok := L.GetStack(level)
	if !ok {
		return l, false
	}
	if _, err := L.GetInfo("Sl", frame, lua.LNil); err != nil {
		return l, true
	}
	return usedLine{scriptLine: scriptLine{frame.Source, frame.CurrentLine}, function: frame.LineDefined}, true
}
