package kcplink

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// real polls links on real sockets. Its clock is the real one, which KCP needs,
// but a pause of this process counts as 5 ms, so that a busy machine does not
// fail the tests.
type real struct {
	t     testing.TB
	clock time.Duration
	last  time.Time
	ends  []*end
}

// end is a Link and what the test does with its events.
type end struct {
	*Link
	on     func(ev link.Event)
	peer   link.Peer // the last that opened
	closed string
}

func newReal(t testing.TB) *real {
	r := &real{t: t, last: time.Now()}
	t.Cleanup(func() {
		for _, e := range r.ends {
			if err := e.Shutdown("test over"); err != nil {
				t.Error(err)
			}
		}
	})
	return r
}

func (r *real) now() time.Duration {
	t := time.Now()
	r.clock += min(t.Sub(r.last), 5*time.Millisecond)
	r.last = t
	return r.clock
}

func (r *real) listen(o Options) *end {
	o.Check = checked(r.t)
	return r.add(Listen("127.0.0.1:0", o))
}

func (r *real) dialTo(h *end, o Options) *end {
	o.Check = checked(r.t)
	return r.add(Dial(h.LocalAddr().String(), o))
}

func (r *real) add(l *Link, err error) *end {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	e := &end{Link: l}
	r.ends = append(r.ends, e)
	return e
}

func (e *end) event(ev link.Event) {
	switch ev.Kind {
	case link.Opened:
		e.peer = ev.Peer
	case link.Closed:
		e.closed = ev.Reason
	}
	if e.on != nil {
		e.on(ev)
	}
}

// until polls the ends that are due, about a thousand times a second, until the condition
// holds.
func (r *real) until(what string, holds func() bool) {
	r.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(60 * time.Second); !holds(); {
		if time.Now().After(deadline) {
			r.t.Fatalf("waited in vain for: %s", what)
		}
		<-tick.C
		for _, e := range r.ends {
			if now := r.now(); needsPoll(e.Link, now) {
				e.Poll(now, e.event)
			}
		}
	}
}

// pair is a host and a client that are connected.
func (r *real) pair(ho, co Options) (host, client *end) {
	r.t.Helper()
	host = r.listen(ho)
	client = r.dialTo(host, co)
	r.until("both to open", func() bool { return host.peer != 0 && client.peer != 0 })
	return host, client
}

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

// sizeOf is the length of test message i: mostly small, some over many segments.
func sizeOf(i uint32) int {
	if i%50 == 7 {
		return 9000
	}
	return 4 + int(i*37%400)
}

