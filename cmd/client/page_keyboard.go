package main

import (
	"math"
	"sync"
	"time"
)

// keyboard is the state of the input devices of all browsers together: keys, mouse
// and pad buttons by name, the pointer, the sticks. The browsers' goroutines change
// it; the game's goroutine reads samples.
type keyboard struct {
	now     func() time.Time
	mu      sync.Mutex
	held    map[string]heldKey
	let     map[string]time.Duration // keys released since the last sample: for how long of that time they were down
	sampled time.Time
	pointer pointer
	sticks  [numSticks]stick
	flows   [numFlows]float64 // since the last sample, in the order of keyname.Flows
}

// Pads have two sticks of two axes each, and mice a wheel and two directions.
const numSticks, numFlows = 4, 3

// heldKey is a key that is down.
type heldKey struct {
	by    int // browsers
	since time.Time
}

// pointer is the position of the mouse, in metres of the arena.
type pointer struct {
	x, y  float64
	known bool
}

// stick is an axis of a pad's stick, since the last sample.
type stick struct {
	at, far float64 // now, and at the furthest
	area    float64 // the integral of the position over the seconds up to since
	since   time.Time
}

// to advances the integral to a time.
func (s *stick) to(at time.Time) {
	s.area += float64(s.at * at.Sub(s.since).Seconds())
	s.since = at
}

func (k *keyboard) init() {
	k.now, k.held, k.let = time.Now, map[string]heldKey{}, map[string]time.Duration{}
}

// change presses and releases keys, from those that were down in a browser to those that are.
func (k *keyboard) change(was, now hand) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := k.now()
	for name := range now {
		if !was[name] {
			k.press(name, at)
		}
	}
	for name := range was {
		if !now[name] {
			k.release(name, at)
		}
	}
}

func (k *keyboard) press(name string, at time.Time) {
	key := k.held[name]
	if key.by == 0 {
		key.since = at
	}
	key.by++
	k.held[name] = key
}

func (k *keyboard) release(name string, at time.Time) {
	key := k.held[name]
	if key.by--; key.by > 0 {
		k.held[name] = key
		return
	}
	from := key.since
	if from.Before(k.sampled) {
		from = k.sampled
	}
	k.let[name] += at.Sub(from)
	delete(k.held, name)
}

// point moves the pointer.
func (k *keyboard) point(x, y float64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pointer = pointer{x, y, true}
}

// push moves the sticks.
func (k *keyboard) push(axes []float64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := k.now()
	for i, v := range axes {
		s := &k.sticks[i]
		s.to(at)
		if s.at = min(max(v, -1), 1); math.Abs(s.at) > math.Abs(s.far) {
			s.far = s.at
		}
	}
}

// flow adds the turns of the wheel and the movement of the pointer.
func (k *keyboard) flow(amounts []float64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, v := range amounts {
		k.flows[i] += min(max(v, -maxFlow), maxFlow)
	}
}

// keySample is the keyboard as one tick or one independent frame sees it.
type keySample struct {
	down    map[string]float64 // for which fraction of the time since the last sample; absent: it was up
	last    map[string]bool    // keys that are down at its end
	pointer pointer
	sticks  [numSticks]struct{ last, mean, furthest float64 }
	flows   [numFlows]float64
}

// sample reads the keyboard into s. A key that was tapped between two samples is
// down in the second one.
func (k *keyboard) sample(s *keySample) {
	if s.down == nil {
		s.down, s.last = map[string]float64{}, map[string]bool{}
	}
	clear(s.down)
	clear(s.last)
	k.mu.Lock()
	defer k.mu.Unlock()
	at := k.now()
	whole := min(max(at.Sub(k.sampled), time.Millisecond), longestTick)
	for name, down := range k.let {
		s.down[name] = part(down, whole)
	}
	for name, key := range k.held {
		s.down[name], s.last[name] = 1, true
		if key.since.After(k.sampled) {
			s.down[name] = part(k.let[name]+at.Sub(key.since), whole)
		}
	}
	clear(k.let)
	k.sampleSticks(s, at)
	if at.Sub(k.sampled) > forgotten {
		k.flows = [numFlows]float64{}
	}
	s.pointer, s.flows, k.flows = k.pointer, k.flows, [numFlows]float64{}
	k.sampled = at
}

// sampleSticks reads the sticks: their last, mean and furthest positions since the
// last sample.
func (k *keyboard) sampleSticks(s *keySample, at time.Time) {
	passed := at.Sub(k.sampled)
	for i := range k.sticks {
		st, out := &k.sticks[i], &s.sticks[i]
		st.to(at)
		out.last, out.mean, out.furthest = st.at, st.at, st.far
		if passed > 0 && passed <= longestTick {
			out.mean = st.area / passed.Seconds()
		}
		st.area, st.far = 0, st.at
	}
}

const (
	leastPart = 1e-3 // the shortest tap counts as this fraction
	// between samples: twice the longest tick; after a longer time, means are not meaningful
	longestTick = 100 * time.Millisecond
	forgotten   = time.Second // after so long without a sample, wheel and pointer movements are dropped
)

func part(of, whole time.Duration) float64 {
	return min(max(float64(of)/float64(whole), leastPart), 1)
}
