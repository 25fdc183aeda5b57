package memlink

import "time"

const (
	// headerBytes is the size of the headers of IPv4 and UDP, which count for Rate.
	headerBytes = 28
	// maxQueue is the longest time that a packet may wait because of Rate. A packet that
	// would wait longer is dropped.
	maxQueue = 250 * time.Millisecond
	// maxFlight is the largest number of packets in transit.
	maxFlight = 1 << 16
	// holdLeast and holdMost bound the extra delay of a reordered packet.
	holdLeast, holdMost = 20 * time.Millisecond, 40 * time.Millisecond
)

// ShaperStats counts the packets of a Shaper by what happened to them.
type ShaperStats struct {
	Sent       uint64 // packets pushed
	SentBytes  uint64 // bytes of the packets pushed
	Delivered  uint64 // packets popped; Sent - Dropped + Duplicated once nothing is in transit
	Dropped    uint64 // lost by chance, by a cut line or by a full queue
	Overflowed uint64 // of Dropped: the queue was full
	Duplicated uint64 // packets popped twice
	Reordered  uint64 // packets with an extra delay
}

// Shaper is one direction of a line: packets go in, and come out later, twice, or never.
// It is driven by the time of its calls, which counts from any moment and must not go
// back. Equal seeds and calls give equal packets on all machines. A Shaper is not safe
// for use by several goroutines.
type Shaper struct {
	profile Profile
	seed    uint64
	cut     bool
	bursts  bursts
	busy    int64 // the microsecond at which Rate has sent the last packet
	order   uint64
	flight  []entry // a heap: the next due first
	slots   [][]byte
	free    []int32
	lent    int32 // the slot of the last packet popped; -1: none
	stats   ShaperStats
}

// entry is a packet in transit.
type entry struct {
	due   int64  // microsecond
	order uint64 // packets that are due at the same time come in this order
	slot  int32
}

func (e entry) before(f entry) bool {
	return e.due < f.due || e.due == f.due && e.order < f.order
}

// NewShaper returns a Shaper without packets.
func NewShaper(p Profile, seed uint64) *Shaper {
	seed = mix(seed ^ golden)
	return &Shaper{profile: p, seed: seed, bursts: bursts{seed: mix(seed)}, lent: -1}
}

// SetProfile changes the profile for packets that are pushed from now on.
func (s *Shaper) SetProfile(p Profile) { s.profile = p }

// Profile returns the present profile.
func (s *Shaper) Profile() Profile { return s.profile }

// Cut cuts the line, or restores it. Packets that are pushed into a cut line are lost;
// packets in transit still arrive.
func (s *Shaper) Cut(cut bool) { s.cut = cut }

// Stats returns the counters.
func (s *Shaper) Stats() ShaperStats { return s.stats }

// The random numbers of each packet.
const (
	drawLoss = iota
	drawDelay
	drawHold
	drawHoldTime
	drawDuplicate
	drawDuplicateDelay
	drawsPerPacket = 8
)

// Push sends a copy of b, or drops it.
func (s *Shaper) Push(now time.Duration, b []byte) {
	place := s.stats.Sent * drawsPerPacket
	s.stats.Sent++
	s.stats.SentBytes += uint64(len(b))
	leaves, ok := s.transmit(micros(now), len(b))
	if !ok {
		s.stats.Overflowed++
		s.stats.Dropped++
		return
	}
	if s.cut || s.lost(micros(now), place) {
		s.stats.Dropped++
		return
	}
	due := leaves + s.delay(draw(s.seed, place+drawDelay))
	if happens(s.profile.Reorder, draw(s.seed, place+drawHold)) {
		s.stats.Reordered++
		due += between(micros(holdLeast), micros(holdMost), draw(s.seed, place+drawHoldTime))
	}
	s.schedule(due, b)
	if happens(s.profile.Duplicate, draw(s.seed, place+drawDuplicate)) {
		s.stats.Duplicated++
		s.schedule(leaves+s.delay(draw(s.seed, place+drawDuplicateDelay)), b)
	}
}

// lost reports whether a packet is lost by chance.
func (s *Shaper) lost(now int64, place uint64) bool {
	if s.profile.Burst > 0 {
		return s.bursts.at(now, &s.profile)
	}
	return happens(s.profile.Loss, draw(s.seed, place+drawLoss))
}

// transmit returns when a packet of so many bytes leaves the sender; not ok if the queue
// is full.
func (s *Shaper) transmit(now int64, size int) (leaves int64, ok bool) {
	if len(s.flight) >= maxFlight {
		return 0, false
	}
	if s.profile.Rate <= 0 {
		return now, true
	}
	start := max(now, s.busy)
	if start-now > micros(maxQueue) {
		return 0, false
	}
	bits := int64(size+headerBytes) * 8
	s.busy = start + (bits*1_000_000+s.profile.Rate-1)/s.profile.Rate
	return s.busy, true
}

// delay maps a random number to a delay in microseconds.
func (s *Shaper) delay(random uint64) int64 {
	middle, jitter := micros(s.profile.Delay), micros(s.profile.Jitter)
	return between(max(middle-jitter, 0), max(middle+jitter, 0), random)
}

// schedule copies a packet into a free slot, and adds it to the heap.
func (s *Shaper) schedule(due int64, b []byte) {
	var slot int32
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
	} else {
		slot = int32(len(s.slots))
		s.slots = append(s.slots, nil)
	}
	s.slots[slot] = append(s.slots[slot][:0], b...)
	s.order++
	s.up(entry{due: due, order: s.order, slot: slot})
}

// Pop returns the next packet that is due at now, by the time at which it is due, then by
// the order of Push. b is valid until the next Pop.
func (s *Shaper) Pop(now time.Duration) (b []byte, ok bool) {
	if s.lent >= 0 {
		s.free = append(s.free, s.lent)
		s.lent = -1
	}
	if len(s.flight) == 0 || s.flight[0].due > micros(now) {
		return nil, false
	}
	s.lent = s.flight[0].slot
	s.down()
	s.stats.Delivered++
	return s.slots[s.lent], true
}

// Next returns when the next packet is due; not ok if none is in transit.
func (s *Shaper) Next() (time.Duration, bool) {
	if len(s.flight) == 0 {
		return 0, false
	}
	return time.Duration(s.flight[0].due) * time.Microsecond, true
}

// up adds an entry to the heap.
func (s *Shaper) up(e entry) {
	s.flight = append(s.flight, e)
	i := len(s.flight) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(s.flight[parent]) {
			break
		}
		s.flight[i] = s.flight[parent]
		i = parent
	}
	s.flight[i] = e
}

// down removes the first entry from the heap.
func (s *Shaper) down() {
	last := len(s.flight) - 1
	e := s.flight[last]
	s.flight = s.flight[:last]
	if last == 0 {
		return
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && s.flight[child+1].before(s.flight[child]) {
			child++
		}
		if !s.flight[child].before(e) {
			break
		}
		s.flight[i] = s.flight[child]
		i = child
	}
	s.flight[i] = e
}

func micros(d time.Duration) int64 { return int64(d / time.Microsecond) }