func TestBulkBlocksNeitherDatagramsNorControl(t *testing.T) {
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
			host.SendMessage(r.now(), ev.Peer, link.Control, ev.Data)
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

func TestMessagesSentBeforeCloseArrive(t *testing.T) {
	r := newReal(t)
	bad := newLossy(3, 0.2, 0, 10*time.Millisecond, 0)
	bad.spare = kindBye // all three may be lost, which would take the test ten seconds
	host, client := r.pair(Options{}, Options{Down: bad})
	var got []string
	client.on = func(ev link.Event) {
		if ev.Kind == link.Message {
			got = append(got, string(ev.Data[:5]))
		}
	}
	host.SendMessage(r.now(), host.peer, link.Control, []byte("first"))
	host.SendMessage(r.now(), host.peer, link.Control, append([]byte("final"), make([]byte, 20000)...))
	host.Close(r.now(), host.peer, "kicked")
	r.until("the goodbye", func() bool { return client.closed != "" })
	if client.closed != "kicked" || !slices.Equal(got, []string{"first", "final"}) {
		t.Errorf("closed because %q after %q", client.closed, got)
	}
}

func TestCloseWaitsOnlyForUnsentMessages(t *testing.T) {
	r := newReal(t)
	host, client := r.pair(Options{}, Options{})
	host.SendMessage(r.now(), host.peer, link.Control, make([]byte, 20000))
	host.Close(r.now(), host.peer, "kicked")
	before := r.now()
	r.until("the goodbye", func() bool { return client.closed != "" })
	if took := r.now() - before; took > flushTime*3/4 {
		t.Errorf("the goodbye came after %v: acknowledgements are not heard", took)
	}
}

func TestShutdownIsPromptAndNotifiesPeers(t *testing.T) {
	r := newReal(t)
	host, client := r.pair(Options{}, Options{})
	host.SendMessage(r.now(), host.peer, link.Control, []byte("last words"))
	heard := false
	client.on = func(ev link.Event) { heard = heard || string(ev.Data) == "last words" }
	before := time.Now()
	if err := host.Shutdown("host stops"); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(before); took > time.Second {
		t.Errorf("took %v", took)
	}
	if err := host.Shutdown("again"); err != nil {
		t.Error(err)
	}
	r.until("the goodbye", func() bool { return client.closed != "" })
	if client.closed != "host stops" || !heard {
		t.Errorf("closed because %q, last words heard: %v", client.closed, heard)
	}
}

func TestReadySignalsAWaitingPacket(t *testing.T) {
	r := newReal(t)
	host, client := r.pair(Options{}, Options{})
	for range 2 { // nothing under way any more
		select {
		case <-host.Ready():
		default:
		}
		host.Poll(r.now(), host.event)
	}
	if err := client.SendDatagram(r.now(), 1, []byte("x")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-host.Ready():
	case <-time.After(5 * time.Second):
		t.Error("a datagram came, and Ready says nothing")
	}
}

func TestOpeningFailsWithAReason(t *testing.T) {
	taken, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	listen := func(addr string, o Options) error { return opening(Listen(addr, o)) }
	dial := func(addr string, o Options) error { return opening(Dial(addr, o)) }
	for _, c := range []struct {
		err  error
		want string
	}{
		{listen(taken.LocalAddr().String(), Options{}), "address already in use"},
		{listen("nonsense", Options{}), `cannot listen on nonsense`},
		{listen(":0", Options{MaxPeers: -1}), "MaxPeers is -1"},
		{listen(":0", Options{MaxBulk: 10}), "MaxBulk is 10"},
		{listen(":0", Options{Timeout: time.Second}), "Timeout is 1s"},
		{listen(":0", Options{KeepAlive: 1}), "KeepAlive is 1ns"},
		{listen(":0", Options{Up: newLossy(1, 0, 0, 0, 0)}), "Up and Down are for clients"},
		{dial("127.0.0.1", Options{}), `cannot call 127.0.0.1: `},
		{dial("127.0.0.1:0", Options{}), "needs a port"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want something with %q", c.err, c.want)
		}
	}
}

// opening is the error, having closed what should not have opened.
func opening(l *Link, err error) error {
	if err == nil {
		l.Shutdown("")
	}
	return err
}

func TestHostOnAllAddressesIsReachable(t *testing.T) {
	r := newReal(t)
	host := r.add(Listen(":0", Options{}))
	client := r.add(Dial(fmt.Sprintf(":%d", host.LocalAddr().Port()), Options{}))
	r.until("both to open", func() bool { return host.peer != 0 && client.peer != 0 })
	if a, ok := host.PeerAddr(host.peer); !ok || !a.Addr().Is4() {
		t.Errorf("the peer's address is %v", a)
	}
}

// deadSocket fails every read.
type deadSocket struct{ wireSock }

func TestFailedSocketClosesThePeers(t *testing.T) {
	w, host, _ := opened(t, Options{}, Options{})
	in := newInbox()
	host.inbox = in
	go in.read(&deadSocket{})
	<-in.done
	host.poll(w.now)
	if got := host.of(link.Closed); len(got) != 1 || !strings.Contains(got[0].Reason, "socket failed: the wire is not read from") {
		t.Errorf("host saw %+v", got)
	}
}

func TestDatagramsDoNotAllocate(t *testing.T) {
	r := newReal(t)
	host, client := r.pair(Options{}, Options{})
	payload := make([]byte, 200)
	came := 0
	count := func(ev link.Event) { came++ }
	roundTrip := func() {
		client.SendDatagram(r.now(), 1, payload)
		for want := came + 1; came < want; {
			<-host.Ready()
			host.Poll(r.now(), count)
		}
		host.SendDatagram(r.now(), host.peer, payload)
		for want := came + 1; came < want; {
			<-client.Ready()
			client.Poll(r.now(), count)
		}
	}
	for range 50 {
		roundTrip()
	}
	if n := testing.AllocsPerRun(500, roundTrip); n > 0 {
		t.Errorf("%v allocations a round trip", n)
	}
}
