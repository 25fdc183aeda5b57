package client

import (
	"sort"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
)

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
		part := wire.FrameRun{Object: run.Object, Bundle: run.Bundle, First: run.First + uint32(from), Frames: run.Frames[from:]}
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
