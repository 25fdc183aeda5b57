package runtime

import (
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// library has the bundles that were announced to a client: those that are compiled, and
// those that are being fetched.
type library struct {
	known []known // in the order of the announcements
}

type known struct {
	wire.Announce
	bundle *bundle.Bundle // nil: being fetched
	script world.Script
}

// announce notes a bundle. ask is set if the client must request it: the client does
// not have it, and is not fetching it under another number.
func (l *library) announce(a wire.Announce) (ask bool) {
	if l.find(a.Number) != nil {
		return false
	}
	k := known{Announce: a}
	ask = true
	for i := range l.known {
		if other := &l.known[i]; other.Hash == a.Hash {
			k.bundle, k.script, ask = other.bundle, other.script, false
		}
	}
	l.known = append(l.known, k)
	return ask
}

// awaits reports whether a bundle is being fetched.
func (l *library) awaits(hash bundle.Hash) bool {
	return slices.ContainsFunc(l.known, func(k known) bool { return k.script == nil && bundle.Hash(k.Hash) == hash })
}

// deliver adds a bundle that arrived.
func (l *library) deliver(hash bundle.Hash, b *bundle.Bundle, script world.Script) {
	for i := range l.known {
		if k := &l.known[i]; k.script == nil && bundle.Hash(k.Hash) == hash {
			k.bundle, k.script = b, script
		}
	}
}

func (l *library) find(number uint32) *known {
	for i := range l.known {
		if l.known[i].Number == number {
			return &l.known[i]
		}
	}
	return nil
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

// schema returns the schema of a bundle number, nil if the client does not have its
// scripts.
func (l *library) schema(number uint32) *world.Schema {
	if s := l.script(number); s != nil {
		return s.Schema()
	}
	return nil
}

// complete reports whether the client has all announced bundles.
func (l *library) complete() bool {
	return !slices.ContainsFunc(l.known, func(k known) bool { return k.script == nil })
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
	l.known = slices.DeleteFunc(l.known, func(k known) bool { return k.Number < below })
}

// earlierTick returns the lesser of two ticks of which 0 means none.
func earlierTick(a, b world.Tick) world.Tick {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
