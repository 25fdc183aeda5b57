package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// cues emits cues for scripts.
type cues struct {
	env    *environment
	rights *rights
	scene  *scene
}

// cueCost is the price of a cue in instructions, besides its fields.
const cueCost = 100

// The words of cue and their meanings.
var (
	cueTo   = map[string]world.CueTo{"all": world.CueAll, "owner": world.CueOwner, "others": world.CueOthers}
	cueWhen = map[string]world.CueWhen{"predicted": world.CuePredicted, "confirmed": world.CueConfirmed}
)

// CueReaders returns who may get a cue, and CueTimes when they do, besides the number of a player.
func CueReaders() []string { return ident.Keys(cueTo) }

// CueTimes returns when a cue may be shown.
func CueTimes() []string { return ident.Keys(cueWhen) }

// CueReserved returns the names that a cue's fields cannot have.
func CueReserved() []string { return slices.Clone(cueReserved) }

// cueReserved are the names that view.lua finds in every cue.
var cueReserved = []string{"age", "mine", "name", "object"}

// entries returns the functions that emit cues.
func (cu *cues) entries() []entry { return []entry{{"cue", cu.cue}, {"tell", cu.tell}} }

// cue implements cue(name, fields). It emits an effect for viewers.
func (cu *cues) cue(L call) int {
	cu.rights.mayChange(L)
	cu.scene.notMigrating(L)
	name := L.text(1, "cue: the name")
	args := cu.env.none()
	if L.Get(2) != lua.LNil {
		args = L.table(2, "cue: the second argument")
	}
	L.charge(cueCost)
	to, when, lasts := world.CueAll, world.CuePredicted, 0.0
	var fields []world.CueField
	for _, k := range keysOf(L, args) {
		key, isName := k.(lua.LString)
		v := valueAt(args, k)
		switch {
		case !isName:
			L.RaiseError("cue: fields have names, not numbers: { x = 1 }")
		case key == "to":
			to = cu.to(L, v)
		case key == "when":
			when = oneOf(L, "cue: when", v, cueWhen)
		case key == "lasts":
			n, ok := v.(lua.LNumber)
			if !ok {
				L.RaiseError("cue: lasts must be a number of seconds, not %s", toText(v))
			}
			lasts = float64(n)
		case slices.Contains(cueReserved, string(key)):
			L.RaiseError(
				"cue: the field %s needs another name: view.lua finds there what Hindcast says about the cue (%s)",
				string(key), world.Listed(cueReserved))
		case len(fields) == world.MaxCueFields:
			L.RaiseError("cue: a cue has at most %d fields", world.MaxCueFields)
		default:
			fields = append(fields, cueField(L, string(key), v))
		}
	}
	if err := cu.scene.world().Cue(name, to, when, lasts, fields); err != nil {
		L.RaiseError("%s", err.Error())
	}
	return 0
}

// to reads who gets a cue: a word, or the number of a player.
func (cu *cues) to(L call, v lua.LValue) world.CueTo {
	if n, ok := v.(lua.LNumber); ok {
		return world.CueFor(playerOf(L, float64(n)))
	}
	return oneOf(L, "cue: to", v, cueTo)
}

// tell implements tell(player, text).
func (cu *cues) tell(L call) int {
	cu.rights.mayChange(L)
	cu.scene.notMigrating(L)
	p := playerOf(L, L.number(1, "tell: the player"))
	text := L.text(2, "tell: the text")
	L.charge(cueCost + len(text)/32)
	if err := cu.scene.world().Tell(p, text); err != nil {
		L.RaiseError("tell: %s", err.Error())
	}
	return 0
}

// oneOf returns the meaning of a word.
func oneOf[T any](L call, what string, v lua.LValue, words map[string]T) T {
	word, _ := v.(lua.LString)
	meaning, ok := words[string(word)]
	if !ok {
		L.RaiseError("%s must be one of %s, not %s", what, world.Listed(ident.Keys(words)), toText(v))
	}
	return meaning
}

func cueField(L call, name string, v lua.LValue) world.CueField {
	f := world.CueField{Name: name}
	L.alloc(64)
	switch v := v.(type) {
	case lua.LNumber:
		f.Kind, f.Number = world.Number, float64(v)
	case lua.LBool:
		f.Kind = world.Bool
		if v {
			f.Number = 1
		}
	case lua.LString:
		f.Kind, f.Text = world.String, string(v)
		L.alloc(len(v))
	default:
		L.RaiseError("cue: %s is %s: a cue carries numbers, booleans and strings (for an object, its id)", name,
			aTypeName(v))
	}
	return f
}
