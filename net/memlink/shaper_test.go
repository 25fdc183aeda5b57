package memlink

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func percentile(d []time.Duration, p int) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[(len(d)-1)*p/100]
}

// flood pushes count numbered packets, one each gap, and returns the delays and
// the numbers in the order in which they came out.
func flood(s *Shaper, count int, gap time.Duration, size int) (delays []time.Duration, numbers []int) {
	sentAt := make([]time.Duration, count)
	b := make([]byte, size)
	drain := func(now time.Duration) {
		for {
			at, ok := s.Next()
			if !ok || at > now {
				return
			}
			got, _ := s.Pop(at)
			n := int(binary.LittleEndian.Uint32(got))
			delays, numbers = append(delays, at-sentAt[n]), append(numbers, n)
		}
	}
	for i := range count {
		now := time.Duration(i) * gap
		drain(now)
		sentAt[i] = now
		binary.LittleEndian.PutUint32(b, uint32(i))
		s.Push(now, b)
	}
	drain(math.MaxInt64)
	return delays, numbers
}

// within4Sigma tells whether so many of n are as likely as they should be.
func within4Sigma(got uint64, n int, share float64) bool {
	sigma := math.Sqrt(float64(n) * share * (1 - share))
	return math.Abs(float64(got)-share*float64(n)) <= 4*sigma
}

func TestProfileStatistics(t *testing.T) {
	const count = 100_000
	odd := Profile{Delay: 20 * ms, Jitter: 5 * ms, Loss: 0.03, Duplicate: 0.02}
	for _, p := range []Profile{Off(), LAN(), Average(), Bad(), Awful(), odd} {
		t.Run(p.String(), func(t *testing.T) {
			s := NewShaper(p, 1)
			delays, numbers := flood(s, count, ms, 60)
			st := s.Stats()
			if !within4Sigma(st.Dropped, count, p.Loss) || !within4Sigma(st.Duplicated, count-int(st.Dropped), p.Duplicate) {
				t.Errorf("%d dropped and %d duplicated of %d", st.Dropped, st.Duplicated, count)
			}
			if uint64(len(delays)) != st.Delivered || st.Delivered != count-st.Dropped+st.Duplicated {
				t.Errorf("%d came out, counters %+v", len(delays), st)
			}
			low, high := slices.Min(delays), slices.Max(delays)
			if low < p.Delay-p.Jitter || high > p.Delay+p.Jitter {
				t.Errorf("delays from %v to %v, want %v to %v", low, high, p.Delay-p.Jitter, p.Delay+p.Jitter)
			}
			if span := p.Jitter / 50; low > p.Delay-p.Jitter+span || high < p.Delay+p.Jitter-span {
				t.Errorf("delays from %v to %v don't fill the bounds", low, high)
			}
			if mid := percentile(delays, 50); (mid - p.Delay).Abs() > p.Jitter/50 {
				t.Errorf("median delay %v, want %v", mid, p.Delay)
			}
			if ordered := slices.IsSorted(numbers); ordered != (p.Jitter < ms) {
				t.Errorf("in order: %v, with a jitter of %v and a packet each ms", ordered, p.Jitter)
			}
		})
	}
}

// Reordering holds a share of the packets back; the others stay in order.
func TestReorder(t *testing.T) {
	const count = 20_000
	s := NewShaper(Profile{Delay: 10 * ms, Reorder: 0.05}, 2)
	delays, numbers := flood(s, count, 5*ms, 60)
	if st := s.Stats(); !within4Sigma(st.Reordered, count, 0.05) || st.Dropped != 0 {
		t.Errorf("counters %+v", st)
	}
	held, last := uint64(0), -1
	for i, d := range delays {
		switch {
		case d == 10*ms:
			if numbers[i] < last {
				t.Fatalf("packet %d came after %d without being held back", numbers[i], last)
			}
			last = numbers[i]
		case d < 10*ms+holdLeast || d > 10*ms+holdMost:
			t.Fatalf("a packet was held back for %v", d-10*ms)
		default:
			held++
		}
	}
	if held != s.Stats().Reordered {
		t.Errorf("%d packets held back, counted %d", held, s.Stats().Reordered)
	}
}

