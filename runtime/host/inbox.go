package host

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// inbox holds the datagrams of one client until the next tick, and knows which of its inputs
// have arrived.
type inbox struct {
	pending []byte           // the newest InputPacket since the last tick
	came    time.Duration    // when it arrived, in time of the simulation
	newest  uint32           // the number of the newest InputPacket that arrived
	packet  wire.InputPacket // reused memory
	motions [][]byte         // the Motions since the last tick

	ack     wire.InputAck
	before  wire.InputAck // the acknowledgement before the packet that is being read
	oldest  world.Tick    // the oldest tick of the inputs that arrive for the first time with it; 0: none
	revised int           // inputs of the packet that replace others
}

// mostMotions is how many Motions of a client are read in a tick.
const mostMotions = 16

// PutInputs keeps an InputPacket, which arrived at came in time of the simulation, if it is
// the newest. collapsed reports that it replaces one that was not read.
func (b *inbox) PutInputs(data []byte, came time.Duration) (fresh, collapsed bool, err error) {
	seq, err := wire.InputPacketSeq(data)
	if err != nil || seq <= b.newest {
		return false, false, err
	}
	collapsed = len(b.pending) > 0
	b.newest = seq
	b.pending, b.came = append(b.pending[:0], data...), came
	return true, collapsed, nil
}

// PutMotion keeps a Motion, and reports whether there was room.
func (b *inbox) PutMotion(data []byte) bool {
	if len(b.motions) == mostMotions {
		return false
	}
	b.motions = append(b.motions, slices.Clone(data))
	return true
}

// Inputs returns the newest InputPacket since the last call, nil if there is none. It is valid
// until the next call.
func (b *inbox) Inputs() (*wire.InputPacket, error) {
	if len(b.pending) == 0 {
		return nil, nil
	}
	err := wire.ParseInputPacket(b.pending, &b.packet)
	b.pending = b.pending[:0]
	if err != nil {
		return nil, err
	}
	b.before, b.oldest, b.revised = b.ack, 0, 0
	return &b.packet, nil
}

// Motions returns the Motions since the last call.
func (b *inbox) Motions() [][]byte {
	list := b.motions
	b.motions = b.motions[:0]
	return list
}

// Arrived notes that the packet has an input for tick t, and reports whether one had arrived
// before.
func (b *inbox) Arrived(t world.Tick) (again bool) {
	acknowledge(&b.ack, t)
	again = acknowledged(b.before, t)
	if !again && (b.oldest == 0 || t < b.oldest) {
		b.oldest = t
	}
	return again
}

// Revise counts an input of the packet that replaces another, and reports whether it is within the
// limit.
func (b *inbox) Revise() bool {
	b.revised++
	return b.revised <= mostRevised
}

// mostRevised is how many inputs of a player may replace others in one tick: each is relayed to all
// clients.
const mostRevised = 2 * wire.MaxInputs

// Measure notes how early the inputs of the packet arrived.
func (b *inbox) Measure(tickLen time.Duration) {
	if b.ack.Newest > b.before.Newest {
		b.ack.Early = earliness(b.oldest, b.ack.Newest, tickLen, b.came)
	}
}

// Ack returns the acknowledgement of the client's inputs.
func (b *inbox) Ack() wire.InputAck { return b.ack }

// earliness returns how long before their ticks the inputs of these ticks arrived on
// average, in ms.
func earliness(oldest, newest world.Tick, tickLen, came time.Duration) int32 {
	due := (time.Duration(oldest) + time.Duration(newest)) * tickLen / 2
	return int32(min(max((due-came).Milliseconds(), -wire.MaxEarly), wire.MaxEarly))
}

// acknowledge notes that the inputs of tick t have arrived.
func acknowledge(a *wire.InputAck, t world.Tick) {
	switch {
	case t > a.Newest:
		d := t - a.Newest
		a.Mask <<= d
		if a.Newest != 0 && d <= 16 {
			a.Mask |= 1 << (d - 1)
		}
		a.Newest = t
	case t < a.Newest && a.Newest-t <= 16:
		a.Mask |= 1 << (a.Newest - t - 1)
	}
}

// acknowledged reports whether an ack names tick t.
func acknowledged(a wire.InputAck, t world.Tick) bool {
	return t == a.Newest || t < a.Newest && a.Newest-t <= 16 && a.Mask&(1<<(a.Newest-t-1)) != 0
}
