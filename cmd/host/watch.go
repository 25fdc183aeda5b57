package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/gamewatch"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// lookEvery is how often the folder is looked at.
const lookEvery = 100 * time.Millisecond

// gameWatch reloads a game's scripts whenever they are saved, for everybody in the
// same tick. Scripts that do not load are refused, and the old ones stay.
type gameWatch struct {
	began  time.Time
	folder *gamewatch.Folder
}

func watchGame(dir string) (*gameWatch, error) {
	folder, err := gamewatch.Open(dir)
	return &gameWatch{time.Now(), folder}, err
}

// start has a reloader look at the folder until stop returns.
func (w *gameWatch) start(r reloader) (stop func()) {
	r.folder = w.folder
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.watch(ctx, w.began)
	}()
	return func() { cancel(); <-done }
}

// reloader switches the host of a room to saved scripts, or has another room replace it.
type reloader struct {
	folder   *gamewatch.Folder
	host     *host.Host
	driver   *room.Driver
	log      *slog.Logger
	inForce  *scripts.Game // the newest
	problems *problems
	warned   string // what was said of a content that may be half of one; "": nothing
	bereft   bereft
	away     bool     // it was said that the folder is gone, and not yet what is in it
	why      []string // what is on the disk was refused; none: it was not
	unloaded []string // what was said of tests and bots beside that
	noted    notes
	// replace has a room with another game replace this one, which tells its clients of notes.
	replace func(by *scripts.Game, why string, notes []string)
	move    func(port int) error // has the inspector be at another port; 0: game.toml names none
	port    int                  // at which players reach the host
	flags   map[string]string    // by key of game.toml: the flag that was given in its place
}

// watch looks at the folder until ctx is done.
func (r *reloader) watch(ctx context.Context, began time.Time) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			r.look(time.Since(began))
		}
	}
}

// look reloads the scripts if they have changed.
func (r *reloader) look(now time.Duration) {
	r.recount()
	switch r.folder.Look(now) {
	case gamewatch.Gone:
		r.log.Warn(folderGone)
		r.hold(folderGone)
		r.away = true
	case gamewatch.Back:
		r.log.Info("the folder of the game is back")
		r.regained()
	case gamewatch.Changed:
		r.changedTo(now)
	default:
		r.regained()
		if r.warned != "" && r.folder.Accepted() { // else somebody is saving
			r.log.Info("the files are whole again: nothing is removed")
			r.refuse(r.why...)
			r.warned = ""
		}
	}
}

// changedTo has the host use what is in the folder. What may be half of it is left alone for a second.
func (r *reloader) changedTo(now time.Duration) {
	game, err := r.folder.Game()
	steady := r.folder.Steady(now)
	if err != nil && !steady {
		return // somebody may be in the middle of saving
	}
	lack := ""
	if err == nil {
		lack = lacks(r.inForce, game)
	}
	switch {
	case err != nil:
		files, tests, bots := r.folder.Sources()
		r.refused(append(mistakes(err), r.unset(files)...)...)
		r.beside(tests, bots)
	case lack != "" && !steady && !r.refusesAnyway(game):
		r.warn(r.goes(game, lack))
		return
	case !r.reload(game, lack, steady):
		return
	}
	r.warned, r.away = "", false
	r.folder.Accept()
}

// regained takes back that the folder is gone, if it is back with the content that was there. What is in another one is
// said when it is read.
func (r *reloader) regained() {
	if r.away && r.folder.Accepted() {
		r.away = false
		r.refuse(r.why...)
	}
}

// unset returns the mistakes in the scripts of a game whose settings cannot be read, as far as these do not matter.
func (r *reloader) unset(files []world.Source) (out []string) {
	if len(files) == 0 {
		return nil
	}
	if _, err := luabind.Compile(files, bundle.DefaultSetup()); err != nil {
		return mistakes(r.inForce.Placed(err))
	}
	return nil
}

// beside says once for what tests and bots do not load whose scripts are refused. They do not keep these from being in
// force.
func (r *reloader) beside(tests, bots []world.Source) {
	var found []string
	add := func(err error) {
		if err != nil {
			found = append(found, mistakes(r.inForce.Placed(err))...)
		}
	}
	for _, f := range tests {
		_, err := luabind.NewTests(f.Name, f.Text)
		add(err)
	}
	for _, f := range bots {
		_, err := luabind.NewBot(f.Name, f.Text)
		add(err)
	}
	if slices.Equal(found, r.unloaded) {
		return
	}
	for _, m := range r.unloaded {
		if !slices.Contains(found, m) {
			r.log.Info(m + ": mended")
		}
	}
	logged(slices.DeleteFunc(slices.Clone(found), func(m string) bool { return slices.Contains(r.unloaded, m) }), r.log)
	r.unloaded = found
	_ = r.onHost(func() { r.host.Warn(found...) }) // fails if the host has ended
}

