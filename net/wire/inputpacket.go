package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// The head of a run: its flags, and above them the number of inputs less one.
const (
	runSameObject = 1 << iota // the object of the run before
	runSameBundle             // the bundle of the run before
	runSameFirst              // the first tick of the run before
	runFlags      = iota
)

// What an InputPacket has besides runs. Above packetFlags there is the number of runs, and above that
// the flag of what few packets have.
const (
	packetHasClaim = 1 << iota
	packetHasRow
	packetFlags   = iota
	packetHasCues = 1 << 9

	packetHasSights = 1 << 10
)

// AppendInputPacket appends the bytes of m. Each run has 1 to MaxInputs inputs.
// The result can exceed MaxDatagram if there are many objects, or many axes with arbitrary
// values: then the caller must send fewer inputs.
func AppendInputPacket(b []byte, m *InputPacket) []byte {
	b = append(b, byte(KindInputPacket))
	b = binary.AppendUvarint(b, uint64(m.Seq))
	b = appendAck(b, m.Ack)
	b = binary.AppendUvarint(b, uint64(m.Snapshot))
	head := uint64(len(m.Runs)) << packetFlags
	if m.Claim != nil {
		head |= packetHasClaim
	}
	if m.Row != 0 {
		head |= packetHasRow
	}
	if m.Cues.Newest != 0 {
		head |= packetHasCues
	}
	if len(m.Sights) > 0 {
		head |= packetHasSights
	}
	b = binary.AppendUvarint(b, head)
	if m.Row != 0 {
		b = binary.AppendUvarint(b, uint64(m.Row))
	}
	if m.Cues.Newest != 0 {
		b = appendMask(binary.AppendUvarint(b, uint64(m.Cues.Newest)), m.Cues.Mask, 4)
	}
	prev := &InputRun{}
	for i := range m.Runs {
		b = appendRun(b, prev, &m.Runs[i])
		prev = &m.Runs[i]
	}
	if len(m.Sights) > 0 {
		b = appendSights(b, m)
	}
	if m.Claim != nil {
		b = appendClaim(b, m)
	}
	return b
}

// ParseInputPacket reads an InputPacket into m and reuses its slices.
// The error wraps ErrMalformed.
func ParseInputPacket(b []byte, m *InputPacket) error {
	r := openDatagram(b, KindInputPacket)
	m.Seq = r.uint32("seq")
	m.Ack = readAck(&r)
	m.Snapshot = r.uint32("snapshot")
	head := r.uvarint("runs", packetHasSights|packetHasCues|MaxRuns<<packetFlags|packetHasClaim|packetHasRow)
	m.Row = 0
	if head&packetHasRow != 0 {
		if m.Row = r.uint32("row"); !r.failed() && m.Row == 0 {
			r.fail("row", "0 is no row")
		}
	}
	m.Cues = Ack{}
	if head&packetHasCues != 0 {
		if m.Cues.Newest = r.uint32("newest cues"); !r.failed() && m.Cues.Newest == 0 {
			r.fail("newest cues", "0 is none")
		}
		m.Cues.Mask = readMask(&r, "cues mask", 4)
	}
	m.Runs = m.Runs[:0]
	runs := head &^ (packetHasCues | packetHasSights) >> packetFlags
	if runs > MaxRuns {
		r.fail("runs", "%d are above %d", runs, MaxRuns)
	}
	for n := runs; n > 0 && !r.failed(); n-- {
		m.growRuns()
		last := len(m.Runs) - 1
		prev := &InputRun{}
		if last > 0 {
			prev = &m.Runs[last-1]
		}
		readRun(&r, prev, &m.Runs[last])
	}
	m.Sights = m.Sights[:0]
	if head&packetHasSights != 0 {
		readSights(&r, m)
	}
	m.Claim = nil
	if head&packetHasClaim != 0 {
		readClaim(&r, m)
		m.Claim = &m.claim
	}
	return r.close()
}

