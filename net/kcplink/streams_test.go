package kcplink

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// lossy is a network for Options.Up and Down.
type lossy struct {
	rng             *rand.Rand
	loss, dup       float64
	delay, jitter   time.Duration
	queue           []lateQueued
	lost, repeated  int
	overtaken, last int
	n               int
	spare           kind // never lost
}

type lateQueued struct {
	at time.Duration
	n  int
	b  []byte
}

func newLossy(seed uint64, loss, dup float64, delay, jitter time.Duration) *lossy {
	return &lossy{rng: rand.New(rand.NewPCG(seed, 1)), loss: loss, dup: dup, delay: delay, jitter: jitter}
}

func (s *lossy) Push(now time.Duration, b []byte) {
	if s.rng.Float64() < s.loss && kind(b[0]) != s.spare {
		s.lost++
		return
	}
	copies := 1
	if s.rng.Float64() < s.dup {
		s.repeated++
		copies = 2
	}
	s.n++
	for range copies {
		at := now + s.delay + time.Duration(s.rng.Float64()*float64(s.jitter))
		s.queue = append(s.queue, lateQueued{at, s.n, bytes.Clone(b)})
	}
	slices.SortStableFunc(s.queue, func(a, b lateQueued) int { return int(a.at - b.at) })
}

func (s *lossy) Pop(now time.Duration) ([]byte, bool) {
	if len(s.queue) == 0 || s.queue[0].at > now {
		return nil, false
	}
	q := s.queue[0]
	s.queue = s.queue[1:]
	if q.n < s.last {
		s.overtaken++
	}
	s.last = q.n
	return q.b, true
}

func (s *lossy) Next() (time.Duration, bool) { return firstOf(s.queue) }

func firstOf(queue []lateQueued) (time.Duration, bool) {
	if len(queue) == 0 {
		return 0, false
	}
	return queue[0].at, true
}

