package host

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// Switch announces a new bundle to all clients. The bundle takes effect a second later, or
// a little more, in the same tick for all. script is the result of Compile for it. Switch
// returns that tick and the names of the changed files. If the bundle is already the newest
// one, nothing happens, and there are no changed files. Of the level in force, the walls and the objects that the new
// bundle declares in another way are replaced. Rates, windows and the type of a field cannot change while the room runs: the error is a *bundle.FixedError or a
// *bundle.RetypedError, or wraps bundle.ErrInvalid, or ErrConfig for a nil script.
//
// If only view.lua differs, which is not simulated, the match has no event: the bundle keeps its
// number and its tick, which Switch returns, and clients use the new view.lua as soon as they have it.
func (h *Host) Switch(b *bundle.Bundle, script world.Script) (from world.Tick, changed []string, err error) {
	if err := b.Check(); err != nil {
		return 0, nil, err
	}
	if script == nil {
		return 0, nil, fmt.Errorf("%w: Switch needs the script that Compile makes of the bundle", room.ErrConfig)
	}
	old := h.bundles.Newest()
	if bundle.HashOf(b.Encode()) == old.hash {
		return 0, nil, nil
	}
	if bundle.SameSimulation(old.bundle, b) {
		a := h.bundles.Revise(h.clock.Now(), b)
		h.cfg.Recorder.Bundle(a.number, a.tick, a.hash, a.bytes)
		h.announceBundle(a)
		return old.tick, bundle.ChangedFiles(old.bundle, b), nil
	}
	o := old.bundle
	if fixed := bundle.FixedChange(o, b); fixed != nil {
		return 0, nil, fixed
	}
	if lost := world.Retyped(h.Newest(), script.Schema()); len(lost) > 0 {
		return 0, nil, &bundle.RetypedError{Fields: lost}
	}
	number := old.number + 1
	ahead := h.match.Window().ahead
	if predictsMore(h.Newest(), script.Schema()) { // no unrelayed input may be repeated after the switch
		ahead += b.Setup.RepeatInputTicks
	}
	t := max(h.match.Now(), old.tick) + max(world.Tick(b.Setup.TickRate), ahead) + 1 // no input for a later tick has arrived yet
	h.match.Announce(number, h.Profile.Wrap(script), &b.Rules)
	a := h.bundles.Add(b, t)
	h.cfg.Recorder.Bundle(a.number, a.tick, a.hash, a.bytes)
	if _, err := h.insert(world.Event{Tick: t, Kind: world.BundleEvent, Bundle: number}, 0); err != nil {
		return 0, nil, err
	}
	h.announceBundle(a)
	return t, bundle.ChangedFiles(o, b), nil
}

// announceBundle announces a bundle to all clients.
func (h *Host) announceBundle(a *announced) {
	announce := a.wire()
	for _, p := range h.roster.All() {
		if p.Admitted() {
			_ = h.out.Control(h.clock.Now(), p.id, wire.AppendAnnounce(nil, &announce))
		}
	}
}

// predictsMore reports whether clients simulate a class under the coming scripts that
// they did not simulate before.
func predictsMore(before, after *world.Schema) bool {
	return slices.ContainsFunc(before.Classes, func(c world.Class) bool {
		i, ok := after.ClassByName(c.Name)
		return ok && c.LOD != world.Predict && after.Classes[i].LOD == world.Predict
	})
}

// neededFrom returns the first record that some client still lacks.
func (h *Host) neededFrom() uint32 {
	from := h.applied.End()
	h.roster.Playing(func(p *peer) { from = min(from, p.log.NeededFrom()) })
	return from
}
