package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// appendClaim appends m.Claim. Nearly always the packet has inputs for its object: then
// the number of that run, from 1, stands for it; otherwise 0 and the id.
func appendClaim(b []byte, m *InputPacket) []byte {
	c := m.Claim
	run := 0
	for i := range m.Runs {
		if m.Runs[i].Object == c.Object {
			run = i + 1
			break
		}
	}
	b = binary.AppendUvarint(b, uint64(run))
	if run == 0 {
		b = appendObject(b, c.Object)
	}
	b = appendNear(b, uint32(c.Tick), m.claimBase())
	b = binary.AppendUvarint(b, uint64(c.KnownSeq))
	for _, v := range [...]float32{c.X, c.Y, c.Angle, c.VX, c.VY, c.AngularVelocity} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// readClaim reads into m.claim what appendClaim appends.
func readClaim(r *reader, m *InputPacket) {
	c := &m.claim
	if run := r.uvarint("claim object", uint64(len(m.Runs))); run > 0 {
		c.Object = m.Runs[run-1].Object
	} else {
		c.Object = r.object("claim object")
	}
	c.Tick = world.Tick(r.near("claim tick", m.claimBase()))
	c.KnownSeq = r.uint32("claim known seq")
	c.X = r.float32("claim x")
	c.Y = r.float32("claim y")
	c.Angle = r.float32("claim angle")
	c.VX = r.float32("claim vx")
	c.VY = r.float32("claim vy")
	c.AngularVelocity = r.float32("claim angular velocity")
}

// claimBase returns the tick that the claim's tick is near.
func (m *InputPacket) claimBase() uint64 {
	if len(m.Runs) == 0 {
		return 0
	}
	return uint64(m.Runs[0].First)
}

// float32 reads a finite number.
func (r *reader) float32(field string) float32 {
	v := math.Float32frombits(r.fixed32(field))
	if v-v != 0 {
		r.fail(field, "%v is not finite", v)
		return 0
	}
	return v
}
