package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// gameFunctions collects the global functions of game.lua.
func (l *linter) gameFunctions(tree []ast.Stmt) {
	if l.file != api.GameFile {
		return
	}
	for _, s := range tree {
		if f, ok := s.(*ast.FuncDefStmt); ok && f.Name.Receiver == nil {
			if n := syntax.NameOf(f.Name.Func); n != "" {
				l.globals[n] = lintPlace{l.file, f.Line()}
			}
		}
	}
}

// unused reports inputs that nobody reads, and functions that nobody calls
// but that look like hooks.
func (l *linter) unused() {
	for _, n := range ident.Keys(l.classes) {
		c := l.classes[n]
		for _, in := range ident.Keys(c.inputs) {
			if !c.read[in] && !c.all && !c.open {
				l.unusedInput(c, in)
			}
		}
		for _, m := range ident.Keys(c.methods) {
			l.unusedHook(c.name+":"+m, m, c.methods[m], api.ObjectHooks())
		}
	}
	for _, n := range ident.Keys(l.globals) {
		l.unusedHook(n, n, l.globals[n], api.GameHooks())
	}
}

func (l *linter) unusedInput(c *lintClass, in string) {
	_, applies := c.methods[world.ApplyInput.String()]
	_, simulates := c.methods[world.Simulate.String()]
	if !applies && !simulates {
		l.sayIn(c.file, c.inputs[in], in, "read it in function "+c.name+":applyInput(input)", "%s declares the input %s and has no applyInput", c.name, in)
		return
	}
	l.sayIn(c.file, c.inputs[in], in, "applyInput is the place to read it", "%s declares the input %s, and nothing reads it", c.name, in)
}

// unusedHook reports a function that is called by nobody, although its name is
// like that of a hook. What Compile refuses it has reported.
func (l *linter) unusedHook(full, name string, at lintPlace, hooks []world.Hook) {
	var known []string
	for _, h := range hooks {
		known = append(known, h.String())
	}
	if like, _ := api.LikeHook(name, hooks); like != world.HookCount || l.named[name] || name == api.Relevant {
		return
	}
	startsOn := strings.HasPrefix(name, "on") && len(name) > 2 && name[2] >= 'A' && name[2] <= 'Z'
	if len(ident.Nearest(name, known)) == 0 && !startsOn {
		return
	}
	l.sayIn(at.file, at.line, name, didYouMean(name, known, "the hooks are "+strings.Join(known, ", ")), "%s is no hook, and nothing calls it", full)
}
