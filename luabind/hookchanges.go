package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// HookChanges lists the hooks whose code differs between two programs and which do nothing at once, a line each: hooks
// that run when a level begins, when a player joins, or when an object spawns. world.ShownLater knows the lines.
func HookChanges(from, to *VM) (lines []string) {
	schema := to.Schema()
	for i := range schema.Classes {
		c := &schema.Classes[i]
		j, had := from.Schema().ClassByName(c.Name)
		for h := range world.HookCount {
			line := world.HookChanged(c.Name, h)
			if line == "" || !had || h == world.OnJoin && schema.Asks() { // it is the function of the form then
				continue
			}
			old, now := from.objects.class(uint16(j)).hook(h), to.objects.class(uint16(i)).hook(h)
			if old != nil && now != nil && !(&sameCode{}).functions(old, now) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// sameCode compares functions of two programs, and those that they have captured. Tables are not compared.
type sameCode struct{ seen []*lua.LFunction }

func (s *sameCode) functions(a, b *lua.LFunction) bool {
	if slices.Contains(s.seen, a) {
		return true
	}
	s.seen = append(s.seen, a)
	if a.IsG || b.IsG {
		return a.IsG == b.IsG // ours
	}
	if !sameProto(a.Proto, b.Proto) || len(a.Upvalues) != len(b.Upvalues) {
		return false
	}
	for i := range a.Upvalues {
		if !s.values(a.Upvalues[i].Value(), b.Upvalues[i].Value()) {
			return false
		}
	}
	return true
}

func (s *sameCode) values(a, b lua.LValue) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a := a.(type) {
	case *lua.LFunction:
		return s.functions(a, b.(*lua.LFunction))
	case *lua.LTable, *lua.LUserData:
		return true
	}
	return a == b
}

// sameProto reports whether two functions have the same code, in whatever lines.
func sameProto(a, b *lua.FunctionProto) bool {
	return a.NumParameters == b.NumParameters && a.IsVarArg == b.IsVarArg && slices.Equal(a.Code, b.Code) &&
		slices.Equal(a.Constants, b.Constants) &&
		slices.EqualFunc(a.FunctionPrototypes, b.FunctionPrototypes, sameProto)
}
