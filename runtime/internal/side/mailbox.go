package side

import (
	"errors"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
)

// Mailbox sends and receives packets, and counts their bytes. If a connection takes no more
// data, its time-out ends it.
type Mailbox struct {
	link    link.Link
	bytes   traffic
	owner   func(link.Event) // gets what Poll receives
	receive func(link.Event) // count, made once
	buf     []byte           // of the last ping or pong
	cut     room.CutCounts
}

// NewMailbox returns the mailbox of a link.
func NewMailbox(l link.Link) Mailbox { return Mailbox{link: l} }

// Ready receives when a packet waits for a Poll.
func (o *Mailbox) Ready() <-chan struct{} { return o.link.Ready() }

// Control sends a message that others must not delay.
func (o *Mailbox) Control(now time.Duration, to link.Peer, b []byte) error {
	o.bytes.messagesOut += int64(len(b))
	return o.link.SendMessage(now, to, link.Control, b)
}

// Bulk sends a message that may take long.
func (o *Mailbox) Bulk(now time.Duration, to link.Peer, b []byte) error {
	o.bytes.messagesOut += int64(len(b))
	return o.link.SendMessage(now, to, link.Bulk, b)
}

// mostQueued is how many bytes of a stream may wait for a peer when a large message for it is added that can wait.
const mostQueued = 64 << 10

// Busy reports whether so much waits to be sent to a peer on Bulk that a message that can wait is to wait: a peer takes
// what waits for it as slowly as it likes.
func (o *Mailbox) Busy(to link.Peer) bool { return o.link.Queued(to, link.Bulk) > mostQueued }

// Datagram sends a datagram, which may be lost.
func (o *Mailbox) Datagram(now time.Duration, to link.Peer, b []byte) {
	o.bytes.datagramsOut += int64(len(b))
	if err := o.link.SendDatagram(now, to, b); errors.Is(err, link.ErrTooLarge) {
		o.cut.Datagrams++
	}
}

// Cut returns the counts of what packets had no room for.
func (o *Mailbox) Cut() *room.CutCounts { return &o.cut }

// Dropped returns what the link has dropped and refused, by reason.
func (o *Mailbox) Dropped() map[string]int64 {
	counted, ok := o.link.(link.Counted)
	if !ok {
		return nil
	}
	all := make(map[string]int64)
	counted.Dropped(func(reason string, n uint64) { all["link_"+reason] = int64(n) })
	return all
}

// Ping asks the host for its time.
func (o *Mailbox) Ping(now time.Duration, m *wire.Ping) {
	o.buf = wire.AppendPing(o.buf[:0], m)
	o.Datagram(now, link.HostPeer, o.buf)
}

// Pong answers a client's ping.
func (o *Mailbox) Pong(now time.Duration, to link.Peer, m *wire.Pong) {
	o.buf = wire.AppendPong(o.buf[:0], m)
	o.Datagram(now, to, o.buf)
}

// Close ends a connection.
func (o *Mailbox) Close(now time.Duration, to link.Peer, reason string) {
	o.link.Close(now, to, reason)
}

// Due returns when the link needs a Poll.
func (o *Mailbox) Due(now time.Duration) time.Duration { return o.link.Due(now) }

// Shutdown ends all connections and frees the link.
func (o *Mailbox) Shutdown(reason string) error { return o.link.Shutdown(reason) }

// HandTo sets the function that gets what Poll receives. It is set once: functions made for each
// poll were a quarter of what a room with two clients allocated.
func (o *Mailbox) HandTo(owner func(link.Event)) { o.owner = owner }

// Poll receives packets.
func (o *Mailbox) Poll(now time.Duration) {
	if o.receive == nil {
		o.receive = o.count
	}
	o.link.Poll(now, o.receive)
}

// count counts a packet, and hands it to the owner.
func (o *Mailbox) count(ev link.Event) {
	switch ev.Kind {
	case link.Datagram:
		o.bytes.datagramsIn += int64(len(ev.Data))
	case link.Message:
		o.bytes.messagesIn += int64(len(ev.Data))
	}
	o.owner(ev)
}

// State counts bytes of authoritative state that were sent or received. later says that they
// came after the first keyframe.
func (o *Mailbox) State(n int, later bool) {
	o.bytes.states += int64(n)
	if later {
		o.bytes.later += int64(n)
	}
}

// Snapshot counts bytes of snapshots.
func (o *Mailbox) Snapshot(n int) { o.bytes.snapshots += int64(n) }

// Cues counts bytes of cues.
func (o *Mailbox) Cues(n int) { o.bytes.cues += int64(n) }

// Assets counts bytes of assets.
func (o *Mailbox) Assets(n int) { o.bytes.assets += int64(n) }

// Patch counts bytes of patches of the shared set.
func (o *Mailbox) Patch(n int) { o.bytes.patches += int64(n) }

// traffic counts payload bytes by part.
type traffic struct {
	datagramsIn, datagramsOut, messagesIn, messagesOut int64
	// keyframes, corrections, and states asked for after a desync
	states    int64
	later     int64 // of these: bytes after the first keyframe
	snapshots int64
	patches   int64
	cues      int64
	assets    int64
}

// Parts returns the counts by the names of the report.
func (o *Mailbox) Parts() map[string]int64 {
	t := &o.bytes
	return map[string]int64{
		"datagrams_in":      t.datagramsIn,
		"datagrams_out":     t.datagramsOut,
		"messages_in":       t.messagesIn,
		"messages_out":      t.messagesOut,
		"states":            t.states,
		"states_after_join": t.later,
		"snapshots":         t.snapshots,
		"given":             t.patches,
		"cues":              t.cues,
		"assets":            t.assets,
	}
}

// PerSecond returns all traffic in bytes per second.
func (o *Mailbox) PerSecond(seconds float64) room.Traffic {
	t := &o.bytes
	if seconds <= 0 {
		return room.Traffic{}
	}
	return room.Traffic{
		In:  stats.Round(float64(t.datagramsIn+t.messagesIn) / seconds),
		Out: stats.Round(float64(t.datagramsOut+t.messagesOut) / seconds),
	}
}
