package luabind

import lua "github.com/yuin/gopher-lua"

type sorter struct {
	L    call
	less *lua.LFunction
}

// before reports whether a goes before b.
func (s *sorter) before(a, b lua.LValue) bool {
	s.L.charge(2 + min(textWork(a), textWork(b)))
	if s.less == nil {
		switch a := a.(type) {
		case lua.LNumber:
			if b, ok := b.(lua.LNumber); ok {
				return a < b
			}
		case lua.LString:
			if b, ok := b.(lua.LString); ok {
				return a < b
			}
		}
		if isTable(a) && isTable(b) && event(a, "__lt") != lua.LNil {
			return s.L.LessThan(a, b)
		}
		s.L.RaiseError("table.sort cannot compare %s with %s; pass a function that compares them", aTypeName(a),
			aTypeName(b))
	}
	s.L.Push(s.less)
	s.L.Push(a)
	s.L.Push(b)
	s.L.Call(2, 1)
	v := s.L.Get(-1)
	s.L.Pop(1)
	return lua.LVAsBool(v)
}

func isTable(v lua.LValue) bool { return v.Type() == lua.LTTable }

// sort sorts v by merging from the bottom up. room is as long as v.
func (s *sorter) sort(v, room []lua.LValue) {
	for width := 1; width < len(v); width *= 2 {
		for from := 0; from+width < len(v); from += 2 * width {
			s.merge(v[from:min(from+2*width, len(v))], width, room)
		}
	}
}

// merge merges v[:mid] and v[mid:], each of which is sorted.
func (s *sorter) merge(v []lua.LValue, mid int, room []lua.LValue) {
	left := room[:copy(room, v[:mid])]
	i, j := 0, mid
	for k := range v {
		switch {
		case i == len(left):
			return
		case j < len(v) && s.before(v[j], left[i]):
			v[k] = v[j]
			j++
		default:
			v[k] = left[i]
			i++
		}
	}
}
