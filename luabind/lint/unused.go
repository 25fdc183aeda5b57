package lint

import (
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
	named  map[string]bool // names that code calls or looks up
}

// check reports inputs that no hook reads, and functions that nothing calls but
// that look like hooks.
func (u unused) check() {
	for _, c := range u.game.all() {
		if u.game.isLoaded() {
			names, at := c.unreadInputs()
			for i, in := range names {
				u.input(c, in, at[i])
			}
		}
		c.eachMethod(func(name string, at syntax.Place) { u.hook(c.name()+":"+name, name, at, api.ObjectHooks()) })
	}
	u.game.eachFunction(func(name string, at syntax.Place) { u.hook(name, name, at, api.GameHooks()) })
}

func (u unused) input(c *class, in string, at syntax.Place) {
	if !c.takesInput() {
		u.report.sayIn(at, in, "read it in function "+c.name()+":applyInput(input)",
			"%s declares the input %s and has no applyInput", c.name(), in)
		return
	}
	u.report.sayIn(at, in, "applyInput is the place to read it",
		"%s declares the input %s, and nothing reads it", c.name(), in)
}

// hook reports a function that nothing calls, although its name is like that of
// a hook. What the compiler refuses is reported already.
func (u unused) hook(full, name string, at syntax.Place, hooks []world.Hook) {
	var known []string
	for _, h := range hooks {
		known = append(known, h.String())
	}
	if like, _ := api.LikeHook(name, hooks); like != world.HookCount || u.named[name] || u.game.isCalled(name) ||
		api.IsFilter(name) {
		return
	}
	if hook := foreign[name]; hook != "" {
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

// foreign are the hooks of other engines, with what stands for them here.
var foreign = map[string]string{
	"_process": "tick runs in each tick", "_ready": "onSpawn runs for each new object",
	"awake":   "onSpawn runs for each new object",
	"collide": "onContact(self, other, contact) runs when bodies touch",
	"destroy": "onRemove runs before an object goes",
	"draw":    "look and view.lua say what is shown", "fixedUpdate": "tick runs in each tick",
	"init":        "onSpawn runs for each new object, and onStart of game.lua when the match begins",
	"initialize":  "onSpawn runs for each new object",
	"input":       "applyInput(self, input) is given the inputs of each tick",
	"keypressed":  "declare an input with controls, and read it in applyInput",
	"keyreleased": "declare an input with controls, and read it in applyInput",
	"load":        "onStart of game.lua runs when the match begins", "loop": "tick runs in each tick",
	"mousepressed": "declare an input with controls, and read it in applyInput",
	"new":          "spawn(\"Class\", { ... }) makes an object, and onSpawn runs for it",
	"on_activate":  "onSpawn runs for each new object", "on_step": "tick runs in each tick",
	"render":  "look and view.lua say what is shown",
	"start":   "onSpawn runs for each new object, and onStart of game.lua when the match begins",
	"touched": "onContact(self, other, contact) runs when bodies touch",
	"Touched": "onContact(self, other, contact) runs when bodies touch",
	"update":  "tick runs in each tick",
}
