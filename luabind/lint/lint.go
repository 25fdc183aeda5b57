package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
)

// Check returns the findings about the files of a bundle, sorted.
func Check(files []world.Source, setup world.Setup) []Finding {
	p, err := luabind.NewProgram(files, setup)
	found := findingsOf(err, files)
	explainLines(found, files)
	explainNothing(found, files)
	if p == nil { // because of view.lua, or of the others
		p = program(api.WithoutView(files), setup)
	}
	all, sent, known := files, sentFields{}, (*learned)(nil)
	words := newWordsOf(files)
	sides := newCueSides(files, words)
	if p != nil || len(syntax.CheckSources(files)) == 0 {
		files = api.WithoutView(files)
		r := &report{files: files}
		g := newGame(files, p, r)
		g.usedWords = words
		if g.isLoaded() {
			g.learn(names(files))
			known = g.known
		}
		w := newWalker(g, r)
		if shown, known := shownCues(all); known {
			w.cues, w.sides = append([]string{}, shown...), sides
		}
		w.sent = sent
		w.explainCalls(found)
		w.files(files)
		w.sayUncompared(all)
		sides.say(r)
		for _, name := range luabind.UnusedModules(all) {
			r.sayIn(syntax.Place{
				File: name,
				Line: 1,
			}, "", "write require(\""+syntax.ModuleName(name)+"\") in a file that uses it, or move it beside game.lua",
				"nothing requires %s, so it is not loaded", name)
		}
		explainCopies(found, files)
		explainOmitted(found, w.omitted)
		w.game.explainNames(found)
		explainUndefined(found, all)
		found = append(found, r.findings()...)
	}
	found = append(found, checkView(all, p, sent, known, sides)...)
	Sort(found)
	return compacted(causes(found))
}

// names returns the names of files.
func names(files []world.Source) (list []string) {
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

// program returns what files compile to, nil if they do not.
func program(files []world.Source, setup world.Setup) *luabind.Program {
	p, _ := luabind.NewProgram(files, setup) // Check reports the error
	return p
}

// CheckTests returns the findings about the test files of a game: errors of
// luabind.NewTests, and names that do not exist. It leaves out what Check finds.
func CheckTests(files []world.Source, setup world.Setup, tests []world.Source) []Finding {
	return checkOutside(files, setup, tests, (*walker).readTests, func(f world.Source) error {
		_, err := luabind.NewTests(f.Name, f.Text)
		return err
	})
}

// CheckBot returns the findings about a bot's file, as CheckTests does for tests.
func CheckBot(files []world.Source, setup world.Setup, bot world.Source) []Finding {
	return checkOutside(files, setup, []world.Source{bot}, (*walker).readBot, func(f world.Source) error {
		_, err := luabind.NewBot(f.Name, f.Text)
		return err
	})
}

// checkOutside checks files that see a game from outside.
func checkOutside(
	files []world.Source, setup world.Setup, outside []world.Source,
	prepare func(*walker), load func(world.Source) error,
) (found []Finding) {
	if len(outside) == 0 {
		return nil
	}
	files = api.WithoutView(files)
	g := newGame(files, program(files, setup), &report{}) // Check reports these findings
	r := &report{files: outside}
	g.sent, g.cues = cueNames(files), cueContents(files)
	if names, known := namesGiven(files, "cue"); known && len(names) == 0 && g.isLoaded() {
		g.sent = []string{} // there are none
	}
	w := newWalker(g, r)
	prepare(w)
	for _, f := range outside {
		tree, _ := syntax.Parse(f)
		g.overloads.note(tree)
	}
	if g.isLoaded() {
		g.learn(names(files))
		w.outside, g.known = g.known, nil // which is known of the game's functions, and not of those of the same name here
		w.scope.game.reassigned = reassigned{}
		g.reassigned.next()
	}
	for _, f := range outside {
		for _, e := range findingsOf(load(f), outside) {
			e.Stops = false // the game loads without the file
			found = append(found, e)
		}
		if len(syntax.CheckSources([]world.Source{f})) > 0 {
			continue
		}
		if tree, err := syntax.Parse(f); err == nil {
			g.learnOutside(f.Name, tree, prepare)
			w.file(f.Name, tree)
		}
	}
	g.explainOutside(found, w.testing)
	found = append(found, r.findings()...)
	Sort(found)
	return compacted(causes(found))
}

// explainOutside says of a name that is not defined in a test or a bot, but in the game, how it is used from there.
func (g *game) explainOutside(found []Finding, testing bool) {
	for i := range found {
		f := &found[i]
		if of, isObject := strings.CutSuffix(f.Message, " is not defined; did you mean object?"); isObject && len(ident.Nearest(of, []string{"objects"})) > 0 {
			f.Message = of + " is not defined; did you mean objects?" // which a test and a bot have
		}
		name, isUndefined := strings.CutSuffix(f.Message, " is not defined")
		if !isUndefined || strings.HasSuffix(f.Hint, "?") || foreign(f.Message) {
			continue
		}
		_, ofGame := g.functions[name]
		c := slices.IndexFunc(g.all(), func(c *class) bool { return c.isMethod(name) && !world.BuiltIn(c.name()) })
		switch {
		case c >= 0:
			f.Hint = "it is a method of " + g.all()[c].name() + ", called with a colon after an object: o:" + name + "(...)"
		case ofGame && testing && g.isCalled(name):
			f.Hint = "it is a function of " + api.GameFile + ": write w:call(\"" + name + "\", ...), with w of t:world { ... }"
		case strings.HasPrefix(f.Hint, "declare it as a local variable"), strings.HasPrefix(f.Hint, "if it is a class, "):
			f.Hint = "declare it as a local variable of this file, which sees no variables and functions of the game's files"
		}
	}
}
