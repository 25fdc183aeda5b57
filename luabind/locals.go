package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// locals are the local variables of files that functions change.
//
// A scratch variable, which each function assigns before it reads it, may be changed in hooks. Another one may be
// changed while the files are loaded, for instance to count what they declare. If nothing changes it then, a hook was
// meant to, and the program is refused, unless the change is in a function of a module that the game does not name:
// libraries have functions that a game does not use.
type locals struct {
	rights  *rights
	of      *syntax.Locals
	scratch *[]scratchVariable
	tables  *scratchTables
	changed map[int]bool // by number: while the files were loaded
}

// scratchVariable is one that each hook finds as the files left it. No function reads that, but what a hook leaves
// there would be kept in memory.
type scratchVariable struct {
	place  *lua.Upvalue
	loaded lua.LValue
}

func (v *scratchVariable) keep()  { v.loaded = v.place.Value() }
func (v *scratchVariable) reset() { v.place.SetValue(v.loaded) }

// helpers returns the functions that rewritten code calls.
func (lo *locals) helpers() []entry {
	return []entry{{syntax.Scratch, lo.declare}, {syntax.ScratchTable, lo.declareTables}, {syntax.Frozen, lo.change}}
}

// declare implements syntax.Scratch(f).
func (lo *locals) declare(L call) int {
	for _, place := range L.Get(1).(*lua.LFunction).Upvalues { // rewritten code passes nothing else
		*lo.scratch = append(*lo.scratch, scratchVariable{place, lua.LNil})
	}
	return 0
}

// declareTables implements syntax.ScratchTable(f, file, name, ...).
func (lo *locals) declareTables(L call) int {
	for i, place := range L.Get(1).(*lua.LFunction).Upvalues { // rewritten code passes nothing else
		p := scratchPlace{toText(L.Get(3 + i)), toText(L.Get(2)), place}
		lo.tables.declared = append(lo.tables.declared, p)
	}
	return 0
}

// change implements syntax.Frozen(n).
func (lo *locals) change(L call) int {
	n := int(L.Get(1).(lua.LNumber))
	if !lo.rights.loading() {
		for _, c := range lo.of.Changes {
			if c.Number == n {
				L.RaiseError("%s", c.InHook())
			}
		}
	}
	if lo.changed == nil {
		lo.changed = map[int]bool{}
	}
	lo.changed[n] = true
	return 0
}

// wrong returns the errors of changes that nothing makes while the files are loaded, but for those of files that are
// left out. mentions are those of the files.
func (lo *locals) wrong(mentions []*syntax.Mentions, leftOut func(file string) bool) (errs []error) {
	if len(lo.of.Changes) == 0 {
		return nil
	}
	reached := syntax.Reached(mentions)
	for _, c := range lo.of.Changes {
		used := c.In == "" || reached[c.In]
		if used && !lo.changed[c.Number] && !leftOut(c.File) && len(errs) < syntax.MaxProblems {
			errs = append(errs, c.Problem())
		}
	}
	return errs
}
