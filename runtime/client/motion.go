package client

import (
	"slices"
	"sort"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Mover is an optional interface of Controls. It decides the poses of objects whose class has
// authority = "owner", for a program that moves them itself. Without a Mover, their poses are those
// of this client's simulation.
type Mover interface {
	// Move returns the pose of the object in slot of r.State() at the start of the coming tick.
	// simulated is its pose without a Mover. r is valid during the call. A pose that is not
	// finite or is outside the world is not sent.
	Move(r world.Reader, slot int, simulated world.Placement) world.Placement
}

// sentPoses are the owner poses of this client at the start of the last ticks:
// those of tick t at t % MaxPoses.
type sentPoses [wire.MaxPoses]struct {
	tick  world.Tick
	poses []sentPose
}

type sentPose struct {
	object world.ObjectID
	at     world.Placement
}

// poseAges returns how many ticks old the owner poses are that a Motion repeats.
func poseAges() [3]world.Tick { return [...]world.Tick{1, 3, 7} }

// ownFrame is an independent frame that the log of this client does not have yet.
type ownFrame struct {
	object world.ObjectID
	bundle uint32
	number uint32
	frame  wire.IndependentFrame
}

// motion is the owner poses and independent frames of a client.
type motion struct {
	mover     Mover         // nil: the poses are those that the client simulates
	every     time.Duration // Config.FrameEvery
	poses     sentPoses
	sent      world.Tick // the newest tick of which owner poses have been sent
	corrected []correctedPoses
	framed    framedPoses
	frames    []ownFrame    // by number
	sentFrame uint32        // the number of the newest frame that has been sent
	number    uint32        // the number of the last frame
	displayed time.Duration // when the program displayed its last frame, 0: it does not say
	last      time.Duration
	buf       []byte
	parts     motionParts
	// the part of the frames' time that is not in a frame yet, below 1/FrameParts s; scaled by FrameParts
	rest time.Duration
}

// newMotion returns a motion without poses and frames.
func newMotion(cfg *Config) motion {
	mover, _ := cfg.Controls.(Mover)
	return motion{mover: mover, every: cfg.FrameEvery}
}

const (
	// framesATick is the most frames per tick. Numbers begin at framesATick times the
	// tick, so that a client that returns has higher ones than before.
	framesATick = 8
	// longestFrame is the longest length of a frame.
	longestFrame = 250 * time.Millisecond
)

// guessPoses records the owner poses of this client's objects at the start of tick t, and inserts
// them as guesses.
func (m *motion) guessPoses(tl *timeline.Timeline, player world.PlayerID, t world.Tick) {
	m.framed.posed = m.framed.frame
	now := &m.poses[t%wire.MaxPoses]
	now.tick, now.poses = t, now.poses[:0]
	r := tl.World().Reader()
	s := r.State()
	for _, at := range s.Run {
		o, slot := &s.Objects[at], int(at)
		if o.Owner != player || r.Class(slot).Moves == nil || s.Body(slot).Key == 0 || len(now.poses) == wire.MaxRuns {
			continue
		}
		own := m.framed.after(t-1, o.ID, world.OwnerPoseOf(s.Body(slot)))
		if m.mover != nil {
			if moved := m.mover.Move(r, slot, own).Rounded(); moved.Check() == nil {
				own = moved
			}
		}
		now.poses = append(now.poses, sentPose{o.ID, own})
		tl.Guess(world.Event{
			Kind:   world.OwnerPoseEvent,
			Tick:   t,
			Object: o.ID,
			Player: player,
			Place:  own,
		}, r.Class(slot).LOD != world.Predict)
	}
}

// stepped notes that the frames made so far have run. Where they have put the objects whose poses the host does not
// keep until their tick is the owner poses of the coming tick, which need not wait for it here either.
// A client that has not reached the present has none yet.
func (m *motion) stepped(tl *timeline.Timeline, player world.PlayerID, atPresent bool) {
	m.framed.note(tl, player, m.number)
	if m.mover != nil || !atPresent {
		return // a mover decides in the coming tick
	}
	next := &m.poses[(tl.Now()+1)%wire.MaxPoses]
	next.tick, next.poses = tl.Now()+1, next.poses[:0]
	for _, p := range m.framed.poses {
		if !p.logged && len(next.poses) < wire.MaxRuns {
			next.poses = append(next.poses, p.sentPose)
		}
	}
}

// tickFrame makes the frame of tick t, for a program that did not ask for frames of its own, or has not
// displayed one for longestFrame.
func (m *motion) tickFrame(
	s *sampler,
	c *clock,
	tl *timeline.Timeline,
	player world.PlayerID,
	now time.Duration,
	t world.Tick,
	drawn world.DrawnAt,
) {
	if m.every != 0 || m.displayed != 0 && now-m.displayed < longestFrame {
		return
	}
	if m.displayed != 0 { // frames go on with the ticks
		m.displayed, m.last = 0, now-c.tickLength()
	}
	m.makeFrame(s, tl, player, m.last+c.tickLength(), t, drawn)
}

// start begins to count the time of frames.
func (m *motion) start(now time.Duration) { m.last = now }

// makeFrame makes a frame of this client's objects that tick independently. Its length
// is the time since the last frame, and it is run in tick t.
func (m *motion) makeFrame(
	from *sampler,
	tl *timeline.Timeline,
	player world.PlayerID,
	now time.Duration,
	t world.Tick,
	drawn world.DrawnAt,
) {
	m.rest += min(now-m.last, longestFrame) * world.FrameParts
	m.last = now
	dt := m.rest / time.Second
	m.rest %= time.Second
	if m.number++; m.number == 1 {
		m.number = uint32(t) * framesATick
	}
	r := tl.World().Reader()
	s := r.State()
	for _, at := range s.Run {
		o, class := &s.Objects[at], r.Class(int(at))
		if o.Owner != player || !class.Independent || dt == 0 {
			continue
		}
		f := ownFrame{o.ID, s.Bundle, m.number, wire.IndependentFrame{DT: uint16(dt)}}
		f.frame.Input = from.played(r, int(at))
		e := world.Event{
			Kind:   world.FrameEvent,
			Tick:   t,
			Object: o.ID,
			Player: player,
			Number: f.number,
			DT:     f.frame.DT,
			Bundle: f.bundle,
			Input:  f.frame.Input,
		}
		e.Sight = tl.Look(&e, drawn)
		f.frame.Sight = e.Sight
		m.frames = append(m.frames, f)
		tl.Guess(e, class.LOD != world.Predict)
	}
}

// frameDue makes a frame if the program displays one, or asked for frames of its own and it is time.
func (m *motion) frameDue(
	s *sampler,
	c *clock,
	tl *timeline.Timeline,
	player world.PlayerID,
	now time.Duration,
	drawn world.DrawnAt,
) {
	displays := s.takeDisplayed()
	if displays && m.displayed == 0 { // where the lead has grown, the frames of ticks are ahead of the time
		m.last = min(m.last, now-c.tickLength()/framesATick)
	}
	if displays = displays && now >= m.last+c.tickLength()/framesATick; displays {
		m.displayed = now
	}
	if displays || now >= m.frameAt(c) {
		m.makeFrame(s, tl, player, now, tl.Now()+1, drawn)
	}
}

// frameAt returns when the next frame is due; link.Never if the program did not ask for frames of its
// own.
func (m *motion) frameAt(c *clock) time.Duration {
	if m.every <= 0 || !c.ticking() {
		return link.Never
	}
	return m.last + max(m.every, c.tickLength()/framesATick)
}

// send sends the owner poses and independent frames. near is whether the host may answer before the next tick.
func (m *motion) send(
	now time.Duration,
	out *side.Mailbox,
	tl *timeline.Timeline,
	player world.PlayerID,
	near bool,
) {
	m.frames = slices.DeleteFunc(m.frames, func(f ownFrame) bool {
		return f.number <= tl.Log().FrameReached(f.object, player) || f.number+wire.MaxFrames <= m.number
	})
	msg := wire.Motion{Poses: m.poseRuns(tl.Now(), false), Frames: m.frameRuns(near)}
	if len(msg.Poses) == 0 && len(msg.Frames) == 0 {
		return
	}
	if m.buf = wire.AppendMotion(m.buf[:0], &msg); len(m.buf) <= wire.MaxDatagram {
		out.Datagram(now, link.HostPeer, m.buf)
	} else {
		all := countPoses(msg.Poses)
		msg.Poses = m.poseRuns(tl.Now(), true)
		out.Cut().Poses += all - countPoses(msg.Poses)
		m.parts.send(&msg, m.sentFrame, out.Cut(), func(b []byte) { out.Datagram(now, link.HostPeer, b) })
	}
	m.sent, m.sentFrame = tl.Now(), m.number
}

// poseRuns gathers the owner poses of ticks that have not been sent, and those to be repeated,
// object by object. newest restricts it to the newest of each object. Of objects whose poses the host does not
// keep until their tick, only those are sent.
func (m *motion) poseRuns(now world.Tick, newest bool) (runs []wire.PoseRun) {
	ages := poseAges()
	for t := now - min(now, wire.MaxPoses-2); t <= now+1; t++ {
		s := &m.poses[t%wire.MaxPoses]
		if s.tick != t || t == 0 || t < now && (newest || t <= m.sent && !slices.Contains(ages[:], now-t)) {
			continue
		}
		for _, p := range s.poses {
			if t < m.newestPose(now, p.object) {
				continue
			}
			i := slices.IndexFunc(runs, func(r wire.PoseRun) bool {
				return r.Object == p.object && r.First+world.Tick(len(r.Poses)) == t
			})
			if i < 0 && len(runs) < wire.MaxRuns {
				runs = append(runs, wire.PoseRun{Object: p.object, First: t, Poses: []world.Placement{p.at}})
			} else if i >= 0 {
				runs[i].Poses = append(runs[i].Poses, p.at)
			}
		}
	}
	return runs
}

// newestPose returns the tick before which poses of an object are not sent.
func (m *motion) newestPose(now world.Tick, id world.ObjectID) world.Tick {
	i := m.framed.find(id)
	switch {
	case i < 0 || m.framed.poses[i].logged:
		return 0
	case m.mover != nil:
		return now
	}
	return now + 1
}

// frameRuns gathers the newest frames that the host may not have run yet, object by object.
func (m *motion) frameRuns(near bool) (runs []wire.FrameRun) {
	for i := range m.frames {
		f := &m.frames[i]
		if m.framed.awaits(f.object, f.number, near) {
			continue
		}
		at := slices.IndexFunc(runs, func(r wire.FrameRun) bool {
			return r.Object == f.object && r.Bundle == f.bundle && r.First+uint32(len(r.Frames)) == f.number
		})
		if at < 0 && len(runs) < wire.MaxRuns {
			runs = append(runs, wire.FrameRun{
				Object: f.object,
				Bundle: f.bundle,
				First:  f.number,
				Frames: []wire.IndependentFrame{f.frame},
			})
		} else if at >= 0 {
			runs[at].Frames = append(runs[at].Frames, f.frame)
		}
	}
	return runs
}

// framedPoses are where the guessed frames of this client have put the objects that run in its frames and that
// its player moves, too. The log says in which tick the host has run a frame, where it does not move the object. It may
// say so before the next owner pose is made.
type framedPoses struct {
	tick  world.Tick // after which these poses are
	frame uint32     // the last frame that ran in it
	posed uint32     // the last frame that an owner pose of a later tick has
	poses []framedPose
}

// framedPose is the pose of an object after its frames.
type framedPose struct {
	sentPose
	logged bool // the log has its frames
}

// note notes the poses after the newest tick, in which frames up to a number ran.
func (f *framedPoses) note(tl *timeline.Timeline, player world.PlayerID, number uint32) {
	r := tl.World().Reader()
	s := r.State()
	f.tick, f.frame, f.poses = s.Tick, number, f.poses[:0]
	for _, slot := range s.Run {
		o, class := &s.Objects[slot], r.Class(int(slot))
		if o.Owner == player && class.Moves != nil && class.Independent {
			at := sentPose{o.ID, world.OwnerPoseOf(s.Body(int(slot)))}
			f.poses = append(f.poses, framedPose{at, class.LOD == world.Predict})
		}
	}
}

// startOf returns the owner pose at the start of tick t of an object that this client moves in its frames.
func (m *motion) startOf(t world.Tick, id world.ObjectID) (at physics.Pose, ok bool) {
	if m.framed.find(id) < 0 {
		return physics.Pose{}, false
	}
	said, ok := m.poseOf(t, id)
	return said.Pose, ok
}

// poseOf returns the owner pose of an object at the start of tick t, if that is one of the last ticks.
func (m *motion) poseOf(t world.Tick, id world.ObjectID) (at world.Placement, ok bool) {
	s := &m.poses[t%wire.MaxPoses]
	if s.tick != t {
		return at, false
	}
	i := slices.IndexFunc(s.poses, func(p sentPose) bool { return p.object == id })
	if i < 0 {
		return at, false
	}
	return s.poses[i].at, true
}

// after returns the pose of an object after tick t; simulated if the frames of this client do not move it.
func (f *framedPoses) after(t world.Tick, id world.ObjectID, simulated world.Placement) world.Placement {
	if i := f.find(id); i >= 0 && f.tick == t {
		return f.poses[i].at
	}
	return simulated
}

// drop drops the pose of an object that the host has put elsewhere.
func (f *framedPoses) drop(id world.ObjectID) {
	f.poses = slices.DeleteFunc(f.poses, func(p framedPose) bool { return p.object == id })
}

// awaits reports whether a frame of an object is not to be sent yet, because it has not moved the object here. near is
// whether the answer may come before the next tick: then the log would say that the frame did not move it in this one,
// and no owner pose does yet.
func (f *framedPoses) awaits(id world.ObjectID, number uint32, near bool) bool {
	i := f.find(id)
	return i >= 0 && (number > f.frame || near && f.poses[i].logged && number > f.posed)
}

func (f *framedPoses) find(id world.ObjectID) int {
	return slices.IndexFunc(f.poses, func(p framedPose) bool { return p.object == id })
}

// motionParts divides a Motion that is too large for a datagram.
type motionParts struct {
	part  wire.Motion // the next one to be sent
	buf   []byte
	sent  int // parts
	write func(b []byte)
}

// mostParts is into how many Motions one is divided at most, each at most wire.MaxDatagram bytes long. The newest
// poses of wire.MaxRuns objects take two, and framesBytes is what all frames may take.
const (
	mostParts   = 7
	framesBytes = 4 * wire.MaxDatagram
)

// send writes the runs of m as parts. Of the frames of an object, it leaves out as many as do not fit: those that
// have been sent before, the oldest first, then the sights of the others, then frames. sent is the number of the
// newest frame that has been sent. What is left out is counted.
func (p *motionParts) send(m *wire.Motion, sent uint32, cut *room.CutCounts, write func(b []byte)) {
	p.sent, p.write = 0, write
	p.part = wire.Motion{Poses: p.part.Poses[:0], Frames: p.part.Frames[:0]}
	for _, run := range m.Poses {
		p.part.Poses = append(p.part.Poses, run)
		if n := len(p.part.Poses) - 1; p.full() {
			p.part.Poses = p.part.Poses[:n]
			if p.flush(); p.sent == mostParts {
				cut.Poses += len(run.Poses)
				continue
			}
			p.part.Poses = append(p.part.Poses, run)
		}
	}
	for _, run := range m.Frames {
		p.fit(&run, sent, min(framesBytes/len(m.Frames), wire.MaxDatagram), cut)
		if len(run.Frames) == 0 {
			continue
		}
		p.part.Frames = append(p.part.Frames, run)
		if n := len(p.part.Frames) - 1; p.full() {
			p.part.Frames = p.part.Frames[:n]
			if p.flush(); p.sent == mostParts {
				countCutFrames(cut, run.Frames)
				continue
			}
			p.part.Frames = append(p.part.Frames, run)
		}
	}
	p.flush()
}

// full reports whether the part is too large.
func (p *motionParts) full() bool {
	p.buf = wire.AppendMotion(p.buf[:0], &p.part)
	return len(p.buf) > wire.MaxDatagram
}

// flush writes the part, if it is not empty and there is room for it.
func (p *motionParts) flush() {
	if len(p.part.Poses)+len(p.part.Frames) > 0 && p.sent < mostParts {
		p.buf = wire.AppendMotion(p.buf[:0], &p.part)
		p.write(p.buf)
		p.sent++
	}
	p.part.Poses, p.part.Frames = p.part.Poses[:0], p.part.Frames[:0]
}

// fit leaves out what does not fit into a Motion of so many bytes.
func (p *motionParts) fit(run *wire.FrameRun, sent uint32, bytes int, cut *room.CutCounts) {
	size := func(from int) int {
		part := wire.FrameRun{
			Object: run.Object,
			Bundle: run.Bundle,
			First:  run.First + uint32(from),
			Frames: run.Frames[from:],
		}
		p.buf = wire.AppendMotion(p.buf[:0], &wire.Motion{Frames: []wire.FrameRun{part}})
		return len(p.buf)
	}
	drop := func(most int) {
		n := sort.Search(most, func(n int) bool { return size(n) <= bytes })
		countCutFrames(cut, run.Frames[:n])
		run.First, run.Frames = run.First+uint32(n), run.Frames[n:]
	}
	drop(min(int(sent+1-min(run.First, sent+1)), len(run.Frames)-1))
	for i := 0; i < len(run.Frames) && size(0) > bytes; i++ {
		if len(run.Frames[i].Sight) > 0 {
			run.Frames[i].Sight = nil // of the run alone: the next Motion tries again
			cut.Sights++
		}
	}
	if size(0) > bytes {
		drop(len(run.Frames))
	}
}

func countPoses(runs []wire.PoseRun) (n int) {
	for i := range runs {
		n += len(runs[i].Poses)
	}
	return n
}

func countCutFrames(c *room.CutCounts, frames []wire.IndependentFrame) {
	c.Frames += len(frames)
	for i := range frames {
		if len(frames[i].Sight) > 0 {
			c.Sights++
		}
	}
}