// A limited rate spaces packets out, and drops what its queue has no room for.
func TestRate(t *testing.T) {
	const size = 1000 - headerBytes // 8,000 bits with the headers: 8 ms at 1 mbit
	s := NewShaper(Profile{Delay: 10 * ms, Rate: 1_000_000}, 3)
	for range 100 {
		s.Push(0, make([]byte, size))
	}
	// The first leaves after 8 ms; the last that may join waits for at most 250 ms.
	const room = 250/8 + 1
	if st := s.Stats(); st.Overflowed != 100-room || st.Dropped != st.Overflowed {
		t.Errorf("counters %+v, want %d dropped", st, 100-room)
	}
	for i := range room {
		want := time.Duration(i+1)*8*ms + 10*ms
		if at, _ := s.Next(); at != want {
			t.Fatalf("packet %d is due at %v, want %v", i, at, want)
		}
		if _, ok := s.Pop(s.mustNext() - 1); ok {
			t.Fatal("a packet came before it was due")
		}
		if _, ok := s.Pop(s.mustNext()); !ok {
			t.Fatal("a due packet didn't come")
		}
	}
	// After the queue is empty the line is free at once.
	s.Push(time.Minute, make([]byte, size))
	if at := s.mustNext(); at != time.Minute+18*ms {
		t.Errorf("due at %v, want %v", at, time.Minute+18*ms)
	}
}

func (s *Shaper) mustNext() time.Duration {
	at, ok := s.Next()
	if !ok {
		panic("nothing is under way")
	}
	return at
}

func TestShaperBounds(t *testing.T) {
	s := NewShaper(Profile{Delay: time.Hour}, 4)
	for range maxFlight + 10 {
		s.Push(0, []byte{1})
	}
	if st := s.Stats(); st.Overflowed != 10 {
		t.Errorf("%d packets had no room, want 10", st.Overflowed)
	}
	// More jitter than delay can only come from Go code: no packet comes before it left.
	s = NewShaper(Profile{Delay: ms, Jitter: 5 * ms}, 5)
	for range 1000 {
		s.Push(time.Second, []byte{1})
	}
	if at := s.mustNext(); at < time.Second {
		t.Errorf("a packet is due at %v, before it was sent", at)
	}
}

// A packet that was popped does not change until the next Pop, whatever is pushed.
func TestPopIsValidUntilNextPop(t *testing.T) {
	s := NewShaper(Off(), 6)
	s.Push(0, []byte("first"))
	got, _ := s.Pop(0)
	for range 100 {
		s.Push(0, []byte("other"))
	}
	if string(got) != "first" {
		t.Errorf("the packet became %q", got)
	}
}

// What happens to a packet does not depend on the profile of earlier packets.
func TestDrawsDoNotDependOnTheProfile(t *testing.T) {
	fate := func(first Profile) []int {
		s := NewShaper(first, 7)
		for range 100 {
			s.Push(0, []byte("xxxx"))
		}
		for _, ok := s.Pop(math.MaxInt64); ok; _, ok = s.Pop(math.MaxInt64) {
		}
		s.SetProfile(Awful())
		_, numbers := flood(s, 500, ms, 4)
		return numbers
	}
	if !slices.Equal(fate(Off()), fate(Profile{Loss: 0.5, Duplicate: 0.5, Reorder: 0.5})) {
		t.Error("the profile of earlier packets changed the luck of later ones")
	}
}

// TestLossInBursts: the share of packets that are lost is right, most are lost together
// with their neighbours, and bursts last about as long as the profile says.
func TestLossInBursts(t *testing.T) {
	const count = 400_000
	for _, loss := range []float64{0.02, 0.05, 0.2} {
		s := NewShaper(Profile{Loss: loss, Burst: 50 * ms}, 3)
		_, numbers := flood(s, count, ms, 4)
		bursts, lost, longest, next := 0, 0, 0, 0
		for _, n := range append(numbers, count) {
			if gap := n - next; gap > 0 {
				bursts, lost, longest = bursts+1, lost+gap, max(longest, gap)
			}
			next = n + 1
		}
		share, mean := float64(lost)/count, float64(lost)/float64(bursts)
		t.Logf("%v: %.4f lost, in %d bursts of %.1f ms, at most %d", loss, share, bursts, mean, longest)
		if math.Abs(share/loss-1) > 0.15 || mean < 45 || mean > 60 || longest > 160 {
			t.Errorf("loss %v: %.4f lost, in bursts of %.1f ms, at most %d ms", loss, share, mean, longest)
		}
		if st := s.Stats(); int(st.Dropped) != lost {
			t.Errorf("%d dropped, %d lost", st.Dropped, lost)
		}
	}
}

// TestBurstsAfterALongIdleTime: an hour without packets takes no longer than one
// second, and the same seed gives the same bursts.
func TestBurstsAfterALongIdleTime(t *testing.T) {
	p := Profile{Loss: 0.5, Burst: ms}
	a, b := bursts{seed: 9}, bursts{seed: 9}
	for _, now := range []int64{0, 5000, 3_600_000_000, 3_600_001_000, 9_000_000_000_000} {
		if a.at(now, &p) != b.at(now, &p) || a.until <= now {
			t.Errorf("at %d: %+v and %+v", now, a, b)
		}
	}
	if a.count > 100 {
		t.Errorf("%d changes were followed", a.count)
	}
}

