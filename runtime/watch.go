package runtime

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// watcher is a client's end of a teller: it reads snapshots and plays them back.
type watcher struct {
	layout *wire.SnapshotLayout
	schema *world.Schema
	bundle uint32          // of layout and schema
	kept   []wire.Snapshot // that others may be built on, by number
	spare  wire.Snapshot
	newest uint32        // the newest read
	onto   uint32        // the newest base of those read
	mine   wire.Snapshot // of one object, as this client has it
	play   *playback
	named  int64   // the latest moment that an input named as shown, in world.ViewParts of a tick
	due    dueCues // that it has been told of and not shown
}

// maxKept is how many snapshots are kept for others to be built on, and overtaken how far
// before the newest base: what comes late, behind one that is built on a newer one,
// can still be read.
const (
	maxKept   = 64
	overtaken = 32
)

// script has snapshots read by a bundle's declarations from now on.
func (w *watcher) script(number uint32, script world.Script) {
	if w.bundle == number {
		return
	}
	schema := script.Schema()
	if w.play != nil {
		w.play.rename(func(class uint16) (uint16, bool) {
			n, ok := schema.ClassByName(w.schema.Classes[class].Name)
			return uint16(n), ok
		})
	}
	w.bundle, w.schema, w.layout = number, schema, wire.NewSnapshotLayout(schema)
	if w.play != nil {
		w.play.layout, w.play.schema = w.layout, schema
	}
}

// begin takes the state of a keyframe as the base of the first snapshots.
func (w *watcher) begin(s *world.State, script world.Script, seq uint32) {
	w.script(s.Bundle, script)
	if w.play == nil {
		w.play = newPlayback(w.schema.Setup.TickRate)
		w.play.layout, w.play.schema = w.layout, w.schema
	}
	base := wire.Snapshot{}
	takeBodies(&base, w.layout, s, bodiesByID(s, nil), seq)
	w.kept, w.newest, w.onto = append(w.kept[:0], base), seq, seq
	w.play.take(&base, -1)
}

// snapshot takes in where things are.
func (c *Client) snapshot(data []byte) error {
	w := &c.watch
	c.stats.bytes.snapshots += int64(len(data))
	seq, of, bundle, err := wire.SnapshotHead(data)
	if err != nil || c.stage != StagePlaying || w.play == nil && c.cfg.Blind {
		return err
	}
	base := w.base(of)
	if of != 0 && base != nil {
		bundle = base.Bundle
	}
	script := c.library.script(bundle)
	if w.play == nil && script != nil {
		w.script(bundle, script)
		w.play = newPlayback(w.schema.Setup.TickRate)
	}
	switch {
	case script == nil || base == nil || bundle < w.bundle: // or overtaken by one of other scripts, by which all is had now
		c.stats.datagrams.Stale++
		return nil
	case w.at(seq) != nil:
		c.stats.datagrams.Duplicate++
		return nil
	}
	w.script(bundle, script)
	m := &w.spare
	if err := wire.ParseSnapshot(data, w.layout, base, m); err != nil {
		return err
	}
	age := time.Duration(-1)
	if c.clock.Synced() {
		age = max(c.clock.HostTime(c.now)-time.Duration(m.Tick)*(time.Second/time.Duration(w.schema.Setup.TickRate)), 0)
	}
	w.play.take(m, age)
	if c.cfg.Blind {
		c.seek(m)
	}
	w.keep(of)
	if m := w.at(seq); m != nil && !c.cfg.Blind {
		c.standIns(m)
	}
	return nil
}

// seek asks for the world anew when an object of this player's has come that it
// cannot steer yet.
func (c *Client) seek(m *wire.Snapshot) {
	for i := range m.Entities {
		e := &m.Entities[i]
		if e.Owner != c.player || c.lookAt != 0 || !c.watch.schema.Classes[e.Class].Hooks.Has(world.ApplyInput) {
			continue
		}
		if _, known := c.tl.World().Now.Find(e.ID); !known {
			c.lookAt = e.Tick
		}
	}
}

// base finds the snapshot that another is built on, 0 being the empty one.
func (w *watcher) base(seq uint32) *wire.Snapshot {
	if seq == 0 {
		return &wire.Snapshot{}
	}
	return w.at(seq)
}

func (w *watcher) at(seq uint32) *wire.Snapshot {
	i, ok := slices.BinarySearchFunc(w.kept, seq, func(s wire.Snapshot, seq uint32) int { return cmp.Compare(s.Seq, seq) })
	if !ok {
		return nil
	}
	return &w.kept[i]
}

// keep adds the snapshot just read. The host builds on ever newer ones only, so
// it drops those long before the newest base, and, if there are too many, the oldest but for
// that base.
func (w *watcher) keep(base uint32) {
	i, _ := slices.BinarySearchFunc(w.kept, w.spare.Seq, func(s wire.Snapshot, seq uint32) int { return cmp.Compare(s.Seq, seq) })
	w.newest, w.onto = max(w.newest, w.spare.Seq), max(w.onto, base)
	w.kept = slices.Insert(w.kept, i, w.spare)
	w.spare = wire.Snapshot{}
	n := 0
	for n < len(w.kept) && w.kept[n].Seq+overtaken < w.onto {
		n++
	}
	w.kept = slices.Delete(w.kept, 0, n)
	if len(w.kept) > maxKept {
		oldest := 0
		if w.kept[0].Seq == w.onto {
			oldest = 1
		}
		w.kept = slices.Delete(w.kept, oldest, oldest+1)
	}
}

// showWatched fills v with what was told of, a back-time ago.
func (c *Client) showWatched(v *View) {
	w := &c.watch
	if w.play == nil {
		return
	}
	w.play.show(c.now, c.clock.HostTime(c.now), c.clock.Synced())
	v.Moment = w.play.moment
	v.Tick = world.Tick(math.Floor(w.play.moment)) + 1
	v.Part = w.play.moment - math.Floor(w.play.moment)
	v.level(w.schema)
	w.play.each(func(a *actor, at physics.Pose) {
		class := &w.schema.Classes[a.class]
		if shape := c.shapeOf(a.id, class); shape != nil {
			v.showActor(w.play, a, at, class, shape)
		}
	})
}

// showActor adds an object that was told of to a view.
func (v *View) showActor(p *playback, a *actor, at physics.Pose, class *world.Class, shape *physics.Shape) {
	s := &a.samples[0]
	v.Bodies = append(v.Bodies, ViewBody{ID: a.id, Class: class.Name, Owner: a.owner,
		Pose: at, Velocity: s.speed, Shape: shape, Look: class.Look, class: class, row: v.told(p, a, class)})
}

// shapeOf is the shape of an object: its class's, unless it came with the
// keyframe, where walls have shapes of their own.
func (c *Client) shapeOf(id world.ObjectID, class *world.Class) *physics.Shape {
	if b := bodyOf(c.tl.World().Now, id); b != nil {
		return &c.tl.World().Schema().Defs[b.Def].Shape
	}
	if class.Body == nil {
		return nil
	}
	return &class.Body.Def.Shape
}

// placeOwn puts this player's objects where they were told to be last, for the
// controls to aim from.
func (c *Client) placeOwn() {
	if c.watch.play == nil {
		return
	}
	for i := range c.watch.play.actors {
		a := &c.watch.play.actors[i]
		if b := bodyOf(c.tl.World().Now, a.id); b != nil && a.owner == c.player && len(a.samples) > 0 {
			b.Pose = a.samples[len(a.samples)-1].at
		}
	}
}