// growRuns adds a run and keeps the slice of inputs that it had before.
func (m *InputPacket) growRuns() {
	if n := len(m.Runs); n < cap(m.Runs) {
		m.Runs = m.Runs[:n+1]
		return
	}
	m.Runs = append(m.Runs, InputRun{})
}

// appendRun appends a run. What it shares with the run before takes no bytes.
func appendRun(b []byte, prev, run *InputRun) []byte {
	head := uint64(len(run.Inputs)-1) << runFlags
	if run.Object == prev.Object {
		head |= runSameObject
	}
	if run.Bundle == prev.Bundle {
		head |= runSameBundle
	}
	if run.First == prev.First {
		head |= runSameFirst
	}
	b = binary.AppendUvarint(b, head)
	if head&runSameObject == 0 {
		b = appendObject(b, run.Object)
	}
	if head&runSameBundle == 0 {
		b = binary.AppendUvarint(b, uint64(run.Bundle))
	}
	if head&runSameFirst == 0 {
		b = appendNear(b, uint32(run.First), uint64(prev.First))
	}
	return appendInputs(b, run.Inputs)
}

func readRun(r *reader, prev, run *InputRun) {
	head := r.uvarint("run head", MaxInputs<<runFlags-1)
	run.Object, run.Bundle, run.First = prev.Object, prev.Bundle, prev.First
	if head&runSameObject == 0 {
		run.Object = r.object("run object")
	}
	if head&runSameBundle == 0 {
		run.Bundle = r.uint32("run bundle")
	}
	if head&runSameFirst == 0 {
		run.First = world.Tick(r.near("run first tick", uint64(prev.First)))
	}
	n := int(head>>runFlags) + 1
	if uint64(run.First)+uint64(n)-1 > math.MaxUint32 {
		r.fail("run first tick", "%d inputs from tick %d on", n, run.First)
	}
	run.Inputs = readInputs(r, run.Inputs[:0], n)
}

// appendInputs appends successive inputs, each as its difference from the one before, the
// first from the neutral input. Each item is a varint: if it is even, half of it plus one
// inputs equal the one before; if it is odd, half of it is the head of a different
// input.
func appendInputs(b []byte, inputs []world.Input) []byte {
	prev := &world.Input{}
	for i := 0; i < len(inputs); {
		same := 0
		for i+same < len(inputs) && sameInput(prev, &inputs[i+same]) {
			same++
		}
		if same > 0 {
			b = binary.AppendUvarint(b, uint64(same-1)<<1)
			i += same
			continue
		}
		head, mask := inputHead(prev, &inputs[i])
		b = binary.AppendUvarint(b, head<<1|1)
		b = appendInputRest(b, head, mask, prev, &inputs[i])
		prev = &inputs[i]
		i++
	}
	return b
}

// sameInput compares bits: NaN equals itself, and -0 differs from 0.
func sameInput(a, b *world.Input) bool {
	head, _ := inputHead(a, b)
	return head&^inputMore == 0 && a.Held == b.Held && a.ViewTime == b.ViewTime && a.Edges == b.Edges
}

// readInputs reads n inputs.
func readInputs(r *reader, inputs []world.Input, n int) []world.Input {
	var in world.Input
	for len(inputs) < n && !r.failed() {
		item := r.uvarint("inputs", maxHead<<1|1)
		if item&1 != 0 {
			readInputRest(r, &in, item>>1)
			inputs = append(inputs, in)
			continue
		}
		same := item>>1 + 1
		if left := n - len(inputs); same > uint64(left) {
			r.fail("inputs", "%d equal inputs where %d are left", same, left)
			break
		}
		for range same {
			inputs = append(inputs, in)
		}
	}
	return inputs
}

// InputPacketSeq reads only the Seq of an InputPacket, so that of several the newest can
// be found before one is parsed. The error wraps ErrMalformed.
func InputPacketSeq(b []byte) (uint32, error) {
	r := openDatagram(b, KindInputPacket)
	return r.uint32("seq"), r.failure()
}