func TestShaperGolden(t *testing.T) {
	s := NewShaper(Profile{Delay: 80 * ms, Jitter: 20 * ms, Loss: 0.05, Duplicate: 0.01, Reorder: 0.02, Rate: 1_000_000}, 99)
	delays, numbers := flood(s, 10_000, 3*ms, 300)
	h := fnv.New64a()
	fmt.Fprint(h, delays, numbers)
	const golden = "7e19563cfdb608a7"
	if got := fmt.Sprintf("%016x", h.Sum64()); got != golden {
		t.Errorf("hash %s, want %s: the same seed no longer gives the same packets", got, golden)
	}
}

// Every packet that is pushed comes out at most twice, unchanged and in the order of due
// times. Every packet that is not counted as dropped comes out.
func TestShaperProperty(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		p := drawProfile(t)
		s := NewShaper(p, rapid.Uint64().Draw(t, "seed"))
		now, pushed := time.Duration(0), uint32(0)
		times := map[uint32]int{}
		last := time.Duration(0)
		pop := func() {
			for {
				at, any := s.Next()
				b, ok := s.Pop(now)
				if ok != (any && at <= now) {
					t.Fatalf("Next says %v %v at %v, Pop %v", at, any, now, ok)
				}
				if !ok {
					return
				}
				if at < last {
					t.Fatalf("due at %v after one due at %v", at, last)
				}
				n := binary.LittleEndian.Uint32(b)
				if len(b) != 4+int(n%50) || n >= pushed {
					t.Fatalf("packet %d has %d bytes", n, len(b))
				}
				times[n]++
			}
		}
		for range rapid.IntRange(1, 200).Draw(t, "packets") {
			now += time.Duration(rapid.IntRange(0, 20_000).Draw(t, "gap")) * time.Microsecond
			pop()
			last = now
			s.Push(now, append(binary.LittleEndian.AppendUint32(nil, pushed), make([]byte, pushed%50)...))
			pushed++
		}
		now, last = math.MaxInt64, 0
		pop()
		st, came := s.Stats(), 0
		for n, c := range times {
			if came += c; c > 2 {
				t.Fatalf("packet %d came %d times", n, c)
			}
		}
		if uint64(came) != st.Delivered || st.Delivered != st.Sent-st.Dropped+st.Duplicated {
			t.Fatalf("%d came, counters %+v", came, st)
		}
	})
}

// drawProfile makes any sensible profile.
func drawProfile(t *rapid.T) Profile {
	p := Profile{
		Delay:     time.Duration(rapid.IntRange(0, 300_000).Draw(t, "delay")) * time.Microsecond,
		Loss:      rapid.Float64Range(0, 0.5).Draw(t, "loss"),
		Duplicate: rapid.Float64Range(0, 0.5).Draw(t, "dup"),
		Reorder:   rapid.Float64Range(0, 0.5).Draw(t, "reorder"),
	}
	p.Jitter = time.Duration(rapid.Int64Range(0, micros(p.Delay)).Draw(t, "jitter")) * time.Microsecond
	if p.Loss > 0 && rapid.Bool().Draw(t, "in bursts") {
		p.Burst = time.Duration(rapid.Int64Range(1000, 50_000).Draw(t, "burst")) * time.Microsecond
	}
	if rapid.Bool().Draw(t, "limited") {
		p.Rate = rapid.Int64Range(100_000, 100_000_000).Draw(t, "rate")
	}
	return p
}

func TestShaperDoesNotAllocate(t *testing.T) {
	s := NewShaper(Profile{Delay: 50 * ms, Jitter: 20 * ms, Loss: 0.05, Duplicate: 0.05, Reorder: 0.05, Rate: 10_000_000}, 8)
	b := make([]byte, 200)
	now := time.Duration(0)
	step := func() {
		now += ms
		s.Push(now, b)
		for _, ok := s.Pop(now); ok; _, ok = s.Pop(now) {
		}
	}
	for range 20_000 {
		step()
	}
	if n := testing.AllocsPerRun(2000, step); n != 0 {
		t.Errorf("%v allocations a packet, want none", n)
	}
}

func BenchmarkShaper(b *testing.B) {
	b.ReportAllocs()
	s := NewShaper(Awful(), 1)
	data := make([]byte, 200)
	now := time.Duration(0)
	for b.Loop() {
		now += ms
		s.Push(now, data)
		for _, ok := s.Pop(now); ok; _, ok = s.Pop(now) {
		}
	}
}
