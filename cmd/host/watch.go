package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/gamewatch"
	"github.com/hindcast/hindcast/luabind"
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
	warned   string                             // what was said of a content that may be half of one; "": nothing
	why      string                             // what is on the disk was refused; "": it was not
	replace  func(by *scripts.Game, why string) // has a room with another game replace this one
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
	switch r.folder.Look(now) {
	case gamewatch.Gone:
		r.log.Warn(folderGone + "; the scripts in force stay")
		r.say(folderGone)
	case gamewatch.Back:
		r.log.Info("the folder of the game is back")
		r.say(r.why)
	case gamewatch.Changed:
		game, err := r.folder.Game()
		if !r.folder.Steady(now) && err != nil {
			return // somebody may be in the middle of saving
		}
		if lack := r.lacks(game, err); lack != "" && !r.folder.Steady(now) {
			r.warn(lack + ": if that lasts for a second, what it declared is removed")
			return
		}
		if err != nil {
			r.refused(err)
			r.folder.Accept()
		} else if r.reload(game, r.folder.Steady(now)) {
			r.folder.Accept()
		}
	default:
		r.warned = ""
	}
}

// warn says once what is to happen to a content that may be half of one.
func (r *reloader) warn(what string) {
	if r.warned != what {
		r.warned = what
		r.log.Warn(what)
	}
}

// folderGone is said while the folder is not there.
const folderGone = "the folder of the game is gone"

// say says on the inspector and on the pages of the players why what is on the disk is not in force; "": it is.
func (r *reloader) say(why string) {
	r.problems.Refused(why)
	_ = r.onHost(func() { r.host.Refuse(why) }) // fails if the host has ended
}

// lacks says which script in force is missing, empty or shorter in a game that was loaded with err; "": none.
func (r *reloader) lacks(game *scripts.Game, err error) string {
	if err != nil {
		return ""
	}
	for _, old := range r.inForce.Bundle.Files {
		i := slices.IndexFunc(game.Bundle.Files, func(f world.Source) bool { return f.Name == old.Name })
		switch {
		case blank(old):
		case i < 0:
			return game.Path(old.Name) + " is gone"
		case blank(game.Bundle.Files[i]):
			return game.Path(old.Name) + " is empty"
		case cutShort(old.Text, game.Bundle.Files[i].Text):
			return game.Path(old.Name) + " has lost its end"
		}
	}
	return ""
}

// blank reports whether a script says nothing.
func blank(f world.Source) bool { return strings.TrimSpace(f.Text) == "" }

// cutShort reports whether a script has become the beginning of what it was, spaces and lines at its end aside.
func cutShort(old, text string) bool {
	text = strings.TrimSpace(text)
	return len(text) < len(strings.TrimSpace(old)) && strings.HasPrefix(strings.TrimSpace(old), text)
}

// reload compiles the scripts beside the ticking goroutine, then switches the host
// to them. It reports false if they remove a class or a hook and the folder is not steady.
func (r *reloader) reload(game *scripts.Game, steady bool) bool {
	var before *world.Schema
	if r.onHost(func() { game.Bundle.Setup.Seed, before = r.host.Schema().Setup.Seed, r.host.Newest() }) != nil {
		return true // the host has ended
	}
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		r.refused(err)
		return true
	}
	if lost := removed(before, script.Schema()); lost != "" && !steady {
		r.warn(lost)
		return false
	}
	found := warnings(game, r.log)
	changes := slices.Concat(settingChanges(r.inForce, game), world.Changes(before, script.Schema()),
		r.constants(script))
	// fails if the host has ended
	_ = r.driver.Do(context.Background(), func(_ context.Context, now time.Duration) error {
		r.switchTo(now, game, script, found, changes)
		return nil
	})
	return true
}

// switchTo has the host use a saved game.
func (r *reloader) switchTo(now time.Duration, game *scripts.Game, script world.Script, found, changes []string) {
	seen := bundle.SameSimulation(r.inForce.Bundle, game.Bundle)
	tick, files, err := r.host.Switch(game.Bundle, script)
	if fixed := (*bundle.FixedError)(nil); errors.As(err, &fixed) {
		r.changed(changes)
		r.log.Info("the room starts again, and its players return", "changed", fixed.Setting)
		r.replace(game, fixed.Setting+" has changed")
		return
	}
	if err != nil {
		r.refused(game.Placed(err))
		return
	}
	r.why = ""
	repainted := r.inForce.Assets.Hash() != game.Assets.Hash()
	r.inForce = game
	r.changed(changes)
	if repainted {
		r.host.SetAssets(now, game.Assets)
		r.log.Info("assets changed: clients fetch them", "files", len(game.Assets.Manifest().Files))
	}
	if files == nil {
		r.problems.Shown(found)
		if !repainted && len(changes) == 0 { // else it was said
			r.log.Info("the saved scripts are in force already")
		}
		return
	}
	if seen {
		r.problems.Shown(found)
		r.log.Info(strings.Join(files, " ") + " reloaded: clients show it at once")
		return
	}
	r.problems.Reloaded(tick, found)
	r.log.Info("scripts reloaded", "changed", strings.Join(files, " "), "in force from tick", uint32(tick))
}

// settingChanges returns what differs in game.toml, a line each.
func settingChanges(from, to *scripts.Game) (lines []string) {
	for _, line := range from.Changes(to) {
		key, _, _ := strings.Cut(line, " ")
		if slices.Contains([]string{"seed", "net.port", "net.http"}, key) {
			line += "; in force when the host starts again"
		}
		lines = append(lines, "game.toml: "+line)
	}
	return lines
}

// removed warns of a class that is not declared any more, or that has lost a hook; "": there is none.
func removed(before, after *world.Schema) string {
	for i := range before.Classes {
		old := &before.Classes[i]
		j, stays := after.ClassByName(old.Name)
		if !stays {
			return "class " + old.Name + " is not declared any more: if that lasts for a second, it and its " +
				"objects are removed"
		}
		for h := range world.HookCount {
			if old.Hooks.Has(h) && !after.Classes[j].Hooks.Has(h) {
				return h.Of(old.Name) + " is not there any more: if that lasts for a second, it is removed"
			}
		}
	}
	return ""
}

// onHost runs f on the host's goroutine.
func (r *reloader) onHost(f func()) error {
	return r.driver.Do(context.Background(), func(context.Context, time.Duration) error { f(); return nil })
}

// refused says why saved scripts do not take effect, on the pages of the players, too.
func (r *reloader) refused(err error) {
	r.log.Error("scripts not reloaded, the old ones stay: " + err.Error())
	r.why = err.Error()
	r.say(r.why)
}

// maxChanges is how many changes a reload logs.
const maxChanges = 12

func (r *reloader) changed(lines []string) {
	for i, line := range lines {
		if i == maxChanges {
			r.log.Info(fmt.Sprintf("changed: and %d more", len(lines)-i))
			return
		}
		r.log.Info("changed: " + line)
	}
}

// constants lists the changes of objProps since the scripts in force.
func (r *reloader) constants(script world.Script) []string {
	old, err := r.inForce.Compile(luabind.Compile)
	from, ok := old.(*luabind.VM)
	to, isVM := script.(*luabind.VM)
	if err != nil || !ok || !isVM {
		return nil
	}
	return luabind.ConstantChanges(from, to)
}