// refusesAnyway reports whether a game that lacks something does not load although it only lacks the ends of files, or
// because of something else. It removes nothing, so the reason need not wait.
func (r *reloader) refusesAnyway(game *scripts.Game) bool {
	_, err := game.Compile(luabind.Compile)
	return err != nil && (onlyCut(r.inForce, game) || len(r.unrelated(game)) > 0)
}

// unrelated returns the mistakes of a game that do not follow from what it lacks: it has them also with that.
func (r *reloader) unrelated(game *scripts.Game) []string {
	_, err := completed(r.inForce, game).Compile(luabind.Compile)
	if err == nil {
		return nil
	}
	return mistakes(err)
}

// goes says what follows if a game lasts that lacks something. A class or a hook that is not there any more, which
// somebody may have deleted at the end of a file, is named, and not the end.
func (r *reloader) goes(game *scripts.Game, lack string) string {
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return lack + ", without which the game does not load: if that lasts for a second, it is refused, and what " +
			"is in force stays"
	}
	var before *world.Schema
	if r.onHost(func() { before = r.host.Newest() }) != nil {
		return lack // the host has ended
	}
	lost := removed(r.inForce, before, script.Schema())
	switch {
	case lost == "" && !onlyCut(r.inForce, game):
		return lack + ": if that lasts for a second, the game goes on without it"
	case lost == "":
		return lack + ": if that lasts for a second, it is in force as it is"
	case onlyCut(r.inForce, game):
		return lost
	default:
		return lack + ": if that lasts for a second, what it declared is removed"
	}
}

// warn says once what is to happen to a content that may be half of one.
func (r *reloader) warn(what string) {
	if r.warned != what {
		r.warned = what
		r.log.Warn(what)
		r.hold(what)
	}
}

// folderGone is said while the folder is not there.
const folderGone = "the folder of the game is gone; the scripts in force stay"

// refuse says in the log, on the inspector and to the players why what is on the disk is not in force; none: it is.
func (r *reloader) refuse(mistakes ...string) {
	r.problems.Refused(mistakes...)
	_ = r.onHost(func() { r.host.Refuse(mistakes...) }) // fails if the host has ended
}

// hold says there what it waits for before what is on the disk is in force, or refused.
func (r *reloader) hold(why string) {
	r.problems.Held(why)
	_ = r.onHost(func() { r.host.Hold(why) })
}

// reload compiles the scripts beside the ticking goroutine, then switches the host
// to them. It reports false if they remove a class or a hook and the folder is not steady. lack says which files are
// gone, empty or cut.
func (r *reloader) reload(game *scripts.Game, lack string, steady bool) bool {
	var before *world.Schema
	present := map[string]bool{} // classes that have objects
	left := ""
	if r.onHost(func() {
		before = r.host.Newest()
		for i := range before.Classes {
			name := before.Classes[i].Name
			present[name] = r.host.State().Has(r.host.Schema(), name)
		}
		left = leftOutside(r.host.State(), r.host.Schema(), &r.inForce.Bundle.Setup, &game.Bundle.Setup)
	}) != nil {
		return true // the host has ended
	}
	if r.flags["seed"] != "" {
		game.Bundle.Setup.Seed = r.inForce.Bundle.Setup.Seed
	}
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		r.refused(r.because(lack, game, mistakes(err))...)
		r.beside(game.Tests, game.Bots)
		return true
	}
	if lost := removed(r.inForce, before, script.Schema()); lost != "" && !steady {
		r.warn(lost)
		return false
	}
	found := r.warnings(game, lack)
	had := func(class string) bool { return present[class] }
	changes := slices.Concat(r.settingChanges(game, left), world.Changes(before, script.Schema(), had),
		r.codeChanges(script))
	http := r.inForce.HTTP
	// fails if the host has ended
	_ = r.driver.Do(context.Background(), func(_ context.Context, now time.Duration) error {
		r.switchTo(now, game, script, found, changes)
		return nil
	})
	if r.inForce.HTTP != http && r.flags["net.http"] == "" {
		r.moveInspector() // not between two ticks: its requests are answered there
	}
	return true
}

