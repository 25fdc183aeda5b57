package memlink

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

func TestHelloMessageGoodbye(t *testing.T) {
	p := newParty(1, LAN(), Off())
	host, a, b := p.Host(), p.Client(0), p.Client(1)
	p.run(100 * ms)
	p.expect(t, host, "opened 1", "opened 2")
	p.expect(t, a, "opened 1")
	p.expect(t, b, "opened 1")

	must(t, a.SendDatagram(p.now, 1, []byte("from a")))
	must(t, b.SendMessage(p.now, 1, link.Control, []byte("from b")))
	must(t, host.SendMessage(p.now, 2, link.Bulk, []byte("to whom?")))
	p.run(100 * ms)
	// LAN() is client 0, and by its delay the second to be heard.
	got := strings.Join(p.events[host], "; ")
	if !strings.Contains(got, `"from a"`) || !strings.Contains(got, `"from b"`) {
		t.Errorf("the host got %s", got)
	}

	host.Close(p.now, 1, "enough")
	if err := host.SendDatagram(p.now, 1, []byte("x")); !errors.Is(err, link.ErrNoPeer) {
		t.Errorf("sending to a closed peer: %v, want %v", err, link.ErrNoPeer)
	}
	must(t, b.Shutdown("going home"))
	p.events[host] = nil
	p.run(100 * ms)
	closed := strings.Join(append(p.events[a], p.events[b]...), "; ")
	if !strings.Contains(closed, "closed 1 enough") {
		t.Errorf("the clients saw %s", closed)
	}
	if got := strings.Join(p.events[host], "; "); !strings.Contains(got, "going home") {
		t.Errorf("the host saw %s", got)
	}
	if host.Stats().Peers != 0 {
		t.Errorf("the host still has %d peers", host.Stats().Peers)
	}
}

// Two streams each way under the worst profile: all arrives once and in order.
func TestStreamsUnderAwful(t *testing.T) {
	awful := Awful()
	awful.Duplicate, awful.Reorder = 0.05, 0.10
	p := newParty(3, awful)
	got := map[string][]string{}
	p.onAny = func(e *End, ev link.Event) {
		if ev.Kind == link.Message {
			key := fmt.Sprint(e == p.Host(), ev.Stream)
			got[key] = append(got[key], string(ev.Data))
		}
	}
	p.openAll(t)
	const count = 300
	for i := range count {
		for s := range link.Stream(link.Streams) {
			must(t, p.Host().SendMessage(p.now, 1, s, fmt.Appendf(nil, "%d", i)))
			must(t, p.Client(0).SendMessage(p.now, 1, s, fmt.Appendf(nil, "%d", i)))
		}
		p.step()
	}
	p.run(30 * time.Second)
	if len(got) != 4 {
		t.Fatalf("messages on %d streams, want 4", len(got))
	}
	for key, messages := range got {
		if len(messages) != count {
			t.Errorf("%s: %d messages, want %d", key, len(messages), count)
			continue
		}
		for i, m := range messages {
			if m != fmt.Sprint(i) {
				t.Fatalf("%s: message %d is %q", key, i, m)
			}
		}
	}
}