func TestOrderWithinAStreamOnABadNetwork(t *testing.T) {
	t.Parallel() // in real time
	r := newReal(t)
	up := newLossy(1, 0.15, 0.1, 5*time.Millisecond, 25*time.Millisecond)
	down := newLossy(2, 0.15, 0.1, 5*time.Millisecond, 25*time.Millisecond)
	host, client := r.pair(Options{}, Options{Up: up, Down: down})

	const n = 300
	got := map[string][]uint32{}
	record := func(who string) func(link.Event) {
		return func(ev link.Event) {
			if ev.Kind == link.Message {
				key := who + " " + ev.Stream.String()
				got[key] = append(got[key], binary.LittleEndian.Uint32(ev.Data))
				if len(ev.Data) != sizeOf(binary.LittleEndian.Uint32(ev.Data)) {
					t.Errorf("%s: message %d has %d bytes", key, ev.Data[:4], len(ev.Data))
				}
			}
		}
	}
	host.on, client.on = record("host"), record("client")
	for i := range uint32(n) {
		m := make([]byte, sizeOf(i))
		binary.LittleEndian.PutUint32(m, i)
		for _, err := range []error{
			client.SendMessage(r.now(), client.peer, link.Control, m),
			host.SendMessage(r.now(), host.peer, link.Control, m),
			host.SendMessage(r.now(), host.peer, link.Bulk, m),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	keys := []string{"host control", "client control", "client bulk"}
	r.until("all messages", func() bool {
		return !slices.ContainsFunc(keys, func(k string) bool { return len(got[k]) < n })
	})
	for _, k := range keys {
		for i, v := range got[k] {
			if int(v) != i {
				t.Fatalf("%s: message %d came as number %d", k, v, i)
			}
		}
	}
	if up.lost == 0 || down.lost == 0 || up.overtaken == 0 || down.repeated == 0 || host.Stats().Dropped.Duplicates == 0 {
		t.Errorf("the network was too good: %d and %d lost, %d overtaken, %d repeated", up.lost, down.lost, up.overtaken, down.repeated)
	}
}

// sizeOf returns the length of test message i: mostly small, some over many segments.
func sizeOf(i uint32) int {
	if i%50 == 7 {
		return 9000
	}
	return 4 + int(i*37%400)
}

func TestBulkBlocksNeitherDatagramsNorControl(t *testing.T) {
	t.Parallel() // in real time
	r := newReal(t)
	host, client := r.pair(Options{}, Options{})
	state := make([]byte, 600_000)
	for i := range state {
		state[i] = byte(i * i >> 7)
	}
	var bulk []byte
	datagrams, controls := 0, 0
	var worst time.Duration
	client.on = func(ev link.Event) {
		switch {
		case ev.Kind == link.Message && ev.Stream == link.Bulk:
			bulk = bytes.Clone(ev.Data)
			return
		case ev.Kind == link.Datagram:
			datagrams++
		case ev.Kind == link.Message:
			controls++
		default:
			return
		}
		worst = max(worst, r.now()-time.Duration(binary.LittleEndian.Uint64(ev.Data)))
	}
	if err := host.SendMessage(r.now(), host.peer, link.Bulk, state); err != nil {
		t.Fatal(err)
	}
	start, next := r.now(), r.now()
	sent := 0
	r.until("the state", func() bool {
		for ; next < r.now() && bulk == nil; next += 16 * time.Millisecond {
			clock := binary.LittleEndian.AppendUint64(nil, uint64(r.now()))
			if host.SendDatagram(r.now(), host.peer, clock) != nil || host.SendMessage(r.now(), host.peer, link.Control, clock) != nil {
				t.Error("cannot send beside bulk")
			}
			sent++
		}
		return bulk != nil
	})
	took := r.now() - start
	r.until("the rest", func() bool { return controls == sent })
	if !bytes.Equal(bulk, state) {
		t.Error("the state came changed")
	}
	if took < 1200*time.Millisecond {
		t.Errorf("600 KB came in %v: bulk is not paced", took)
	}
	if datagrams < sent*9/10 || worst > 200*time.Millisecond {
		t.Errorf("of %d datagrams %d came, worst delay %v", sent, datagrams, worst)
	}
	t.Logf("600 KB in %v beside %d datagrams and as many control messages, worst delay %v", took, sent, worst)
}

// thin is a line of so many bytes a second with a long queue before it.
type thin struct {
	rate  int
	free  time.Duration // when the line is free again
	delay time.Duration
	queue []lateQueued
}

func (s *thin) Push(now time.Duration, b []byte) {
	start := max(s.free, now)
	if start-now > 3*time.Second {
		return // the queue is full
	}
	s.free = start + time.Duration(len(b)+28)*time.Second/time.Duration(s.rate)
	s.queue = append(s.queue, lateQueued{at: s.free + s.delay, b: bytes.Clone(b)})
}

func (s *thin) Pop(now time.Duration) ([]byte, bool) {
	if len(s.queue) == 0 || s.queue[0].at > now {
		return nil, false
	}
	b := s.queue[0].b
	s.queue = s.queue[1:]
	return b, true
}

func (s *thin) Next() (time.Duration, bool) { return firstOf(s.queue) }

// TestBulkLeavesRoomOnAThinLine: at 1 Mbit/s the full bulk rate would fill the
// queue of the line with seconds of bulk.
func TestBulkLeavesRoomOnAThinLine(t *testing.T) {
	t.Parallel() // in real time
	r := newReal(t)
	host, client := r.pair(Options{}, Options{Down: &thin{rate: 125_000, delay: 20 * time.Millisecond}})
	done := false
	var delays []time.Duration
	client.on = func(ev link.Event) {
		switch ev.Kind {
		case link.Message:
			done = true
		case link.Datagram:
			delays = append(delays, r.now()-time.Duration(binary.LittleEndian.Uint64(ev.Data)))
		}
	}
	if err := host.SendMessage(r.now(), host.peer, link.Bulk, make([]byte, 150_000)); err != nil {
		t.Fatal(err)
	}
	start, next := r.now(), r.now()
	r.until("the state", func() bool {
		for ; next < r.now(); next += 16 * time.Millisecond {
			host.SendDatagram(r.now(), host.peer, binary.LittleEndian.AppendUint64(nil, uint64(r.now())))
		}
		return done
	})
	took := r.now() - start
	slices.Sort(delays)
	p50, p99 := delays[len(delays)/2], delays[len(delays)*99/100]
	t.Logf("150 KB in %v, datagrams delayed %v (half), %v (99 %%)", took, p50, p99)
	if p50 > 400*time.Millisecond || p99 > 1200*time.Millisecond {
		t.Errorf("datagrams are delayed %v (half), %v (99 %%)", p50, p99)
	}
}

func TestManyClients(t *testing.T) {
	r := newReal(t)
	host := r.listen(Options{})
	got := map[string]int{}
	host.on = func(ev link.Event) {
		if ev.Kind == link.Message {
			got[string(ev.Data)]++
			host.SendMessage(r.now(), ev.Peer, link.Control, bytes.Clone(ev.Data))
		}
	}
	const n = 40
	echoed := 0
	for i := range n {
		c := r.dialTo(host, Options{})
		c.on = func(ev link.Event) {
			switch ev.Kind {
			case link.Opened:
				c.SendMessage(r.now(), 1, link.Control, fmt.Appendf(nil, "client %d", i))
			case link.Message:
				if string(ev.Data) != fmt.Sprintf("client %d", i) {
					t.Errorf("client %d got %q", i, ev.Data)
				}
				echoed++
			}
		}
	}
	r.until("all echoes", func() bool { return echoed == n })
	if len(got) != n || host.Stats().Peers != n {
		t.Errorf("%d messages, %d peers", len(got), host.Stats().Peers)
	}
}
