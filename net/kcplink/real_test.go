package kcplink

import (
	"cmp"
	"fmt"
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
	stop  time.Duration // the clock goes no further; 0: it has no end
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
	if r.stop > 0 {
		r.clock = min(r.clock, r.stop)
	}
	return r.clock
}

func (r *real) listen(o Options) *end {
	o.Check, o.Protocol = checked(r.t), cmp.Or(o.Protocol, 1)
	return r.add(Listen("127.0.0.1:0", o))
}

func (r *real) dialTo(h *end, o Options) *end {
	o.Check, o.Protocol = checked(r.t), cmp.Or(o.Protocol, 1)
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
	for deadline := time.Now().Add(time.Minute); !holds(); {
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

// pair returns a host and a client that are connected.
func (r *real) pair(ho, co Options) (host, client *end) {
	r.t.Helper()
	host = r.listen(ho)
	client = r.dialTo(host, co)
	r.until("both to open", func() bool { return host.peer != 0 && client.peer != 0 })
	return host, client
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
	before := r.now()
	host.Close(before, host.peer, "kicked")
	r.stop = before + flushTime*3/4 // after which only acknowledgements make the host go on
	r.until("the goodbye before flushTime", func() bool { return client.closed != "" })
}

func TestShutdownIsPromptAndNotifiesPeers(t *testing.T) {
	r := newReal(t)
	host, client := r.pair(Options{}, Options{})
	host.SendMessage(r.now(), host.peer, link.Control, []byte("last words"))
	heard := false
	client.on = func(ev link.Event) { heard = heard || string(ev.Data) == "last words" }
	if err := host.Shutdown("host stops"); err != nil { // the client, which is not polled meanwhile, answers nothing
		t.Fatal(err)
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
	case <-time.After(time.Minute):
		t.Error("a datagram came, and Ready says nothing")
	}
}

func TestOpeningFailsWithAReason(t *testing.T) {
	taken, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	listen := func(addr string, o Options) error { o.Protocol = 1; return opening(Listen(addr, o)) }
	dial := func(addr string, o Options) error { o.Protocol = 1; return opening(Dial(addr, o)) }
	for _, c := range []struct {
		err  error
		want string
	}{
		{listen(taken.LocalAddr().String(), Options{}), "address already in use"},
		{opening(Listen(":0", Options{})), "Protocol is 0"},
		{opening(Dial("127.0.0.1:7777", Options{})), "Protocol is 0"},
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

// opening returns the error, having closed what should not have opened.
func opening(l *Link, err error) error {
	if err == nil {
		l.Shutdown("")
	}
	return err
}

func TestHostOnAllAddressesIsReachable(t *testing.T) {
	r := newReal(t)
	host := r.add(Listen(":0", Options{Protocol: 1}))
	client := r.add(Dial(fmt.Sprintf(":%d", host.LocalAddr().Port()), Options{Protocol: 1}))
	r.until("both to open", func() bool { return host.peer != 0 && client.peer != 0 })
	if a, ok := host.PeerAddr(host.peer); !ok || !a.Addr().Is4() {
		t.Errorf("the peer's address is %v", a)
	}
}

// deadSocket fails every read.
type deadSocket struct{ wireSock }

func TestFailedSocketClosesThePeers(t *testing.T) {
	t.Parallel() // in real time
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
