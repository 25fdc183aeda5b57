package world

import (
	"encoding/binary"
	"fmt"
)

// A pose history has the poses of objects of classes with Seen after some successive
// ticks. asSeen needs it, and a state alone does not have it.
//
// Byte form: the number of ticks, a varint. For each tick its objects: a 1 if they are
// those of the previous tick, otherwise a 0, their number (a varint) and the id of
// each, ascending (u64). Then x, y and angle of each as zigzag varints of the distance
// from the expected value: the object has moved as far since the tick before as it did
// up to that one; an object that did not exist then is expected at 0.

// AppendPoseHistory appends the byte form of a pose history, the oldest tick first.
func AppendPoseHistory(b []byte, ticks [][]PastPose) []byte {
	b = binary.AppendUvarint(b, uint64(len(ticks)))
	var last, before []PastPose
	for _, now := range ticks {
		same := sameIDs(last, now)
		b = append(b, byte(flag(same)))
		if !same {
			b = binary.AppendUvarint(b, uint64(len(now)))
			for i := range now {
				b = binary.LittleEndian.AppendUint64(b, uint64(now[i].ID))
			}
		}
		guess := expected(last, before, now)
		for i := range now {
			for j, v := range now[i].numbers() {
				b = binary.AppendVarint(b, v-guess[i].numbers()[j])
			}
		}
		last, before = now, last
	}
	return b
}

// ParsePoseHistory reads what AppendPoseHistory wrote, of at most so many ticks. It returns an
// error for other bytes.
func ParsePoseHistory(b []byte, most int) ([][]PastPose, error) {
	r := reader{b: b}
	n := r.uvarint()
	if n > uint64(most) {
		r.fail(fmt.Errorf("a pose history of %d ticks: at most %d", n, most))
	}
	var ticks [][]PastPose
	var last, before []PastPose
	for ; n > 0 && r.err == nil; n-- {
		now := r.historyIDs(last)
		guess := expected(last, before, now)
		for i := range now {
			g := guess[i].numbers()
			now[i].X, now[i].Y, now[i].Angle = r.near(g[0]), r.near(g[1]), r.near(g[2])
			if uint32(now[i].Angle) >= seenTurn {
				r.fail(fmt.Errorf("object %s: an angle of %d units", now[i].ID, now[i].Angle))
			}
		}
		ticks = append(ticks, now)
		last, before = now, last
	}
	if r.err == nil && len(r.b) != 0 {
		r.fail(fmt.Errorf("%d bytes too many", len(r.b)))
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: pose history: %w", ErrFormat, r.err)
	}
	return ticks, nil
}

// historyIDs reads the ids of a tick; last has those of the previous tick.
func (r *reader) historyIDs(last []PastPose) []PastPose {
	switch r.u8() {
	case 1:
		r.count(3*len(last), 1)
		now := make([]PastPose, len(last))
		for i := range last {
			now[i].ID = last[i].ID
		}
		return now
	case 0:
	default:
		r.fail(fmt.Errorf("neither the same objects nor others"))
		return nil
	}
	n := r.uvarint()
	if r.err == nil && n > MaxObjects {
		r.fail(fmt.Errorf("%d objects, at most %d", n, MaxObjects))
	}
	if r.err == nil && n > uint64(len(r.b)/11) {
		r.fail(fmt.Errorf("%d objects announced in %d bytes", n, len(r.b)))
	}
	if r.err != nil {
		return nil
	}
	now := make([]PastPose, n)
	for i := range now {
		now[i].ID = ObjectID(r.u64())
		if i > 0 && now[i].ID <= now[i-1].ID || now[i].ID == 0 {
			r.fail(fmt.Errorf("object %s out of order", now[i].ID))
		}
	}
	return now
}

// near reads a number that is coded as its distance from a guess.
func (r *reader) near(guess int64) int32 {
	u := r.uvarint()
	v := guess + int64(u>>1)
	if u&1 != 0 {
		v = guess + ^int64(u>>1)
	}
	if int64(int32(v)) != v {
		r.fail(fmt.Errorf("a place %d units off", v))
	}
	return int32(v)
}

func (p *PastPose) numbers() [3]int64 { return [3]int64{int64(p.X), int64(p.Y), int64(p.Angle)} }

func sameIDs(a, b []PastPose) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].ID != b[i].ID {
			return false
		}
	}
	return true
}

// expected returns where each object of now would be if it had moved as in the previous
// tick.
func expected(last, before, now []PastPose) []PastPose {
	out := make([]PastPose, len(now))
	i, j := 0, 0
	for k := range now {
		id := now[k].ID
		for i < len(last) && last[i].ID < id {
			i++
		}
		for j < len(before) && before[j].ID < id {
			j++
		}
		if i == len(last) || last[i].ID != id {
			continue
		}
		a := last[i]
		out[k] = a
		if j < len(before) && before[j].ID == id {
			b := before[j]
			out[k].X, out[k].Y, out[k].Angle = 2*a.X-b.X, 2*a.Y-b.Y, 2*a.Angle-b.Angle
		}
	}
	return out
}
