package client

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// relayedLog has the records of the host's log that are not events in a predictor's Timeline: commit
// marks, patches, and bundle switches whose scripts have not arrived.
type relayedLog struct {
	origin   timeline.Origin // the origin of the last record
	marks    []commitMark    // commit marks that are not confirmed yet, by tick
	patches  []patch         // of ticks that are not complete, by Seq
	waiting  []world.Event   // switches to bundles that have not arrived
	complete world.Tick      // the last complete tick
	taken    world.Tick      // the last tick that will be complete when it has been simulated with all records
	progress time.Duration   // when taken last rose
	keyframe world.Tick      // where the Timeline began
}

// commitMark is a commit mark of the host.
type commitMark struct {
	tick world.Tick
	seq  uint32
	hash uint64
}

// patch is one part of the patch of a tick.
type patch struct {
	tick world.Tick
	seq  uint32
	part []byte
}

// restart begins after the keyframe of tick t.
func (l *relayedLog) restart(t world.Tick, now time.Duration) {
	l.marks, l.patches, l.waiting = l.marks[:0], l.patches[:0], nil
	l.complete, l.taken, l.keyframe, l.progress = t, t, t, now
}

// came sets the origin of the events that follow.
func (l *relayedLog) came(r *wire.Record, packet uint32) {
	l.origin = timeline.Origin{Record: r.Seq, Packet: packet}
}

// before reports whether the keyframe includes tick t.
func (l *relayedLog) before(t world.Tick) bool { return t <= l.keyframe }

// mark keeps a commit mark.
func (l *relayedLog) mark(m commitMark) {
	i, _ := slices.BinarySearchFunc(l.marks, m, func(a, b commitMark) int { return cmp.Compare(a.tick, b.tick) })
	l.marks = slices.Insert(l.marks, i, m)
}

// markOf returns the commit mark of a tick, nil if there is none.
func (l *relayedLog) markOf(t world.Tick) *commitMark {
	if i := slices.IndexFunc(l.marks, func(m commitMark) bool { return m.tick == t }); i >= 0 {
		return &l.marks[i]
	}
	return nil
}

// markAfter returns the first commit mark that follows a record, nil if none has
// arrived.
func (l *relayedLog) markAfter(record uint32) *commitMark {
	if i := slices.IndexFunc(l.marks, func(m commitMark) bool { return m.seq > record }); i >= 0 {
		return &l.marks[i]
	}
	return nil
}

// takeMarks calls f for the marks of complete ticks, and drops them.
func (l *relayedLog) takeMarks(f func(m *commitMark)) {
	n := 0
	for ; n < len(l.marks) && l.marks[n].tick <= l.complete; n++ {
		f(&l.marks[n])
	}
	l.marks = slices.Delete(l.marks, 0, n)
}

// keepPatch keeps a part of the patch of a tick.
func (l *relayedLog) keepPatch(r *wire.Record) {
	p := patch{tick: r.Event.Tick, seq: r.Seq, part: slices.Clone(r.Patch)}
	i, _ := slices.BinarySearchFunc(l.patches, p, func(a, b patch) int { return cmp.Compare(a.seq, b.seq) })
	l.patches = slices.Insert(l.patches, i, p)
}

// takePatch returns the patch of a complete tick, and drops all patches up to it.
func (l *relayedLog) takePatch(t world.Tick) (b []byte) {
	l.patches = slices.DeleteFunc(l.patches, func(p patch) bool {
		if p.tick == t {
			b = append(b, p.part...)
		}
		return p.tick <= t
	})
	return b
}

// insert inserts an event into the Timeline. A switch to a bundle whose scripts have
// not arrived yet waits for them.
func (l *relayedLog) insert(tl *timeline.Timeline, e world.Event) error {
	if e.Kind == world.BundleEvent && tl.Scripts().Of(e.Bundle) == nil {
		l.waiting = append(l.waiting, e)
		return nil
	}
	_, err := tl.Insert(e, l.origin)
	return err
}

// takeWaiting returns the switches that wait for scripts, and removes them.
func (l *relayedLog) takeWaiting() []world.Event {
	list := l.waiting
	l.waiting = nil
	return list
}