// A megabyte on Bulk arrives whole while datagrams flow past it, on a line that
// has room for both and on one that hardly has.
func TestBulkDoesNotStarveDatagrams(t *testing.T) {
	thin := Average()
	thin.Rate = 1_000_000
	for _, tc := range []struct {
		name         string
		profile      Profile
		within       time.Duration // the megabyte
		median       time.Duration // delay of the datagrams, the polls not counted
		p99          time.Duration
		leastArrived float64
	}{
		{"lan", LAN(), 4 * time.Second, ms, ms, 1},
		{"average", Average(), 6 * time.Second, 45 * ms, 60 * ms, 0.97},
		{"average, 1 mbit", thin, 15 * time.Second, 120 * ms, 280 * ms, 0.95},
		{"awful", Awful(), 25 * time.Second, 300 * ms, 400 * ms, 0.75},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newParty(4, tc.profile)
			want := make([]byte, 1<<20)
			for i := range want {
				want[i] = byte(mix(uint64(i)))
			}
			var bulkAt time.Duration
			var delays []time.Duration
			p.onAny = func(e *End, ev link.Event) {
				switch {
				case e == p.Host():
				case ev.Kind == link.Message && bytes.Equal(ev.Data, want):
					bulkAt = p.now
				case ev.Kind == link.Message:
					t.Errorf("a message of %d bytes that isn't the one sent", len(ev.Data))
				case ev.Kind == link.Datagram:
					delays = append(delays, p.now-time.Duration(binary.LittleEndian.Uint64(ev.Data)))
				}
			}
			p.openAll(t)
			started, sent := p.now, 0
			must(t, p.Host().SendMessage(p.now, 1, link.Bulk, want))
			for bulkAt == 0 && p.now < started+tc.within {
				var b [200]byte
				binary.LittleEndian.PutUint64(b[:], uint64(p.now))
				must(t, p.Host().SendDatagram(p.now, 1, b[:]))
				sent++
				p.step()
			}
			if bulkAt == 0 {
				t.Fatalf("the megabyte didn't arrive in %v", tc.within)
			}
			p50, p99 := percentile(delays, 50), percentile(delays, 99)
			t.Logf("a megabyte in %v, datagrams p50 %v p99 %v, %d of %d arrived", bulkAt-started, p50, p99, len(delays), sent)
			if p50 > tc.median+2*tick || p99 > tc.p99+2*tick {
				t.Errorf("datagrams took %v (p50), %v (p99), want at most %v, %v", p50, p99, tc.median+2*tick, tc.p99+2*tick)
			}
			underWay := int(tc.profile.Delay/tick) + 2
			if float64(len(delays)) < tc.leastArrived*float64(sent-underWay) {
				t.Errorf("%d of %d datagrams arrived", len(delays), sent)
			}
		})
	}
}

// A cut that is mended in time loses nothing that is reliable.
func TestShortCutLosesNoMessage(t *testing.T) {
	p := newParty(6, Average())
	p.openAll(t)
	p.Cut(0, true)
	must(t, p.Host().SendMessage(p.now, 1, link.Control, []byte("one")))
	p.run(4 * time.Second)
	must(t, p.Host().SendMessage(p.now, 1, link.Control, []byte("two")))
	p.run(4 * time.Second)
	clear(p.events)
	p.Cut(0, false)
	p.run(3 * time.Second)
	p.expect(t, p.Client(0), `message 1 control "one"`, `message 1 control "two"`)
	p.expect(t, p.Host())
}

func TestSendErrors(t *testing.T) {
	p := newParty(10, Off())
	client := p.Client(0)
	if err := client.SendDatagram(0, 1, []byte("x")); !errors.Is(err, link.ErrNoPeer) {
		t.Errorf("before the link opened: %v", err)
	}
	p.openAll(t)
	for _, tc := range []struct {
		name string
		err  error
		want error
	}{
		{"no such peer", client.SendDatagram(p.now, 2, []byte("x")), link.ErrNoPeer},
		{"empty datagram", client.SendDatagram(p.now, 1, nil), link.ErrEmpty},
		{"large datagram", client.SendDatagram(p.now, 1, make([]byte, link.MaxDatagram+1)), link.ErrTooLarge},
		{"largest datagram", client.SendDatagram(p.now, 1, make([]byte, link.MaxDatagram)), nil},
		{"empty message", client.SendMessage(p.now, 1, link.Bulk, nil), link.ErrEmpty},
		{"large message", client.SendMessage(p.now, 1, link.Control, make([]byte, link.MaxControl+1)), link.ErrTooLarge},
		{"largest message", client.SendMessage(p.now, 1, link.Control, make([]byte, link.MaxControl)), nil},
		{"no such stream", client.SendMessage(p.now, 1, 7, []byte("x")), link.ErrTooLarge},
	} {
		if !errors.Is(tc.err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.err, tc.want)
		}
	}
	var err error
	for i := 0; err == nil && i < 10; i++ {
		err = client.SendMessage(p.now, 1, link.Control, make([]byte, link.MaxControl))
	}
	if !errors.Is(err, link.ErrBacklog) {
		t.Errorf("sending without polling: %v, want %v", err, link.ErrBacklog)
	}
	must(t, client.Shutdown("done"))
	must(t, client.Shutdown("again"))
	if err := client.SendDatagram(p.now, 1, []byte("x")); !errors.Is(err, link.ErrShutdown) {
		t.Errorf("after the shutdown: %v", err)
	}
	if client.Ready() != nil {
		t.Error("Ready is documented to be nil")
	}
}

