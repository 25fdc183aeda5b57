package luabind

import lua "github.com/yuin/gopher-lua"

// Limits of what the declarations of all classes stand for. A few lines can describe more than memory holds, such as
// a record that is a part of itself.
const (
	maxLeaves      = 1 << 16 // fields, with the items of lists and the parts of records, and inputs
	maxMembers     = 20_000  // methods and constants, with those that classes take over
	maxRecordDepth = 16
)

// count counts fields of the game, and reports whether there may be so many. The first that is too many is an error.
func (r *reader) count(n int) bool {
	before := r.set.leaves
	if r.set.leaves += n; before <= maxLeaves && r.set.leaves > maxLeaves {
		r.fail(nil, "%s: the classes up to this one have more than %d fields and inputs, with the items of lists",
			r.class().Name, maxLeaves)
	}
	return r.set.leaves <= maxLeaves
}

// counted returns the keys of a table of fields or inputs, sorted and counted; none if they are too many.
func (r *reader) counted(t *lua.LTable) []lua.LValue {
	if !r.count(0) {
		return nil
	}
	keys := sortedTableKeys(t)
	if !r.count(len(keys)) {
		return nil
	}
	return keys
}