// switchTo has the host use a saved game.
func (r *reloader) switchTo(now time.Duration, game *scripts.Game, script world.Script, found, changes []string) {
	if fixed := fixedSettings(r.inForce.Bundle, game.Bundle); fixed != nil {
		r.restart(game, fixed, changes)
		return
	}
	seen := bundle.SameSimulation(r.inForce.Bundle, game.Bundle)
	bereft, more := r.bereft.under(r.host.State(), r.host.Schema(), r.host.Newest(), script.Schema())
	tick, files, err := r.host.Switch(game.Bundle, script)
	if err != nil {
		r.refused(mistakes(game.Placed(placedFields(err, script)))...)
		return
	}
	mended := len(r.why) > 0
	r.why, r.unloaded = nil, nil
	repainted := r.inForce.Assets.Hash() != game.Assets.Hash()
	tested, bots := !slices.Equal(r.inForce.Tests, game.Tests), !slices.Equal(r.inForce.Bots, game.Bots)
	r.inForce = game
	r.changed(changes)
	if repainted {
		r.host.SetAssets(now, game.Assets)
		r.log.Info("assets changed: clients fetch them", "files", len(game.Assets.Manifest().Files))
	}
	var left []any // how many likely mistakes there are, if there are or were some: the end of a warning is logged, too
	if len(found)+r.problems.Warnings() > 0 {
		left = []any{"warnings", len(found)}
	}
	lines := logged(found, r.log)
	told := append(slices.Clone(lines), r.noted.with(now, changes)...)
	if bots {
		told = append(told, wire.Note+"bots: "+botsLater)
	}
	r.host.Warn(told...)
	switch {
	case files == nil:
		r.problems.Shown(lines)
		if tested {
			r.log.Info("tests saved: nothing changes in the room; "+testsLater(game), left...)
		}
		if bots {
			r.log.Info("bots saved: nothing changes in the room; "+botsLater, left...)
		}
		if said := tested || bots || repainted || len(changes) > 0; mended && !repainted || !said {
			r.log.Info("the saved files are in force already")
		}
	case seen:
		r.problems.Shown(lines)
		if mended {
			r.log.Info(nothingKeeps)
		}
		if slices.ContainsFunc(game.Bundle.Files, func(f world.Source) bool { return f.Name == world.ViewFile }) {
			r.log.Info(strings.Join(files, " ")+" reloaded: clients show it at once", left...)
		} else {
			r.log.Info(world.ViewFile+" is gone: clients show the game without it at once", left...)
		}
		r.alsoSaved(game, tested, bots)
	default:
		if mended {
			r.log.Info(nothingKeeps)
		}
		r.problems.Reloaded(tick, lines)
		r.log.Info("scripts reloaded",
			append([]any{"changed", strings.Join(files, " "), "in force from tick", uint32(tick)}, left...)...)
		r.alsoSaved(game, tested, bots)
		r.bereave(bereft)
		switch {
		case len(r.bereft) == 0:
		case more:
			r.bereaved(r.bereft.Gone())
		case added(changes):
			r.bereaved(r.bereft.Back())
		}
	}
}

// bereave notes which players have no object, of those who are here, and logs who has one again.
func (r *reloader) bereave(now bereft) {
	var v room.View
	r.host.View(&v)
	left := func(id world.PlayerID) bool {
		return !slices.ContainsFunc(v.Players, func(p room.ViewPlayer) bool { return p.ID == id })
	}
	again := slices.DeleteFunc(slices.Clone(r.bereft), func(id world.PlayerID) bool {
		return left(id) || slices.Contains(now, id)
	})
	if len(again) > 0 {
		r.log.Info(again.Over())
	}
	if r.bereft = slices.DeleteFunc(now, left); len(r.bereft) == 0 {
		r.problems.Bereft("")
	}
}

// bereaved says in the log and on the inspector that players have no object.
func (r *reloader) bereaved(text string) {
	r.log.Warn(text)
	r.problems.Bereft(text)
}

// recount looks whether players have left, or have an object again, who had none.
func (r *reloader) recount() {
	if len(r.bereft) == 0 {
		return
	}
	_ = r.onHost(func() { // fails if the host has ended
		if r.host.Schema() != r.host.Newest() {
			return // the objects may be of classes that go in a moment
		}
		now, _ := r.bereft.under(r.host.State(), r.host.Schema(), r.host.Newest(), r.host.Newest())
		r.bereave(now)
	})
}

// botsLater says when saved bots play.
const botsLater = "clients that start from now on play as they say"

// testsLater says when saved tests run.
func testsLater(g *scripts.Game) string { return "host test " + g.Folder() + " runs them" }

// alsoSaved logs that tests and bots were saved together with what changes in the room.
func (r *reloader) alsoSaved(game *scripts.Game, tests, bots bool) {
	if tests {
		r.log.Info("tests saved: " + testsLater(game))
	}
	if bots {
		r.log.Info("bots saved: " + botsLater)
	}
}

// unseen returns notes of the changes that nobody sees at once, each of which says why: players look for what was
// saved.
func unseen(changes []string) []string {
	var lines []string
	for _, line := range changes {
		_, later := world.ShownLater(line)
		for _, end := range []string{anew, precedence, staysThere} {
			later = later || strings.HasSuffix(line, end)
		}
		if later {
			lines = append(lines, wire.Note+line)
		}
	}
	return lines
}

