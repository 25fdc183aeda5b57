package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// AppendMotion appends the bytes of m. No run may be empty.
func AppendMotion(b []byte, m *Motion) []byte {
	b = append(b, byte(KindMotion))
	b = binary.AppendUvarint(b, uint64(len(m.Poses)))
	var before world.Tick
	for i := range m.Poses {
		run := &m.Poses[i]
		b = appendObject(b, run.Object)
		b = appendNear(b, uint32(run.First), uint64(before))
		b = binary.AppendUvarint(b, uint64(len(run.Poses)-1))
		for j := range run.Poses {
			b = appendPose(b, &run.Poses[j])
		}
		before = run.First
	}
	b = binary.AppendUvarint(b, uint64(len(m.Frames)))
	for i := range m.Frames {
		b = appendFrameRun(b, &m.Frames[i])
	}
	return b
}

// ParseMotion reads a Motion. The error wraps ErrMalformed.
func ParseMotion(b []byte) (Motion, error) {
	r := openDatagram(b, KindMotion)
	var m Motion
	var before world.Tick
	for n := r.count("poses", MaxRuns, minPoseRun); n > 0 && !r.failed(); n-- {
		run := PoseRun{Object: r.object("object"), First: world.Tick(r.near("first tick", uint64(before)))}
		for poses := r.count("more poses", MaxPoses-1, poseBytes) + 1; poses > 0 && !r.failed(); poses-- {
			run.Poses = append(run.Poses, readPose(&r))
		}
		if uint64(run.First)+uint64(len(run.Poses)) > math.MaxUint32 {
			r.fail("first tick", "%d poses from tick %d on", len(run.Poses), run.First)
		}
		m.Poses, before = append(m.Poses, run), run.First
	}
	for n := r.count("frames", MaxRuns, minFrameRun); n > 0 && !r.failed(); n-- {
		m.Frames = append(m.Frames, readFrameRun(&r))
	}
	return m, r.close()
}

// UsesChannel reports whether records of a kind of event name their object by a
// channel: inputs, owner poses and independent frames.
func UsesChannel(k world.EventKind) bool { return k == world.InputEvent || isOwnerReport(k) }

// The smallest sizes of the runs of a Motion.
const (
	minPoseRun  = 8 + 1 + 1 + poseBytes
	minFrameRun = 8 + 1 + 1 + 1 + 2
	poseBytes   = 6 * 4
)

func appendFrameRun(b []byte, run *FrameRun) []byte {
	b = appendObject(b, run.Object)
	b = binary.AppendUvarint(b, uint64(run.Bundle))
	b = binary.AppendUvarint(b, uint64(run.First))
	b = binary.AppendUvarint(b, uint64(len(run.Frames)-1))
	prev := &world.Input{}
	var sights sightCoder
	for i := range run.Frames {
		f := &run.Frames[i]
		b = appendInput(appendFrameLength(b, f.DT, f.Sight), prev, &f.Input)
		if len(f.Sight) > 0 {
			b = sights.append(b, f.Sight)
		}
		prev = &f.Input
	}
	return b
}

func readFrameRun(r *reader) FrameRun {
	run := FrameRun{Object: r.object("object"), Bundle: r.uint32("bundle"), First: r.uint32("first frame")}
	var in world.Input
	var sights sightCoder
	for n := r.count("more frames", MaxFrames-1, 2) + 1; n > 0 && !r.failed(); n-- {
		length := r.uvarint("frame length", math.MaxUint16<<1|1)
		readInput(r, &in)
		f := IndependentFrame{DT: uint16(length >> 1), Input: in}
		if length&1 != 0 {
			f.Sight = readSight(r, &sights)
		}
		run.Frames = append(run.Frames, f)
	}
	if uint64(run.First)+uint64(len(run.Frames)) > math.MaxUint32 {
		r.fail("first frame", "%d frames from number %d on", len(run.Frames), run.First)
	}
	return run
}

// appendPose appends a pose and velocity as float32s.
func appendPose(b []byte, p *world.Placement) []byte {
	for _, v := range [...]float64{p.X, p.Y, p.Angle, p.VX, p.VY, p.W} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return b
}

func readPose(r *reader) (p world.Placement) {
	p.X, p.Y = float64(r.float32("x")), float64(r.float32("y"))
	p.Angle = float64(r.float32("angle"))
	p.VX, p.VY = float64(r.float32("vx")), float64(r.float32("vy"))
	p.W = float64(r.float32("angular velocity"))
	return p
}

// poseAtOnce is added to the player of an owner pose that the host has not kept until its tick.
const poseAtOnce = 1 << 16

// isOwnerReport reports whether a kind of event comes from a Motion: an owner pose or an
// independent frame.
func isOwnerReport(k world.EventKind) bool { return k == world.OwnerPoseEvent || k == world.FrameEvent }

// appendOwnerReport appends the fields of an owner pose or an independent frame, without
// the object.
func appendOwnerReport(b []byte, ev *world.Event) []byte {
	if ev.Kind == world.OwnerPoseEvent {
		if ev.Number == 0 {
			return appendPose(binary.AppendUvarint(b, uint64(ev.Player)), &ev.Place)
		}
		b = binary.AppendUvarint(b, uint64(ev.Player)|poseAtOnce)
		return appendPose(binary.AppendUvarint(b, uint64(ev.Number)), &ev.Place)
	}
	b = binary.AppendUvarint(b, uint64(ev.Player))
	b = binary.AppendUvarint(b, uint64(ev.Bundle))
	b = binary.AppendUvarint(b, uint64(ev.Number))
	b = appendInput(appendFrameLength(b, ev.DT, ev.Sight), &world.Input{}, &ev.Input)
	if len(ev.Sight) > 0 {
		b = new(sightCoder).append(b, ev.Sight)
	}
	return b
}

// appendFrameLength appends the length of a frame, and whether it has a sight.
func appendFrameLength(b []byte, dt uint16, s world.Sight) []byte {
	length := uint64(dt) << 1
	if len(s) > 0 {
		length |= 1
	}
	return binary.AppendUvarint(b, length)
}

// readOwnerReport reads what appendOwnerReport appends.
func readOwnerReport(r *reader, ev *world.Event) {
	if ev.Kind == world.OwnerPoseEvent {
		player := r.uvarint("event player", poseAtOnce|math.MaxUint16)
		if ev.Player = world.PlayerID(player & math.MaxUint16); player&poseAtOnce != 0 {
			ev.Number = r.uint32("pose tick")
		}
		ev.Place = readPose(r)
		return
	}
	ev.Player = r.player("event player")
	ev.Bundle = r.uint32("event bundle")
	ev.Number = r.uint32("frame number")
	length := r.uvarint("frame length", math.MaxUint16<<1|1)
	ev.DT = uint16(length >> 1)
	readInput(r, &ev.Input)
	if length&1 != 0 {
		ev.Sight = readSight(r, &sightCoder{})
	}
}
