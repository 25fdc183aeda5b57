package luabind

import "strings"

// maxLine is the longest line that print makes, in bytes.
const maxLine = 4096

// printCost is the price of a line in instructions, besides its values: the place in the script is looked up.
const printCost = 50

// printer is print.
type printer struct {
	rights *rights
	scene  *scene
	states *interpreters
}

// entries returns the functions that print.
func (p *printer) entries() []entry { return []entry{{"print", p.print}} }

// print sends a line to the log, with the place in the script. When a tick is run
// again, it costs the same but prints nothing.
func (p *printer) print(L call) int {
	p.rights.mayPrint(L)
	L.charge(printCost + numberTextCost*L.GetTop())
	parts := make([]string, L.GetTop())
	size := 0
	for i := range parts {
		parts[i] = L.shown(L.Get(i + 1))
		size += len(parts[i]) + 1
	}
	if size > maxLine {
		L.RaiseError("print of %d bytes: at most %d", size, maxLine)
	}
	L.alloc(size)
	if p.rights.loading() || !p.scene.world().Calls().Prints() {
		return 0
	}
	p.scene.world().Calls().Print(p.scene.acting().ID, p.states.where(L.LState)+" "+strings.Join(parts, "\t"))
	return 0
}