// waiting returns notes of the settings that no restart of a room puts in force.
func waiting(changes []string) []string {
	return slices.DeleteFunc(unseen(changes), func(line string) bool {
		return !strings.HasSuffix(line, anew) && !strings.HasSuffix(line, precedence)
	})
}

// Ends of lines about settings that are not in force, or change less than one would think.
const (
	anew       = "; in force when the host starts again: players return to the address that they know"
	precedence = " has precedence"
	staysThere = "; walls move nothing"
)

// added reports whether a class is among changes that was not declared before.
func added(changes []string) bool {
	return slices.ContainsFunc(changes, func(line string) bool {
		return strings.HasPrefix(line, "class ") && strings.HasSuffix(line, " added")
	})
}

// nothingKeeps ends what a line about refused files says, if they are not what is in force already.
const nothingKeeps = "nothing keeps saved files from being in force any more"

// fixedSettings returns which settings differ that a room has from its first tick on.
func fixedSettings(before, after *bundle.Bundle) (settings []string) {
	if before.Setup.Seed != after.Setup.Seed {
		settings = append(settings, "seed")
	}
	if fixed := bundle.FixedChange(before, after); fixed != nil {
		settings = append(settings, fixed.Settings...)
	}
	return settings
}

// restart has another room take the place of this one, because of settings that a room has from its first tick on.
func (r *reloader) restart(game *scripts.Game, settings, changes []string) {
	which, have := world.Listed(settings), " has"
	if len(settings) > 1 {
		have = " have"
	}
	r.refuse() // what was wrong with the saved files is mended
	for i := range changes {
		changes[i], _ = world.ShownLater(changes[i]) // all begins anew
	}
	r.changed(changes)
	r.log.Info("the room starts again, and its players return", "changed", which)
	if len(r.bereft) > 0 {
		r.log.Info(r.bereft.Begins())
	}
	r.replace(game, which+have+" changed, so the room starts again", waiting(changes))
}

// moveInspector has the inspector be where game.toml says.
func (r *reloader) moveInspector() {
	if err := r.move(r.inForce.HTTP); err != nil {
		r.log.Error("the inspector stays where it is: " + err.Error())
	}
}

// settingChanges returns what differs in game.toml, a line each, with why it is not in force. left says what a smaller
// arena leaves outside.
func (r *reloader) settingChanges(to *scripts.Game, left string) (lines []string) {
	for _, line := range r.inForce.Changes(to) {
		key, _, _ := strings.Cut(line, " ")
		if flag := r.flags[key]; flag != "" {
			line += "; " + flag + precedence
		} else if key == "net.port" && to.Port != r.port {
			line += anew
		} else if strings.HasPrefix(key, "arena.") {
			line, left = line+left, ""
		}
		lines = append(lines, "game.toml: "+line)
	}
	return lines
}

// onHost runs f on the host's goroutine.
func (r *reloader) onHost(f func()) error {
	return r.driver.Do(context.Background(), func(context.Context, time.Duration) error { f(); return nil })
}

// refused says why saved files do not take effect, on the pages of the players, too.
func (r *reloader) refused(why ...string) {
	r.why = why
	r.refuse(why...)
}

// mistakes returns the text of each error that another one joins.
func mistakes(err error) []string { return strings.Split(err.Error(), "\n") }

// seenAtOnce returns 1 for a change that is not among those which players are told of, and 0 for one that is.
func seenAtOnce(told []string, change string) int {
	if slices.Contains(told, wire.Note+change) {
		return 0
	}
	return 1
}

// maxChanges is how many changes a reload logs.
const maxChanges = 12

// changed logs changes. If there are too many, those that nobody sees at once come first: they are told to the players.
func (r *reloader) changed(lines []string) {
	if len(lines) > maxChanges {
		told := unseen(lines)
		lines = slices.Clone(lines)
		slices.SortStableFunc(lines, func(a, b string) int {
			return cmp.Compare(seenAtOnce(told, a), seenAtOnce(told, b))
		})
	}
	for i, line := range lines {
		if i == maxChanges {
			r.log.Info(fmt.Sprintf("changed: and %d more", len(lines)-i))
			return
		}
		r.log.Info("changed: " + line)
	}
}

// codeChanges lists the changes of objProps, and of hooks that do nothing at once, since the scripts in force.
func (r *reloader) codeChanges(script world.Script) []string {
	from, ok := compiled(r.inForce)
	to, isVM := script.(*luabind.VM)
	if !ok || !isVM {
		return nil
	}
	return append(luabind.ConstantChanges(from, to), luabind.HookChanges(from, to)...)
}
