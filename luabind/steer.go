package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
	lua "github.com/yuin/gopher-lua"
)

// steering are the functions that make inputs for a bot.
type steering struct {
	class *world.Class // of the object that the bot steers
	own   uint64       // a number for this bot and object
	tick  world.Tick
	lost  bool // steer did not understand the names of the inputs
}

// begin starts with an object at a tick.
func (st *steering) begin(class *world.Class, own uint64, tick world.Tick) {
	*st = steering{class: class, own: own, tick: tick}
}

// isLost reports whether steer did not understand the names of the inputs.
func (st *steering) isLost() bool { return st.lost }

// entries returns the functions of a bot's world besides those that read.
func (st *steering) entries() []entry {
	return []entry{{"anything", st.anything}, {"steer", st.steer}}
}

// anything implements world.anything(): all inputs of the object at random, each held
// for 10 to 40 ticks. A bot keeps nothing between ticks: each input has a
// period of its own, and its value in a period is a hash.
func (st *steering) anything(L call) int {
	fields := st.class.Inputs
	L.alloc(100 + 100*len(fields))
	out := L.CreateTable(0, len(fields))
	for i := range fields {
		f := &fields[i]
		own := mix(st.own ^ uint64(i))
		period := 10 + own%31
		now := mix(own ^ uint64(st.tick)/period)
		at := float64(float64(now>>11) * (1.0 / (1 << 53)))
		switch {
		case !f.Axis:
			out.RawSetString(f.Name, lua.LBool(at < likely(partOf(f))))
		case at < 0.3: // let go
		default:
			part := (at - 0.3) / 0.7
			out.RawSetString(f.Name, lua.LNumber(f.Min+float64(part*(f.Max-f.Min))))
		}
	}
	L.Push(out)
	return 1
}

// likely returns the part of the time for which a random bot holds an input. It makes
// objects that fly move on.
func likely(p inputEffect) float64 {
	switch p {
	case ahead:
		return 0.6
	case back:
		return 0.15
	}
	return 0.3
}

// steer implements world.steer(turn, push, x, y): the inputs that steer the object, as
// far as their names tell what they do, or nil.
func (st *steering) steer(L call) int {
	w := steerGoal{
		L.number(1, "steer: turn"),
		L.number(2, "steer: push"),
		L.number(3, "steer: x"),
		L.number(4, "steer: y"),
	}
	h := inputEffectsOf(st.class.Inputs)
	if !h.moves() {
		st.lost = true
		return 0
	}
	L.alloc(500)
	out := L.CreateTable(0, len(st.class.Inputs))
	for i := range st.class.Inputs {
		f := &st.class.Inputs[i]
		v := h.want(h.parts[i], w)
		switch {
		case f.Axis && h.parts[i] == heading:
			out.RawSetString(f.Name, lua.LNumber(min(max(v, f.Min), f.Max)))
		case f.Axis && v < 0:
			out.RawSetString(f.Name, lua.LNumber(-v*f.Min))
		case f.Axis:
			out.RawSetString(f.Name, lua.LNumber(v*f.Max))
		default:
			out.RawSetString(f.Name, lua.LBool(v > 0.1))
		}
	}
	L.Push(out)
	return 1
}

// steerGoal is where a bot wants the object to go: relative to the object, turn
// (counter-clockwise) and push (ahead), or in the world, the direction x, y.
type steerGoal struct{ turn, push, x, y float64 }

// inputEffect is the effect of an input.
type inputEffect uint8

const (
	noPart inputEffect = iota
	left
	right
	up
	down
	ahead
	back
	turning // to the left
	wheel   // the same to the right
	across  // to the right
	along   // upwards, or ahead
	heading // the angle in which to go
)

// effectWords are parts of names of inputs. If several match, the first one counts.
type effectWords struct {
	part inputEffect
	of   []string
}

var (
	buttonWords = []effectWords{{left, []string{"left"}}, {right, []string{"right"}},
		{back, []string{"back", "brake", "reverse"}},
		{ahead, []string{"accel", "forward", "thrust", "gas", "ahead"}}, {up, []string{"up"}}, {down, []string{"down"}}}
	axisWords = []effectWords{{heading, []string{"aim", "angle", "direction", "heading"}},
		{turning, []string{"turn"}}, {wheel, []string{"steer"}}, {across, []string{"strafe"}},
		{along, []string{"throttle", "thrust", "accel", "gas"}}}
)

// inputEffects has the effects of the inputs of a class.
type inputEffects struct {
	parts []inputEffect // by input
	there [heading + 1]bool
}

func inputEffectsOf(fields []world.InputField) *inputEffects {
	h := &inputEffects{parts: make([]inputEffect, len(fields))}
	for i := range fields {
		h.parts[i] = partOf(&fields[i])
		h.there[h.parts[i]] = true
	}
	return h
}

func partOf(f *world.InputField) inputEffect {
	name, list := strings.ToLower(f.Name), buttonWords
	if f.Axis {
		list = axisWords
	}
	for _, w := range list {
		if slices.ContainsFunc(w.of, func(s string) bool { return strings.Contains(name, s) }) {
			return w.part
		}
	}
	switch {
	case f.Axis && strings.HasSuffix(name, "x"):
		return across
	case f.Axis && strings.HasSuffix(name, "y"):
		return along
	}
	return noPart
}

// moves reports whether any of the inputs moves the object.
func (h *inputEffects) moves() bool {
	for _, p := range []inputEffect{left, right, up, ahead, turning, wheel, across, along} {
		if h.there[p] {
			return true
		}
	}
	return false
}

// turns reports whether the object steers like a ship or a car: it turns, and
// is pushed ahead.
func (h *inputEffects) turns() bool {
	return h.there[turning] || h.there[wheel] || h.there[ahead] && (h.there[left] || h.there[across])
}

// want returns the value for an input, -1 to 1; for a heading, the angle.
func (h *inputEffects) want(p inputEffect, w steerGoal) float64 {
	side, far := w.x, w.y
	if h.turns() {
		side, far = -w.turn, w.push
	}
	switch p {
	case left:
		return -side
	case right, across:
		return min(max(side, -1), 1)
	case up, ahead, along:
		if p == ahead && !h.turns() {
			return w.push
		}
		return min(max(far, -1), 1)
	case down, back:
		return -far
	case turning:
		return min(max(w.turn, -1), 1)
	case wheel:
		return min(max(-w.turn, -1), 1)
	case heading:
		return detmath.Atan2(w.y, w.x)
	}
	return 0
}
