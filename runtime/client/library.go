package client

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// library has the bundles that were announced to a client: those that are compiled, and
// those that are being fetched or compiled.
type library struct {
	known   []knownBundle // by number
	reading *bundleReader
	texts   bundleTexts
	cache   bundle.Cache // may be nil
	log     *slog.Logger
	profile side.Profile // the cost of all scripts
	newest  bundle.Hash  // of the last bundle in the log
	counts  room.BundleCounts
	errors  *side.ScriptLog // has those of functions that show fields
	tries   showTries
	// present reports whether there are objects of a class at the present
	present func(class string) bool
}

// newLibrary returns a library without bundles.
func newLibrary(cfg *Config, errors *side.ScriptLog, present func(class string) bool) library {
	return library{
		errors:  errors,
		present: present,
		reading: newBundleReader(cfg.Compile, cfg.Background),
		cache:   cfg.Cache,
		log:     cfg.Log,
		profile: side.NewProfile(cfg.Stopwatch),
	}
}

// knownBundle is a bundle that was announced, with what the client has of it.
type knownBundle struct {
	wire.Announce
	bundle *bundle.Bundle // nil: being fetched
	script world.Script
	stale  bool // bundle has an older view.lua: the one with Hash is being fetched
	logged bool // the log says that it is there
}

// awaited reports whether a bundle is being fetched.
func awaited(k *knownBundle) bool { return k.script == nil || k.stale }

// announce notes a bundle, or that a known one has another view.lua. ask is set if the client must
// request it: the client does not have it, and is not fetching it under another number.
func (l *library) announce(a wire.Announce) (ask bool) {
	l.texts.use(a.Hash)
	if k := l.find(a.Number); k != nil {
		ask = k.Hash != a.Hash
		k.Hash, k.Bytes, k.stale = a.Hash, a.Bytes, k.script != nil && (ask || k.stale)
		return ask
	}
	k := knownBundle{Announce: a}
	ask = true
	for i := range l.known {
		other := &l.known[i]
		if other.Hash != a.Hash {
			continue
		}
		if ask = false; !other.stale {
			k.bundle, k.script = other.bundle, other.script
		}
	}
	at, _ := slices.BinarySearchFunc(l.known,
		a.Number, func(k knownBundle, n uint32) int { return cmp.Compare(k.Number, n) })
	l.known = slices.Insert(l.known, at, k) // it may have overtaken the Welcome
	l.logLoaded()
	return ask
}

// maxChanges is how many changes of new scripts are logged.
const maxChanges = 12

// logLoaded logs which bundles are there, in the order of their numbers: one that arrives or is compiled sooner than
// those before it waits for them. One that is announced after a later one is in the log already is history.
func (l *library) logLoaded() {
	var before *knownBundle
	for i := range l.known {
		k := &l.known[i]
		if k.script == nil {
			return
		}
		if !k.logged && !slices.ContainsFunc(l.known[i:], func(o knownBundle) bool { return o.logged }) {
			l.logBundle(before, k)
		}
		k.logged, before = true, k
	}
}

// logBundle logs that the scripts of a bundle are there, and what they change in what the bundle before declares, as
// the host does: whose objects are gone is seen in this log, too. before is nil if there is none.
func (l *library) logBundle(before, k *knownBundle) {
	hash := bundle.Hash(k.Hash)
	l.newest = hash
	attrs := []any{"bundle", hash.String()}
	if before != nil {
		lines := world.Changes(before.script.Schema(), k.script.Schema(), l.present)
		for _, line := range lines[:min(len(lines), maxChanges)] {
			l.log.Info("changed: " + line)
		}
		if more := len(lines) - maxChanges; more > 0 {
			l.log.Info(fmt.Sprintf("changed: and %d more", more))
		}
		attrs = append(attrs, "changed", strings.Join(bundle.ChangedFiles(before.bundle, k.bundle), " "))
	}
	if k.Tick > 0 {
		attrs = append(attrs, "in force from tick", uint32(k.Tick))
	}
	l.log.Info("scripts loaded", attrs...)
}

