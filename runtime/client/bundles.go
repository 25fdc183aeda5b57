package client

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// load begins to read an awaited bundle from the cache of this machine. It reports false if the bundle is not there.
func (l *library) load(hash bundle.Hash) bool {
	if l.cache == nil {
		return false
	}
	data := l.cache.Load(hash)
	if data == nil || bundle.HashOf(data) != hash {
		return false
	}
	l.texts.keep(hash, data)
	l.begin(&reading{hash: hash, data: data, cached: true})
	return true
}

// deliver takes a bundle that arrived, and those that have waited for it, and begins to read those that are awaited.
// ask has those that the host must be asked for: they are packed against one that the client does not have.
func (l *library) deliver(m wire.Bundle) (ask []bundle.Hash, err error) {
	for ok := true; ok; m, ok = l.texts.takeWaiting() {
		most := l.expectedBytes(m.Hash)
		if most == 0 {
			continue
		}
		if m.Base != (bundle.Hash{}) && l.texts.of(m.Base) == nil {
			if !l.texts.wait(m) {
				ask = append(ask, m.Hash)
			}
			continue
		}
		data, err := l.texts.unpack(&m, most)
		if err != nil {
			return nil, err
		}
		l.texts.keep(m.Hash, data)
		if l.awaits(m.Hash) {
			l.begin(&reading{hash: m.Hash, data: data})
		}
	}
	return ask, nil
}

// begin begins to read a bundle, unless it is being read.
func (l *library) begin(p *reading) {
	if l.reading.has(p.hash) {
		return
	}
	p.scripts = l.lacksScripts(p.hash)
	l.reading.begin(p)
}

// lacksScripts reports whether the scripts of an awaited bundle must be compiled. One that has only another view.lua
// keeps its script.
func (l *library) lacksScripts(hash bundle.Hash) bool {
	for i := range l.known {
		if k := &l.known[i]; awaited(k) && bundle.Hash(k.Hash) == hash && !k.stale {
			return true
		}
	}
	return false
}

// isReading reports whether bundles are being read in the background.
func (l *library) isReading() bool { return len(l.reading.pending) > 0 }

// arrived is what became of a bundle that was read.
type arrived struct {
	bundle *bundle.Bundle // nil: it cannot be used, or is not needed any more
	ask    bool           // it was cached and cannot be used: the host must be asked for it
	hash   bundle.Hash
}

// read adds the next bundle that has been read, if there is one. The error is that of one which the host sent.
func (l *library) read() (a arrived, ok bool, err error) {
	p, read, ok := l.reading.take()
	if !ok {
		return a, false, nil
	}
	if a.hash = p.hash; !l.awaits(p.hash) {
		return a, true, nil
	}
	if !p.scripts && l.lacksScripts(p.hash) && read.err == nil { // it was announced under another number since
		l.begin(p)
		return a, true, nil
	}
	if err = read.err; err == nil {
		err = l.put(p.hash, read.Bundle, read.script)
	}
	switch {
	case err != nil && p.cached:
		l.log.Warn("a bundle that was kept cannot be used: asking the host", "bundle", p.hash.String(),
			"error", err.Error())
		a.ask = true
		return a, true, nil
	case err != nil:
		return a, true, err
	case p.cached:
		l.counts.Cached++
	default:
		if l.counts.Fetched++; l.cache != nil {
			l.cache.Store(p.hash, p.data)
		}
	}
	a.bundle = read.Bundle
	return a, true, nil
}

// put adds an awaited bundle with its script, which is nil if it has only another view.lua.
func (l *library) put(hash bundle.Hash, b *bundle.Bundle, script world.Script) error {
	for i := range l.known {
		if k := &l.known[i]; awaited(k) && bundle.Hash(k.Hash) == hash && k.stale &&
			!bundle.SameSimulation(k.bundle, b) {
			return fmt.Errorf("%w: %s differs from bundle %d in more than %s", bundle.ErrInvalid, hash, k.Number,
				world.ViewFile)
		}
	}
	if script != nil {
		script = l.profile.Wrap(script)
	}
	for i := range l.known {
		k := &l.known[i]
		if !awaited(k) || bundle.Hash(k.Hash) != hash {
			continue
		}
		viewOnly := k.stale
		if k.bundle, k.stale = b, false; viewOnly {
			l.newest = hash
			what := " loaded"
			if !slices.ContainsFunc(b.Files, func(f world.Source) bool { return f.Name == world.ViewFile }) {
				what = " is gone"
			}
			l.log.Info(world.ViewFile+what, "bundle", hash.String())
			continue
		}
		k.script = script
	}
	l.logLoaded()
	return nil
}