// holdAt returns the earlier of tick t and the first switch that waits for scripts; 0: none. A
// switch may arrive in the log before its announcement.
func (l *relayedLog) holdAt(t world.Tick) world.Tick {
	for i := range l.waiting {
		t = earlierTick(t, l.waiting[i].Tick)
	}
	return t
}

// extend finds the last tick that can be complete. It is at most now, is before hold, and needs all records
// before received. extend reports whether it has increased. The tick is complete when settle is called.
func (l *relayedLog) extend(now, hold world.Tick, received uint32, at time.Duration) bool {
	to := min(l.knownTo(received), now)
	if hold != 0 {
		to = min(to, hold-1)
	}
	if to <= l.taken {
		return false
	}
	l.taken, l.progress = to, at
	return true
}

// takenTo returns the last tick of which the Timeline has been told that the log has all of it.
func (l *relayedLog) takenTo() world.Tick { return l.taken }

// settle notes that the Timeline has simulated the ticks up to takenTo with all records. It reports whether that is
// new.
func (l *relayedLog) settle() bool {
	before := l.complete
	l.complete = l.taken
	return l.complete > before
}

// knownTo returns the last tick of which there are all records, if those before received have arrived. The Timeline may
// not have come that far.
func (l *relayedLog) knownTo(received uint32) world.Tick {
	to := l.complete
	for i := range l.marks {
		m := &l.marks[i]
		if m.tick != to+1 || m.seq >= received {
			break
		}
		to = m.tick
	}
	return to
}

// completeTo returns the last complete tick.
func (l *relayedLog) completeTo() world.Tick { return l.complete }

// stuck reports whether no tick has become complete for the time limit.
func (l *relayedLog) stuck(now, limit time.Duration) bool { return now-l.progress > limit }

// wait notes that nothing can become complete now, because the host is silent.
func (l *relayedLog) wait(now time.Duration) { l.progress = now }

// from returns the origin of the last record.
func (l *relayedLog) from() timeline.Origin { return l.origin }

// logReceiver reads HostPackets. It is the client's end of the applied-input log.
type logReceiver struct {
	relay    relay.Receiver
	hostTick world.Tick      // the newest tick of a HostPacket
	packet   wire.HostPacket // memory
}

// restart expects the records from a number on, as after a keyframe.
func (l *logReceiver) restart(first uint32) { l.relay.Restart(first) }

// read reads a HostPacket, which is valid until the next call. fresh is false for one that was read
// before; stale reports whether a newer one was read before, so that only its records count.
func (l *logReceiver) read(data []byte) (m *wire.HostPacket, fresh, stale bool, err error) {
	m = &l.packet
	if err := wire.ParseHostPacket(data, m); err != nil {
		return nil, false, false, err
	}
	fresh, stale = l.relay.Packet(m.Seq)
	if fresh && !stale {
		l.hostTick = m.Tick
	}
	return m, fresh, stale, nil
}

// readOutOfTurn reads a HostPacket that came on a stream, of which only the records count. It is valid until the next
// call.
func (l *logReceiver) readOutOfTurn(data []byte) (*wire.HostPacket, error) {
	err := wire.ParseHostPacket(data, &l.packet)
	return &l.packet, err
}

// each calls f for every record of a packet that is new, with its object. It ends with the first
// error.
func (l *logReceiver) each(m *wire.HostPacket, f func(r *wire.Record) error) error {
	for _, ch := range m.Channels {
		l.relay.Define(ch)
	}
	for i := range m.Records {
		r := &m.Records[i]
		if !l.relay.Take(r.Seq) {
			continue
		}
		if wire.UsesChannel(r.Event.Kind) {
			r.Event.Object = l.relay.Object(r.Channel)
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}

// received returns the number below which every record has arrived.
func (l *logReceiver) received() uint32 { return l.relay.Received() }

// ack returns the packets that have arrived.
func (l *logReceiver) ack() wire.Ack { return l.relay.Ack() }

// hostAt returns the newest tick that the host is known to have reached.
func (l *logReceiver) hostAt() world.Tick { return l.hostTick }
