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
		c.eachMethod(func(name string, at syntax.Place) {
			u.hook(c, c.name()+":"+name, name, at, api.ObjectHooks())
			u.bodyHook(c, name, at)
		})
	}
	u.game.eachFunction(func(name string, at syntax.Place) { u.hook(nil, name, name, at, api.GameHooks()) })
}

func (u unused) input(c *class, in string, at syntax.Place) {
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
	if like, _ := api.LikeHook(name, hooks); like != world.HookCount || u.named[name] || u.game.isCalled(name) ||
		api.IsFilter(name) {
		return
	}
	if hook := api.ForeignHook(name); hook != "" {
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