// awaits reports whether a bundle is being fetched.
func (l *library) awaits(hash bundle.Hash) bool {
	return slices.ContainsFunc(l.known, func(k knownBundle) bool { return awaited(&k) && bundle.Hash(k.Hash) == hash })
}

func (l *library) find(number uint32) *knownBundle {
	for i := range l.known {
		if l.known[i].Number == number {
			return &l.known[i]
		}
	}
	return nil
}

// from returns the tick from which on a bundle is in force, 0 if it is not known.
func (l *library) from(number uint32) world.Tick {
	if k := l.find(number); k != nil {
		return k.Tick
	}
	return 0
}

// script returns the script of a bundle number, nil if the client does not have it.
func (l *library) script(number uint32) world.Script {
	if k := l.find(number); k != nil {
		return k.script
	}
	return nil
}

// bundle returns the bundle of a number, nil if the client does not have it.
func (l *library) bundle(number uint32) *bundle.Bundle {
	if k := l.find(number); k != nil {
		return k.bundle
	}
	return nil
}

// files returns the files of a bundle number, nil if the client does not have it.
func (l *library) files(number uint32) []world.Source {
	if b := l.bundle(number); b != nil {
		return b.Files
	}
	return nil
}

// schema returns the schema of a bundle number, nil if the client does not have its
// scripts.
func (l *library) schema(number uint32) *world.Schema {
	if s := l.script(number); s != nil {
		return s.Schema()
	}
	return nil
}

// complete reports whether the client has all announced bundles.
func (l *library) complete() bool { return l.lackingBytes() == 0 }

// lackingBytes returns how many bytes the announced bundles have that are still to be compiled.
func (l *library) lackingBytes() (n int) {
	for i := range l.known {
		if k := &l.known[i]; k.script == nil {
			n += max(int(k.Bytes), 1)
		}
	}
	return n
}

// expectedBytes returns how many bytes a bundle that arrives has at most, 0: it is of no use. It may be one that is there
// already: a host also sends again what is in force again.
func (l *library) expectedBytes(hash bundle.Hash) (n uint32) {
	if l.reading.has(hash) {
		return 0
	}
	for i := range l.known {
		if k := &l.known[i]; awaited(k) && k.Hash == hash {
			n = max(n, k.Bytes)
		}
	}
	return max(n, l.texts.sizeOf(hash))
}

// holdAt returns the first tick that needs a bundle which the client does not have, 0:
// none.
func (l *library) holdAt() (t world.Tick) {
	for i := range l.known {
		if l.known[i].script == nil {
			t = earlierTick(t, max(l.known[i].Tick, 1))
		}
	}
	return t
}

// inForce returns the number of the bundle in force at tick t, or of the first one that
// is kept, if that took effect later.
func (l *library) inForce(t world.Tick) (number uint32) {
	for i := range l.known {
		if k := &l.known[i]; number == 0 || k.Tick <= t {
			number = k.Number
		}
	}
	return number
}

// each calls f for all scripts that the client has.
func (l *library) each(f func(number uint32, script world.Script)) {
	for i := range l.known {
		if k := &l.known[i]; k.script != nil {
			f(k.Number, k.script)
		}
	}
}

// forget drops the bundles before a number.
func (l *library) forget(below uint32) {
	l.known = slices.DeleteFunc(l.known, func(k knownBundle) bool { return k.Number < below })
	l.logLoaded()
}

// report fills in the counts of bundles, and the cost of their hooks.
func (l *library) report(r *room.Report) {
	counts := l.counts
	r.Bundle, r.Bundles, r.Classes = l.newest.String(), &counts, l.profile.Report()
}

// earlierTick returns the lesser of two ticks of which 0 means none.
func earlierTick(a, b world.Tick) world.Tick {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// knows returns the bundle whose schema has a class, nil if the client does not have it any more.
func (l *library) knows(c *world.Class) *knownBundle {
	for i := len(l.known) - 1; i >= 0; i-- {
		k := &l.known[i]
		if k.script == nil {
			continue
		}
		schema := k.script.Schema()
		if n, ok := schema.ClassByName(c.Name); ok && &schema.Classes[n] == c {
			return k
		}
	}
	return nil
}
