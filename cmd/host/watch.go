package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// quietTime is how long a folder must be quiet before it is read: editors save
// in several steps.
const quietTime = 150 * time.Millisecond

// watchGame reloads a game's scripts whenever they are saved, for everybody in the
// same tick. Scripts that do not load are refused, and the old ones stay.
func watchGame(game *openedGame, host *runtime.Host, driver *runtime.Driver, log *slog.Logger) (stop func(), err error) {
	dir := game.Dir
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", dir, err)
	}
	if err := w.Add(dir); err != nil {
		w.Close()
		return nil, fmt.Errorf("watching %s: %w", dir, err)
	}
	r := &reloader{dir: dir, host: host, driver: driver, log: log, inForce: game.Game}
	go func() {
		var quiet <-chan time.Time
		for {
			select {
			case ev, ok := <-w.Events:
				if !ok {
					return
				}
				if isSource(ev.Name) {
					quiet = time.After(quietTime)
				}
			case err, ok := <-w.Errors:
				if !ok {
					return
				}
				log.Warn("watching the scripts", "error", err)
			case <-quiet:
				quiet = nil
				r.reload()
			}
		}
	}()
	return func() { w.Close() }, nil
}

func isSource(name string) bool {
	base := filepath.Base(name)
	return base == "game.toml" || strings.HasSuffix(base, ".lua") && !strings.HasPrefix(base, ".")
}

// reloader switches the host to saved scripts.
type reloader struct {
	dir     string
	host    *runtime.Host
	driver  *runtime.Driver
	log     *slog.Logger
	inForce *scripts.Game // the newest
}

// reload compiles the scripts beside the ticking goroutine, then switches the host
// to them.
func (r *reloader) reload() {
	game, err := scripts.LoadDir(r.dir)
	if err != nil {
		r.refused(err)
		return
	}
	if r.onHost(func() { game.Bundle.Setup.Seed = r.host.Schema().Setup.Seed }) != nil {
		return // the host has ended
	}
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		r.refused(err)
		return
	}
	for _, f := range lint.Check(game.Bundle.Files, game.Bundle.Setup) { // they load: these are likely mistakes
		f.File = game.Path(f.File)
		r.log.Warn(f.String())
	}
	constants := r.constants(script)
	_ = r.onHost(func() { // fails if the host has ended
		before := r.host.Newest()
		tick, files, err := r.host.Switch(game.Bundle, script)
		switch {
		case err != nil:
			r.refused(game.Placed(err))
		case files == nil:
			r.log.Info("the saved scripts are in force already")
		default:
			r.inForce = game
			r.changed(append(world.Changes(before, script.Schema()), constants...))
			r.log.Info("scripts reloaded", "changed", strings.Join(files, " "), "in force from tick", uint32(tick))
		}
	})
}

// onHost runs f on the host's goroutine.
func (r *reloader) onHost(f func()) error {
	return r.driver.Do(context.Background(), func(context.Context, time.Duration) error { f(); return nil })
}

func (r *reloader) refused(err error) {
	r.log.Error("scripts not reloaded, the old ones stay: " + err.Error())
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
