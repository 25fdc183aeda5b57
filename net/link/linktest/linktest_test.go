package linktest

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
)

// flawed is a link of memlink with parts replaced by a flaw.
type flawed struct {
	*memlink.End
	clock    *fakeClock
	poll     func(now time.Duration, deliver func(link.Event))
	event    func(ev link.Event, deliver func(link.Event)) // in the place of deliver
	datagram func(now time.Duration, p link.Peer, b []byte) error
	message  func(now time.Duration, p link.Peer, s link.Stream, b []byte) error
	close    func(now time.Duration, p link.Peer, reason string)
	due      func(now time.Duration) time.Duration
	queued   func(s link.Stream) int
	shutdown func(reason string) error
}

// fakeClock measures the calls of links in tests. It moves when a call blocks, and at no
// other time: a call on a busy machine does not count as one that blocks.
type fakeClock struct {
	now  atomic.Int64 // in nanoseconds
	look chan time.Time
}

func newFakeClock() *fakeClock { return &fakeClock{look: make(chan time.Time)} }

func (c *fakeClock) Now() time.Time { return time.Unix(0, c.now.Load()) }

// block does not return. The clock moves on as it does while a call blocks.
func (f *flawed) block() {
	f.clock.now.Add(int64(longest + 1))
	f.clock.look <- f.clock.Now()
	select {}
}

func (f *flawed) Poll(now time.Duration, deliver func(link.Event)) {
	switch {
	case f.poll != nil:
		f.poll(now, deliver)
	case f.event != nil:
		f.End.Poll(now, func(ev link.Event) { f.event(ev, deliver) })
	default:
		f.End.Poll(now, deliver)
	}
}

func (f *flawed) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	if f.datagram != nil {
		return f.datagram(now, p, b)
	}
	return f.End.SendDatagram(now, p, b)
}

func (f *flawed) SendMessage(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
	if f.message != nil {
		return f.message(now, p, s, b)
	}
	return f.End.SendMessage(now, p, s, b)
}

func (f *flawed) Close(now time.Duration, p link.Peer, reason string) {
	if f.close != nil {
		f.close(now, p, reason)
		return
	}
	f.End.Close(now, p, reason)
}

func (f *flawed) Queued(p link.Peer, s link.Stream) int {
	if f.queued != nil {
		return f.queued(s)
	}
	return f.End.Queued(p, s)
}

func (f *flawed) Due(now time.Duration) time.Duration {
	if f.due != nil {
		return f.due(now)
	}
	return f.End.Due(now)
}

func (f *flawed) Shutdown(reason string) error {
	if f.shutdown != nil {
		return f.shutdown(reason)
	}
	return f.End.Shutdown(reason)
}

const ms = time.Millisecond

// network returns a network on which links have a flaw.
func network(t *testing.T, clock *fakeClock, spoil func(f *flawed, host bool)) Network {
	t.Helper()
	n, now := memlink.New(1), time.Duration(0)
	bad := memlink.Profile{Delay: 30 * ms, Jitter: 25 * ms, Loss: 0.1, Duplicate: 0.05, Reorder: 0.1}
	number := map[link.Link]int{} // of clients
	wrap := func(e *memlink.End, host bool) link.Link {
		f := &flawed{End: e, clock: clock}
		spoil(f, host)
		number[f] = n.Clients() - 1
		return f
	}
	dial := func(p memlink.Profile) link.Link { return wrap(n.Dial(p, p), false) }
	return Network{
		Host:    wrap(n.Host(), true),
		Dial:    func() link.Link { return dial(memlink.LAN()) },
		DialBad: func() link.Link { return dial(bad) },
		Cut:     func(client link.Link) { n.Cut(number[client], true) },
		Step:    func() time.Duration { now += 5 * ms; return now },
	}
}

// failures runs one case on a network with a flaw.
func failures(t *testing.T, clock *fakeClock, name string, n Network) []string {
	t.Helper()
	all := cases()
	i := slices.IndexFunc(all, func(c testCase) bool { return c.name == name })
	if i < 0 {
		t.Fatalf("no case %q", name)
	}
	return all[i].run(n, clock.Now, clock.look)
}

// Each flaw is found by the case that is named, and what it says names the flaw.
func TestFlawsAreFound(t *testing.T) {
	for _, f := range flaws() {
		t.Run(f.name, func(t *testing.T) {
			clock := newFakeClock()
			got := failures(t, clock, f.of, network(t, clock, f.spoil))
			t.Logf("%q says:\n%s", f.of, strings.Join(got, "\n"))
			if !slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, f.want) }) {
				t.Errorf("want something with %q", f.want)
			}
		})
	}
}

// Without a flaw no case says anything: the flaws alone are found above.
func TestNoFindingWithoutAFlaw(t *testing.T) {
	Run(t, func(t *testing.T) Network { return network(t, newFakeClock(), func(*flawed, bool) {}) })
}

// A Network that does not fit its description is named, and not the link.
func TestIncorrectNetworksAreFound(t *testing.T) {
	clock := newFakeClock()
	good := network(t, clock, func(*flawed, bool) {})
	good.DialBad = good.Dial
	got := failures(t, clock, "datagrams arrive at most once on a bad line", good)
	if len(got) != 1 || !strings.Contains(got[0], "the line of Network.DialBad is not bad") {
		t.Errorf("a good line: %q", got)
	}
	back := network(t, clock, func(*flawed, bool) {})
	now := time.Second
	back.Step = func() time.Duration { now -= ms; return now }
	got = failures(t, clock, "both ends open", back)
	if len(got) != 1 || !strings.Contains(got[0], "the time never goes back") {
		t.Errorf("a time that goes back: %q", got)
	}
	still := network(t, clock, func(*flawed, bool) {})
	still.Step = func() time.Duration { return 0 }
	got = failures(t, clock, "close while dialing", still)
	if len(got) == 0 || !strings.Contains(got[0], "waited 20s in vain") {
		t.Errorf("a time that stands still: %q", got)
	}
}

// A goroutine that a case leaves is found, also if the one that started it is gone.
func TestLeftGoroutinesAreFound(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	started := make(chan struct{})
	labelled("left", func() {
		go func() {
			go func() {
				close(started)
				<-stop
			}()
		}()
	})
	<-started
	for end := time.Now().Add(longest); len(withLabel("left")) > 1 && time.Now().Before(end); {
		time.Sleep(ms) // until the goroutine that started it is gone
	}
	if got := leftover("left", 0); len(got) != 1 || !strings.Contains(got[0], "TestLeftGoroutinesAreFound") {
		t.Errorf("found %q", got)
	}
	if got := leftover("other", time.Hour); len(got) != 0 {
		t.Errorf("found %q, which are not of the case", got)
	}
}