// The line's profile may change while it runs, in one direction alone.
func TestSetProfile(t *testing.T) {
	p := newParty(11, Off())
	p.openAll(t)
	p.SetProfile(0, Profile{Delay: 500 * ms}, Off())
	var at time.Duration
	p.onAny = func(_ *End, ev link.Event) {
		if ev.Kind == link.Datagram {
			at = p.now
		}
	}
	for _, tc := range []struct {
		from *End
		want time.Duration
	}{{p.Client(0), 500 * ms}, {p.Host(), 0}} {
		started := p.now
		must(t, tc.from.SendDatagram(p.now, 1, []byte("x")))
		p.run(time.Second)
		if took := at - started; took < tc.want || took > tc.want+2*tick {
			t.Errorf("a datagram took %v, want %v", took, tc.want)
		}
	}
}

// The counters of both ends and of the line agree.
func TestCounters(t *testing.T) {
	p := newParty(12, Profile{Delay: 10 * ms, Loss: 0.1, Duplicate: 0.1})
	p.openAll(t)
	for range 500 {
		must(t, p.Client(0).SendDatagram(p.now, 1, make([]byte, 50)))
		must(t, p.Client(0).SendMessage(p.now, 1, link.Control, make([]byte, 30)))
		p.step()
	}
	p.SetProfile(0, Off(), Off())
	p.run(3 * time.Second)
	up, _ := p.LineStats(0)
	out, in := p.Client(0).Stats().Out, p.Host().Stats().In
	if out.Total() != (Count{up.Sent, up.SentBytes}) {
		t.Errorf("the client sent %+v, the line took %+v", out, up)
	}
	if in.Total().Packets != up.Delivered || up.Delivered != up.Sent-up.Dropped+up.Duplicated {
		t.Errorf("the host got %+v of %+v", in, up)
	}
	if out.Datagram != (Count{500, 500 * 59}) || out.Control.Packets != 500+p.Client(0).Stats().Resent || out.Bulk.Packets != 0 {
		t.Errorf("the client sent %+v", out)
	}
	delivered := 0
	for _, ev := range p.events[p.Host()] {
		if strings.HasPrefix(ev, "datagram") {
			delivered++
		}
	}
	if int(in.Datagram.Packets-p.Host().Stats().Repeated) != delivered || p.Host().Stats().Repeated == 0 {
		t.Errorf("%d datagrams delivered, of %d packets and %d repeated", delivered, in.Datagram.Packets, p.Host().Stats().Repeated)
	}
	if rtt, ok := p.Client(0).RTT(1); !ok || rtt <= 0 || rtt > 100*ms {
		t.Errorf("round trip %v %v", rtt, ok)
	}
}

func BenchmarkNetwork(b *testing.B) {
	b.ReportAllocs()
	p := New(1)
	const clients = 32
	for range clients {
		p.Dial(Average(), Average())
	}
	now := time.Duration(0)
	step := func() {
		now += tick
		p.Host().Poll(now, func(link.Event) {})
		for i := range clients {
			p.Client(i).Poll(now, func(link.Event) {})
			_ = p.Client(i).SendDatagram(now, 1, make([]byte, 60))
			_ = p.Host().SendDatagram(now, link.Peer(i+1), make([]byte, 200))
		}
	}
	for range 300 {
		step()
	}
	b.ResetTimer()
	for range b.N {
		step()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/clients, "ns/client")
}
