package gametest

import (
	"fmt"
	"io"
	"regexp"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/scripts"
)

// Options say which tests run, and what is printed.
type Options struct {
	Out     io.Writer
	Run     *regexp.Regexp // only tests whose names match; nil: all
	Verbose bool           // print the tests that pass, too
	// Stopwatch returns the time since any fixed moment; nil: tests are not timed.
	Stopwatch func() time.Duration
	// Limit is how long all tests together may take; 0: as long as they take. The test that runs then fails between two
	// ticks, and those after it do not run.
	Limit time.Duration
	// Progress is called before each test with the share of the tests that are done; nil: nobody wants to know.
	Progress func(share float64)
}

// Result counts tests.
type Result struct{ Run, Failed, Left int } // Left did not run, because the time was over

// Run runs a game's tests, file by file, in their order. name is the name of the
// game in the last line. If files do not load, Run runs nothing and its error
// names them.
func Run(name string, game *scripts.Game, o Options) (r Result, err error) {
	if o.Stopwatch == nil {
		o.Stopwatch = func() time.Duration { return 0 }
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	begin := o.Stopwatch()
	over := func() error {
		if o.Limit > 0 && o.Stopwatch()-begin > o.Limit {
			return fmt.Errorf("the time limit of all tests, %v, is over (-timeout)", o.Limit)
		}
		return nil
	}
	script, err := game.Compile(luabind.Compile)
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
	all := o.chosen(files)
	overlooked := &overlooks{}
	for n, t := range all {
		if over() != nil {
			r.Left++
			continue
		}
		o.Progress(float64(n) / float64(len(all)))
		r.Run++
		if !runOne(t, newStage(game, script.Schema(), overlooked, over), &o) {
			r.Failed++
		}
	}
	if r.Left > 0 {
		fmt.Fprintf(o.Out, "%v: not run: %d\n", over(), r.Left)
	}
	for _, e := range overlooked.list {
		fmt.Fprintf(o.Out, "%s: warning: %s\n", game.Path(lint.Place(e, game.Bundle.Files)), e.Message)
	}
	o.conclude(name, r, o.Stopwatch()-begin)
	return r, nil
}

// chosen is one test that is to run.
type chosen struct {
	file *luabind.Tests
	at   int
	name string
}

// chosen returns the tests whose names match.
func (o *Options) chosen(files []*luabind.Tests) (all []chosen) {
	for _, f := range files {
		for i, test := range f.Names() {
			if o.Run == nil || o.Run.MatchString(test) {
				all = append(all, chosen{f, i, test})
			}
		}
	}
	return all
}

// conclude prints the last line.
func (o *Options) conclude(name string, r Result, took time.Duration) {
	seconds := fmt.Sprintf("%.3fs", took.Seconds())
	switch {
	case r.Failed+r.Left > 0:
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

// load loads all test files. Its error joins those of all files.
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

// runOne runs a test, and reports whether it passed.
func runOne(t chosen, s *stage, o *Options) bool {
	name := t.name
	if o.Verbose {
		fmt.Fprintf(o.Out, "=== RUN   %s\n", name)
	}
	begin := o.Stopwatch()
	lines := t.file.Run(t.at, s)
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
		l.File = s.game.Path(l.File)
		fmt.Fprintf(o.Out, "    %s\n", l)
	}
	if o.Verbose {
		for _, line := range s.printed {
			fmt.Fprintf(o.Out, "    printed: %s\n", line)
		}
	}
	return !failed
}
