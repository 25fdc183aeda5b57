package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/gametest"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

const checkUsage = `GAME [BOT.lua ...]

Finds mistakes in a game, its tests and its bots (*_bot.lua), and in bots elsewhere,
without a room. GAME is a folder, or the name of a built-in game. Each mistake is a line, FILE:LINE:COL: message.
Without any, a line for each class that clients do not predict says how many bytes
the fields of an object can take.
Example:

  host check mygame`

// checkGame prints all mistakes in a game.
func checkGame(args []string) error {
	fs := cli.NewFlags("host check", checkUsage)
	words, err := fs.Parse(args)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return cli.Fail(cli.Usage, fmt.Errorf("want the folder of one game, and after it the bots to check, if any"))
	}
	game, found, trial, err := findings(words[0], words[1:])
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		return cli.Fail(cli.Config, fmt.Errorf("%s: %d to fix", words[0], len(found)))
	}
	var warned strings.Builder // before the verdict
	for _, e := range trial.Doubtful {
		fmt.Fprintf(&warned, "%s: warning: %s; it may be no mistake: %s\n", game.Path(lint.Place(e.ScriptError, game.Bundle.Files)), e.Full()+callers(e.ScriptError), e.Why)
	}
	for _, e := range trial.Overlooked {
		fmt.Fprintf(&warned, "%s: warning: %s\n", game.Path(lint.Place(e, game.Bundle.Files)), e.Message)
	}
	if allowed := timeline.Allowed(game.Bundle.TickLength()); trial.Load.Work.Sum() > allowed {
		printLoad(&warned, &trial.Load, game.Bundle.TickLength())
	}
	printShown(&warned, trial.Shown)
	fmt.Print(warned.String())
	verdict := "ok"
	if n := strings.Count(warned.String(), "\n"); n > 0 {
		verdict = fmt.Sprintf("ok, warnings: %d", n)
	}
	fmt.Printf("%s: %s (Lua files: %d, tests: %d)\n", words[0], verdict, len(game.Bundle.Files), len(game.Tests))
	if len(trial.Spawned) > 0 {
		fmt.Printf("the trial run spawned these classes itself, as nothing in the game did: %s\n",
			strings.Join(trial.Spawned, ", "))
	}
	if len(trial.Missed) > 0 {
		fmt.Printf("the trial run did not reach: %s\n", strings.Join(trial.Missed, ", "))
	}
	switch trial.Cut {
	case gametest.TooMuch:
		fmt.Println("the trial run ended early: the ticks of this game are too much work to play it to the end")
	case gametest.TooLong:
		fmt.Println("the trial run ended early, after 120 s: this machine is slow or busy; check again when it is not")
	}
	if trial.Load.Work.Sum() <= timeline.Allowed(game.Bundle.TickLength()) {
		printLoad(os.Stdout, &trial.Load, game.Bundle.TickLength())
	}
	return printCosts(os.Stdout, game)
}

// printLoad prints which classes do how much of the work of the dearest tick of the trial run, if that takes more than
// half of a tick's time.
func printLoad(to io.Writer, load *gametest.Load, tick time.Duration) {
	sum, allowed := load.Work.Sum(), timeline.Allowed(tick)
	if sum <= tick/2 {
		return
	}
	by := map[string]time.Duration{"physics": load.Work.Physics}
	for _, s := range load.Work.By {
		by[s.Class] += s.Work
	}
	names := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(len(names), 5)] {
		if by[name]*100 < tick {
			break // less than 1 % of a tick
		}
		part := fmt.Sprintf("%s %d %%", name, by[name]*100/tick)
		if n := load.Objects[name]; n > 0 && name != world.GameClass {
			part += fmt.Sprintf(" (%d objects)", n)
		}
		parts = append(parts, part)
	}
	what := "the most work of a tick in the trial run"
	if sum > allowed {
		what = "warning: " + what + ", so much that a host suspends hooks"
	}
	fmt.Fprintf(to, "%s: %d ms, a tick has %d ms; of a tick's time: %s\n", what, sum.Milliseconds(),
		tick.Milliseconds(), strings.Join(parts, ", "))
}

