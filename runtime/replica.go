package runtime

import (
	"errors"
	"math"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// replica is what a client is sent of the objects that it does not simulate.
type replica struct {
	receiver replicate.Receiver
	buffer   *view.Buffer // nil before the first snapshot
	samples  []view.Sample
	cues     view.CueQueue // of a spectator
	named    int64         // the latest view time of an input, in world.ViewParts of a tick
}

// begin takes the state of a keyframe, which is snapshot number seq.
func (r *replica) begin(s *world.State, schema *world.Schema, seq uint32) {
	r.show(r.receiver.Restart(schema, s, seq), -1)
}

// show adds a snapshot to the interpolation buffer.
func (r *replica) show(m *wire.Snapshot, age time.Duration) {
	if r.buffer == nil {
		r.buffer = view.NewBuffer(r.receiver.Schema())
	}
	r.buffer.Use(r.receiver.Schema())
	r.samples = r.samples[:0]
	for i := range m.Entities {
		e := &m.Entities[i]
		r.samples = append(r.samples, view.Sample{Tick: e.Tick, ProxyUpdate: r.receiver.Update(m, e)})
	}
	r.buffer.Add(m.Tick, r.samples, age)
}

// snapshot takes in a snapshot.
func (c *Client) snapshot(data []byte) error {
	r := &c.replica
	c.stats.bytes.snapshots += int64(len(data))
	if _, _, _, err := wire.SnapshotHead(data); err != nil || c.stage != StagePlaying || r.buffer == nil && c.cfg.Blind {
		return err
	}
	m, err := r.receiver.Read(data, c.library.schema)
	switch {
	case errors.Is(err, replicate.ErrStale):
		c.stats.datagrams.Stale++
		return nil
	case errors.Is(err, replicate.ErrDuplicate):
		c.stats.datagrams.Duplicate++
		return nil
	case err != nil:
		return err
	}
	age := time.Duration(-1)
	if c.clock.Synced() {
		age = max(c.clock.HostTime(c.now)-time.Duration(m.Tick)*(time.Second/time.Duration(r.receiver.Schema().Setup.TickRate)), 0)
	}
	r.show(m, age)
	if c.cfg.Blind {
		c.seek(m)
	} else {
		c.applySnapshot(m)
	}
	return nil
}

// seek asks for the world again when an object of this player's has come that the client
// cannot steer yet.
func (c *Client) seek(m *wire.Snapshot) {
	for i := range m.Entities {
		e := &m.Entities[i]
		if e.Owner != c.player || c.lookAt != 0 || !c.replica.receiver.Schema().Classes[e.Class].Hooks.Has(world.ApplyInput) {
			continue
		}
		if _, known := c.tl.World().Now.Find(e.ID); !known {
			c.lookAt = e.Tick
		}
	}
}

// showBuffer lets the interpolation buffer choose the moment to show.
func (c *Client) showBuffer() {
	c.replica.buffer.Show(c.now, c.clock.HostTime(c.now), c.clock.Synced())
}

// showSpectated fills the view of a spectator from the interpolation buffer.
func (c *Client) showSpectated(v *View) {
	b := c.replica.buffer
	if b == nil {
		return
	}
	c.showBuffer()
	v.Moment = b.Moment()
	v.Tick = world.Tick(math.Floor(v.Moment)) + 1
	v.Part = v.Moment - math.Floor(v.Moment)
	v.level(b.Schema())
	b.Each(func(o *view.Object, at physics.Pose) {
		class := &b.Schema().Classes[o.Class]
		if shape := c.shapeOf(o.ID, class); shape != nil {
			v.showReplicated(b, o, at, class, shape)
		}
	})
}

// showReplicated adds a replicated object to a view.
func (v *View) showReplicated(b *view.Buffer, o *view.Object, at physics.Pose, class *world.Class, shape *physics.Shape) {
	v.Bodies = append(v.Bodies, ViewBody{ID: o.ID, Class: class.Name, Owner: o.Owner,
		Pose: at, Velocity: o.Velocity(), Shape: shape, Look: class.Look, class: class, row: v.replicatedRow(b, o, class)})
}

// shapeOf is the shape of an object: that of its class, unless it came with the keyframe,
// where walls have shapes of their own.
func (c *Client) shapeOf(id world.ObjectID, class *world.Class) *physics.Shape {
	if b := view.BodyOf(c.tl.World().Now, id); b != nil {
		return &c.tl.World().Schema().Defs[b.Def].Shape
	}
	if class.Body == nil {
		return nil
	}
	return &class.Body.Def.Shape
}

// placeOwn moves this player's objects to their newest poses, for the controls to aim from.
func (c *Client) placeOwn() {
	if c.replica.buffer == nil {
		return
	}
	c.replica.buffer.EachNewest(func(o *view.Object, at physics.Pose) {
		if b := view.BodyOf(c.tl.World().Now, o.ID); b != nil && o.Owner == c.player {
			b.Pose = at
		}
	})
}
