package gametest

import (
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// Options say what is run, and what is shown of it.
type Options struct {
	Out     io.Writer
	Run     *regexp.Regexp // only tests whose names match; nil: all
	Verbose bool           // tell of the tests that pass, too
	// Stopwatch is the time since a moment of your choice; nil: nothing is timed.
	Stopwatch func() time.Duration
}

// Result counts tests.
type Result struct{ Run, Failed int }

// Run runs a game's tests, file by file, in their order. name is what the
// last line calls the game. The error says which files do not load; then
// nothing is run.
func Run(name string, game *scripts.Game, o Options) (r Result, err error) {
	if o.Stopwatch == nil {
		o.Stopwatch = func() time.Duration { return 0 }
	}
	begin := o.Stopwatch()
	script, err := game.Compile(compile)
	if err != nil {
		return r, err
	}
	if len(game.Tests) == 0 {
		fmt.Fprintf(o.Out, "?   \t%s\t[no test files]\n", name)
		return r, nil
	}
	files, err := load(game)
	if err != nil {
		return r, err
	}
	for _, f := range files {
		for i, test := range f.Names() {
			if o.Run == nil || o.Run.MatchString(test) {
				r.Run++
				if !runOne(f, i, test, game, script.Schema(), &o) {
					r.Failed++
				}
			}
		}
	}
	o.conclude(name, r, o.Stopwatch()-begin)
	return r, nil
}

// conclude writes the last line.
func (o *Options) conclude(name string, r Result, took time.Duration) {
	seconds := fmt.Sprintf("%.3fs", took.Seconds())
	switch {
	case r.Failed > 0:
		fmt.Fprintf(o.Out, "FAIL\nFAIL\t%s\t%s\n", name, seconds)
	case r.Run == 0:
		fmt.Fprintf(o.Out, "ok  \t%s\t%s [no tests to run]\n", name, seconds)
	default:
		if o.Verbose {
			fmt.Fprintln(o.Out, "PASS")
		}
		fmt.Fprintf(o.Out, "ok  \t%s\t%s\n", name, seconds)
	}
}

// load reads all test files, and gives all that is wrong with them.
func load(game *scripts.Game) (files []*luabind.Tests, err error) {
	var wrong []error
	for _, source := range game.Tests {
		f, err := luabind.NewTests(source.Name, source.Text)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		files = append(files, f)
	}
	return files, game.Problems(wrong...)
}

// runOne runs a test and reports whether it passed.
func runOne(f *luabind.Tests, i int, name string, game *scripts.Game, schema *world.Schema, o *Options) bool {
	if o.Verbose {
		fmt.Fprintf(o.Out, "=== RUN   %s\n", name)
	}
	begin := o.Stopwatch()
	var printed []string
	lines := f.Run(i, newStage(game, schema, func(line string) { printed = append(printed, line) }))
	failed := false
	for _, l := range lines {
		failed = failed || l.Failed
	}
	took := (o.Stopwatch() - begin).Seconds()
	switch {
	case failed:
		fmt.Fprintf(o.Out, "--- FAIL: %s (%.2fs)\n", name, took)
	case o.Verbose:
		fmt.Fprintf(o.Out, "--- PASS: %s (%.2fs)\n", name, took)
	default:
		return true
	}
	for _, l := range lines {
		l.File = game.Path(l.File)
		fmt.Fprintf(o.Out, "    %s\n", l)
	}
	if o.Verbose {
		for _, line := range printed {
			fmt.Fprintf(o.Out, "    printed: %s\n", line)
		}
	}
	return !failed
}
