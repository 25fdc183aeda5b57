package runtime

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// announced is a bundle that clients have been told of.
type announced struct {
	bundle *bundle.Bundle
	number uint32
	tick   world.Tick // in force from here on
	hash   bundle.Hash
	bytes  []byte        // nil when nobody can ask for it any more
	over   time.Duration // when it was seen that no tick can be run under it any more; 0: one can
}

// lateAsks is how long a bundle that is over can be asked for: who was told of
// it may have a line on which such an answer takes long.
const lateAsks = 30 * time.Second

// Switch announces a new bundle to everybody and puts it in force a second
// later, or a little more, on one tick for all. script is what Compile made of it. It gives
// that tick and the names of the files that changed: none, and nothing
// happens, when the bundle is the newest one already. Rates, windows, the
// level and the type of a field cannot change while the room lives.
func (h *Host) Switch(b *bundle.Bundle, script world.Script) (from world.Tick, changed []string, err error) {
	if err := b.Check(); err != nil {
		return 0, nil, err
	}
	old := h.bundles[len(h.bundles)-1]
	if bundle.HashOf(b.Encode()) == old.hash {
		return 0, nil, nil
	}
	o := old.bundle
	if fixed := bundle.FixedChange(o, b); fixed != nil {
		return 0, nil, fixed
	}
	if lost := world.Retyped(h.Newest(), script.Schema()); len(lost) > 0 {
		return 0, nil, &bundle.RetypedError{Fields: lost}
	}
	number := old.number + 1
	ahead := h.ahead
	if predictsMore(h.Newest(), script.Schema()) { // no input may be repeated then that not all were told of
		ahead += b.Setup.RepeatInputTicks
	}
	t := max(h.tl.Now(), old.tick) + max(world.Tick(b.Setup.TickRate), ahead) + 1 // no input for a tick after it has come yet
	h.tl.AddScript(number, h.profile.wrap(script))
	a := h.announce(b, number, t)
	h.cfg.Recorder.bundle(a)
	if _, err := h.insert(world.Event{Tick: t, Kind: world.BundleEvent, Bundle: number}, 0); err != nil {
		return 0, nil, err
	}
	h.rules = &b.Rules
	for _, p := range h.peers {
		if p.stage >= stageAdmitted {
			p.announceBundle(h, a)
		}
	}
	return t, bundle.ChangedFiles(o, b), nil
}

// predictsMore reports whether there is a class that clients simulate by the scripts to
// come, and did not before.
func predictsMore(before, after *world.Schema) bool {
	return slices.ContainsFunc(before.Classes, func(c world.Class) bool {
		i, ok := after.ClassByName(c.Name)
		return ok && c.LOD != world.Predict && after.Classes[i].LOD == world.Predict
	})
}

func (h *Host) announce(b *bundle.Bundle, number uint32, t world.Tick) *announced {
	data := b.Encode()
	a := &announced{bundle: b, number: number, tick: t, hash: bundle.HashOf(data), bytes: data}
	h.bundles = append(h.bundles, a)
	return a
}

// neededFrom is the first record that some client still lacks.
func (h *Host) neededFrom() uint32 {
	from := h.applied.End()
	for _, p := range h.peers {
		switch {
		case p.relay != nil:
			from = min(from, p.relay.Acked())
		case p.stage == stagePlaying:
			from = min(from, p.from)
		}
	}
	return from
}