// printShown warns of functions of view.lua that took more than half of what they may.
func printShown(to io.Writer, most luabind.HUDCost) {
	for _, f := range [...]struct {
		name string
		used int
	}{{"hud", most.HUD}, {"camera", most.Camera}} {
		if 2*f.used > luabind.HUDInstructions {
			fmt.Fprintf(to, "warning: the function of %s took up to %d of %d instructions for a frame of the trial "+
				"run\n", f.name, f.used, luabind.HUDInstructions)
		}
	}
}

// printCosts prints how many bytes the fields of each replicated class can take.
func printCosts(to io.Writer, game *openedGame) error {
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return err
	}
	schema := script.Schema()
	layout := wire.NewSnapshotLayout(schema)
	for i := range schema.Classes {
		class := &schema.Classes[i]
		if class.LOD == world.Predict || class.Words() == 0 {
			continue
		}
		n := layout.MostRowBytes(uint16(i))
		fmt.Fprintf(to, "class %s, %s: all fields of an object take up to %d bytes (packets: %d)\n",
			class.Name, class.LOD, n, (n+wire.MaxDatagram-1)/wire.MaxDatagram)
	}
	return nil
}

// findings returns all mistakes in a game: in its folder and settings; without
// any, in its scripts, test files and bots; without any, in a short trial run.
func findings(name string, bots []string) (game *openedGame, found []lint.Finding, trial gametest.Trial, err error) {
	game, err = openGame(name)
	if err != nil {
		found, err = brokenFolder(err, name)
		return nil, found, trial, err
	}
	if cause := blanks(game.Bundle.Files, game.Path); len(cause) > 0 {
		return game, cause, trial, nil // what the others lack
	}
	bare := game.Bundle.Setup
	bare.Spawns = nil // Compile below reports a [[spawn]] of a class that no script declares, in a level, too
	bare.Levels = slices.Clone(bare.Levels)
	for i := range bare.Levels {
		bare.Levels[i].Spawns = nil
	}
	found = unrun(game.Game, name, bare)
	_, err = game.Compile(luabind.Compile)
	for _, f := range placedFindings(err, name, game.Game) {
		if f.File == game.Path("game.toml") {
			found = append(found, f)
		}
	}
	for _, bot := range bots {
		if slices.ContainsFunc(game.Bots, func(b world.Source) bool { return isFile(bot, game.Path(b.Name)) }) {
			continue // it is checked with the game
		}
		text, err := scripts.ReadFile(bot, scripts.MaxFileBytes)
		if err != nil {
			return nil, nil, trial, err
		}
		found = append(found, lint.CheckBot(game.Bundle.Files, bare, world.Source{Name: bot, Text: string(text)})...)
	}
	if len(found) == 0 {
		trial = tryOut(game)
		for _, e := range trial.Errors {
			where := "in a trial run"
			switch line := trial.Calls[e.Place()]; {
			case slices.Contains(trial.Spawned, e.Class):
				where += ", which spawned a " + e.Class + " itself"
			case line != "" && e.Hook == world.HostEvent && strings.HasPrefix(line, "/"):
				where += ", in which a player wrote " + line
			case line != "" && e.Hook == world.HostEvent:
				where += ", which called " + line
			}
			f := lint.OfFile(e.File, textOf(game.Game, e.File), e.Line, where+": "+e.Full())
			f.Message = strings.Replace(f.Message, where, where+callers(e), 1)
			f.File = game.Path(e.File)
			found = append(found, f)
		}
	}
	lint.Sort(found)
	return game, found, trial, nil
}

// mostCallers is how many callers a line about an error names.
const mostCallers = 3

