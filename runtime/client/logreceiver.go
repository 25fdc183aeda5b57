package client

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/world"
)

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
