package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// settle is how long a folder must be quiet before it is read: editors save
// in several steps.
const settle = 150 * time.Millisecond

// watchGame puts a game's scripts in force again, for everyone at once,
// whenever they are saved. Broken ones are refused; the old ones stay.
func watchGame(dir string, host *runtime.Host, driver *runtime.Driver, log *slog.Logger) (stop func(), err error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", dir, err)
	}
	if err := w.Add(dir); err != nil {
		w.Close()
		return nil, fmt.Errorf("watching %s: %w", dir, err)
	}
	go func() {
		var quiet <-chan time.Time
		for {
			select {
			case ev, ok := <-w.Events:
				if !ok {
					return
				}
				if isSource(ev.Name) {
					quiet = time.After(settle)
				}
			case err, ok := <-w.Errors:
				if !ok {
					return
				}
				log.Warn("watching the scripts", "error", err)
			case <-quiet:
				quiet = nil
				reload(dir, host, driver, log)
			}
		}
	}()
	return func() { w.Close() }, nil
}

func isSource(name string) bool {
	base := filepath.Base(name)
	return base == "game.toml" || strings.HasSuffix(base, ".lua") && !strings.HasPrefix(base, ".")
}

// reload compiles off the tick and hands the result over.
func reload(dir string, host *runtime.Host, driver *runtime.Driver, log *slog.Logger) {
	game, err := scripts.LoadDir(dir)
	if err != nil {
		log.Error("scripts not reloaded, the old ones stay: " + err.Error())
		return
	}
	driver.Do(func(time.Duration) { game.Bundle.Setup.Seed = host.Schema().Setup.Seed })
	script, err := game.Compile(compile)
	if err != nil {
		log.Error("scripts not reloaded, the old ones stay: " + err.Error())
		return
	}
	for _, f := range luabind.Check(game.Bundle.Files, game.Bundle.Setup) { // it loads: these are likely mistakes
		f.File = game.Path(f.File)
		log.Warn(f.String())
	}
	driver.Do(func(time.Duration) {
		before := host.Newest()
		tick, changed, err := host.Switch(game.Bundle, script)
		switch {
		case err != nil:
			log.Error("scripts not reloaded, the old ones stay: " + err.Error())
		case changed == nil:
			log.Info("scripts as saved are in force already")
		default:
			for _, c := range world.Changes(before, script.Schema()) {
				log.Info("changed: " + c)
			}
			log.Info("scripts reloaded", "changed", strings.Join(changed, " "), "in force from tick", uint32(tick))
		}
	})
}
