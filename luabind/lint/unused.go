package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
)

// unused finds declarations that nothing uses.
type unused struct {
	game   *game
	report *report
	named  map[string]bool       // names that code calls or looks up
	inputs map[syntax.Place]bool // methods that are said to be meant as applyInput
	lacks  bool                  // calls name a function that game.lua lacks: it may have another name there

	oneSided map[string]bool // layers that are said to be named on one side only, and those of the classes that name them
}

// rxMeant matches a hint that says which name is meant.
var rxMeant = regexp.MustCompile(`^did you mean (\w+)\?`)

// rxCalls matches the message about a function of calls that game.lua does not have.
var rxCalls = regexp.MustCompile(`^game\.calls\.(\w+): there is no function `)

// explainCalls says which function is meant by a name in game { calls = ... } that is none of game.lua, and notes that it is
// used, as what a name that is not defined is like.
func (w *walker) explainCalls(found []Finding) {
	for i := range found {
		m := rxCalls.FindStringSubmatch(found[i].Message)
		if m == nil {
			name, _, _ := strings.Cut(found[i].Message, " is not defined")
			for _, meant := range ident.Nearest(name, w.game.timeable()) {
				w.named[meant] = true
			}
			continue
		}
		near := ident.Nearest(m[1], w.game.timeable())
		switch elsewhere := w.game.functionsOf.globals[m[1]]; {
		case w.game.functionsOf.locals[api.GameFile][m[1]] != nil:
			found[i].Hint = "leave out local: function " + m[1] + "(...) ... end"
			w.named[m[1]] = true
		case elsewhere != nil && elsewhere.file != api.GameFile:
			found[i].Hint = "move it from " + elsewhere.file + " into " + api.GameFile
			w.named[m[1]] = true
		case len(near) > 0:
			found[i].Hint = "did you mean " + near[0] + "?"
			w.named[near[0]] = true
		default:
			found[i].Hint = "write function " + m[1] + "(...) ... end in " + api.GameFile
			w.lacksCalled = true
		}
	}
}

// noteMeant notes the names that findings take others for: what has such a name is used.
func (w *walker) noteMeant() {
	for _, f := range w.report.findings() {
		if m := rxMeant.FindStringSubmatch(f.Hint); m != nil {
			w.named[m[1]] = true
		}
	}
}

// check reports inputs that no hook reads, and functions that nothing calls but
// that look like hooks.
func (u unused) check() {
	for _, c := range u.game.all() {
		if u.game.isLoaded() && !u.inputHook(c) {
			names, at := c.unreadInputs()
			for i, in := range names {
				u.input(c, in, at[i])
			}
		}
		c.eachMethod(func(name string, at syntax.Place) {
			u.hook(c, c.name()+":"+name, name, at, api.ObjectHooks())
			u.bodyHook(c, name, at)
		})
	}
	if u.lacks {
		return
	}
	u.game.eachFunction(func(name string, at syntax.Place) { u.hook(nil, name, name, at, api.GameHooks()) })
}

// inputHook checks function Ship:handleInput(input) of a class that has inputs and no applyInput. said reports that there
// is a finding.
func (u unused) inputHook(c *class) (said bool) {
	if names, _ := c.unreadInputs(); len(names) == 0 || c.takesInput() {
		return false
	}
	c.eachMethod(func(name string, at syntax.Place) {
		f := u.game.functionsOf.ofClass(c, name)
		if said || f == nil || u.named[name] || !f.colon || !u.isNoHook(name, api.ObjectHooks()) || len(f.f.ParList.Names) != 1 ||
			!slices.Contains([]string{"input", "inputs", "controls", "cmd"}, f.f.ParList.Names[0]) {
			return
		}
		said, u.inputs[at] = true, true
		u.report.sayIn(at, name, "write function "+c.name()+":applyInput("+f.f.ParList.Names[0]+")", "%s:%s is not a hook, and nothing calls it",
			c.name(), name)
	})
	return said
}

// foreignAnswers are functions of other engines that are given something and that only count with it, with the hook that
// stands for them, by name.
var foreignAnswers = map[string]struct {
	params []string
	hook   string
}{
	"validate": {[]string{"claimed", "pose", "move", "state"}, "verify(self, claimed) decides about the pose that the owner of an object claims"},
	"step":     {[]string{"delta", "dt", "elapsed"}, "tick runs in each tick"},
	"upgrade":  {[]string{"old", "from", "saved", "previous"}, "migrate(self, old) is given the state of an object before a change of its class"},
}

// answer returns what stands for a function of another engine; empty: nothing does.
func (u unused) answer(c *class, name string) string {
	foreign, known := foreignAnswers[name]
	if c == nil || !known {
		return ""
	}
	f := u.game.functionsOf.ofClass(c, name)
	if f == nil || len(f.f.ParList.Names) != 1 || !slices.Contains(foreign.params, f.f.ParList.Names[0]) {
		return ""
	}
	return foreign.hook
}

// isNoHook reports whether a name is neither that of a hook nor like one.
func (u unused) isNoHook(name string, hooks []world.Hook) bool {
	like, _ := api.LikeHook(name, hooks)
	return like == world.HookCount && !u.game.isCalled(name)
}

func (u unused) input(c *class, in string, at syntax.Place) {
	if !c.takesInput() && slices.ContainsFunc(c.below, (*class).takesInput) {
		return // the classes that extend it are those that are steered
	}
	if !c.takesInput() {
		u.report.sayIn(at, in, "read it in function "+c.name()+":applyInput(input)",
			"%s declares the input %s and has no applyInput", c.name(), in)
		return
	}
	u.report.sayOf(topic{anUnread, c.name(), in}, at, in, "applyInput is the place to read it",
		"%s declares the input %s, and nothing reads it", c.name(), in)
}

// hook reports a function that nothing calls, although its name is like that of
// a hook. What the compiler refuses is reported already.
func (u unused) hook(c *class, full, name string, at syntax.Place, hooks []world.Hook) {
	var known []string
	for _, h := range hooks {
		known = append(known, h.String())
	}
	if !u.isNoHook(name, hooks) || u.named[name] || u.inputs[at] || api.IsFilter(name) {
		return
	}
	if hook := or(api.ForeignHook(name), u.answer(c, name)); hook != "" {
		if c != nil && c.body.known && c.body.sensor && strings.HasPrefix(hook, "onContact(") {
			hook = "the body is a sensor: onTrigger(self, other) runs when another body enters it"
		}
		u.report.sayIn(at, name, hook, "%s is not a hook, and nothing calls it", full)
		return
	}
	startsOn := strings.HasPrefix(name, "on") && len(name) > 2 && name[2] >= 'A' && name[2] <= 'Z'
	if len(ident.Nearest(name, known)) == 0 && !startsOn {
		return
	}
	u.report.sayIn(at, name, didYouMean(name, known, "the hooks are "+strings.Join(known, ", ")),
		"%s is not a hook, and nothing calls it", full)
}