// callers says from where the function was called in which an error came up; empty: it is the hook itself. Where a budget
// ends is chance, and its message says what uses it.
func callers(e *world.ScriptError) string {
	if e.Budget {
		return ""
	}
	var places []string
	for _, c := range e.Trace {
		if at := fmt.Sprintf("%s:%d", c.File, c.Line); at != e.Place() && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	if len(places) == 0 {
		return ""
	}
	if len(places) > mostCallers { // the last one is in the hook
		places = append(places[:mostCallers-1], places[len(places)-1])
	}
	return " (called from " + strings.Join(places, ", from ") + ")"
}

// isFile reports whether two paths name one file.
func isFile(a, b string) bool {
	of, err := os.Stat(a)
	if err != nil {
		return false
	}
	with, err := os.Stat(b)
	return err == nil && os.SameFile(of, with)
}

// unrun returns the mistakes in the scripts, tests, bots and names of assets of a game that are found without running
// it. name is that of the game, as the user wrote it.
func unrun(game *scripts.Game, name string, setup world.Setup) (found []lint.Finding) {
	found = linted(game.Bundle.Files, game.Tests, game.Bots, setup, game.Path)
	for _, p := range scripts.MissingAssets(game) {
		found = append(found, placedFindings(p, name, game)...)
	}
	return found
}

// linted returns the mistakes in the scripts, tests and bots of a game. inFolder puts the folder before the name of a
// file.
func linted(
	files, tests, bots []world.Source, setup world.Setup, inFolder func(file string) string,
) (found []lint.Finding) {
	in := func(list []lint.Finding) {
		for _, f := range list {
			f.File = inFolder(f.File)
			found = append(found, f)
		}
	}
	in(lint.Check(files, setup))
	in(lint.CheckTests(files, setup, tests))
	for _, bot := range bots {
		in(lint.CheckBot(files, setup, bot))
	}
	return found
}

// blanks returns a finding for each script that says nothing, as one that was not saved whole. inFolder puts the folder
// before the name of a file.
func blanks(files []world.Source, inFolder func(file string) string) (found []lint.Finding) {
	for _, f := range files {
		if blank(f) {
			found = append(found, lint.OfFile(inFolder(f.Name), "", 1,
				"the file is empty; save it whole, or remove it"))
		}
	}
	return found
}

// tryOut plays the game for a moment. On a terminal it shows how far it is.
func tryOut(game *openedGame) gametest.Trial {
	began := time.Now()
	bar := cli.NewProgress(os.Stderr, "trial run")
	defer bar.Close()
	passed := func() time.Duration { return time.Since(began) }
	return gametest.Try(game.Game, gametest.TrialOptions{Stopwatch: passed, Progress: bar.Show})
}

// brokenFolder returns the mistakes in a folder that cannot be opened as a game,
// and in its scripts, tests and bots. If one of these cannot be read, what is wrong with the others may follow from
// that.
func brokenFolder(err error, name string) (found []lint.Finding, _ error) {
	if found = placedFindings(err, name, nil); found == nil {
		return nil, err
	}
	if !scripts.BesideScripts(err) {
		return found, nil
	}
	files, tests, bots := sourcesIn(name)
	inFolder := func(file string) string { return path.Join(filepath.ToSlash(name), file) }
	if cause := blanks(files, inFolder); len(cause) > 0 {
		return append(cause, found...), nil // the others lack what was in it
	}
	inScripts := slices.DeleteFunc(linted(files, tests, bots, bundle.DefaultSetup(), inFolder), lint.Finding.AboutSettings)
	return append(found, inScripts...), nil
}

// sourcesIn returns the scripts, tests and bots in a folder that can be read.
func sourcesIn(dir string) (files, tests, bots []world.Source) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, nil
	}
	defer root.Close()
	return scripts.Sources(scripts.FS(root))
}

// placedFindings makes findings of an error that joins *scripts.Problems. game is
// nil if it could not be opened.
func placedFindings(err error, name string, game *scripts.Game) (out []lint.Finding) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			out = append(out, placedFindings(e, name, game)...)
		}
		return out
	}
	var p *scripts.Problem
	if err == nil || !errors.As(err, &p) {
		return nil
	}
	f := lint.OfFile(p.File, fileText(p.File, name, game), p.Line, p.Message)
	return []lint.Finding{f}
}

// fileText returns the text of a file of the game, "" if it cannot be read.
func fileText(file, name string, game *scripts.Game) string {
	if game != nil {
		if text := textOf(game, strings.TrimPrefix(strings.TrimPrefix(file, name), "/")); text != "" {
			return text
		}
	}
	root, err := os.OpenRoot(name) // a link may lead out of the folder, where reading may never end
	if err != nil {
		return ""
	}
	defer root.Close()
	inside, err := filepath.Rel(name, filepath.FromSlash(file))
	if err != nil {
		return ""
	}
	text, err := scripts.ReadFileFS(scripts.FS(root), filepath.ToSlash(inside), scripts.MaxFileBytes)
	if err != nil {
		return "" // the finding is then in column 1
	}
	return string(text)
}

// textOf returns the text of a script or a test of a game.
func textOf(game *scripts.Game, file string) string {
	for _, f := range slices.Concat(game.Bundle.Files, game.Tests, game.Bots) {
		if f.Name == file {
			return f.Text
		}
	}
	return ""
}
