package streamlink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
)

func TestMain(m *testing.M) {
	linktest.SideBySide()
	os.Exit(m.Run())
}

// watched is a link with its events as text.
type watched struct {
	*Link
	events []string
}

func (w *watched) poll(now time.Duration) {
	w.Poll(now, func(ev link.Event) {
		switch ev.Kind {
		case link.Opened:
			w.events = append(w.events, "opened")
		case link.Closed:
			w.events = append(w.events, "closed: "+ev.Reason)
		default:
			w.events = append(w.events, fmt.Sprintf("%v of %d bytes", ev.Kind, len(ev.Data)))
		}
	})
}

// until polls links until one of them has seen n events.
func until(t *testing.T, step func() time.Duration, w *watched, n int, all ...*watched) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(w.events) < n; {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %d events; it saw %q", n, w.events)
		}
		now := step()
		for _, l := range append(all, w) {
			l.poll(now)
		}
	}
}

func end(t *testing.T, links ...*watched) {
	t.Helper()
	for _, l := range links {
		if err := l.Shutdown("the test is over"); err != nil {
			t.Error(err)
		}
	}
}

func listenTCP(t *testing.T, o Options) (host *Link, addr string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return Listen(ln, o), ln.Addr().String()
}

func dialTCP(addr string) *Link {
	return Dial(func(ctx context.Context) (io.ReadWriteCloser, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", addr)
	}, Options{})
}

// pair returns the two ends of a connection in memory: one for a host, and one for the
// test, which writes what it likes.
func pair(host *Link) net.Conn {
	inner, outer := net.Pipe()
	host.Add(inner)
	return outer
}

// Whatever a client sends, the host closes it with the reason, and takes no more memory
// for it than came.
func TestHostileFrames(t *testing.T) {
	t.Parallel()
	hello := slices.Clip(appendHello(nil, 0)) // each case appends to a copy
	for _, c := range []struct {
		name string
		send []byte
		want string
	}{
		{"no hello", appendDatagram(nil, []byte("x")), ""},
		{"another kind of link", []byte("\x01GET / HTTP/1.1"), ""},
		{"another version", []byte("\x01HCST\x09\x00\x00\x00\x00"), ""},
		{"another protocol", appendHello(nil, 7), ""},
		{"two hellos", append(hello, hello...), "protocol violation: malformed frame"},
		{"no such frame", append(hello, 99), "protocol violation: malformed frame"},
		{"empty datagram", append(hello, byte(kindDatagram), 0, 0), "protocol violation: malformed frame"},
		{"large datagram", append(hello, byte(kindDatagram), 0xFF, 0xFF), "protocol violation: malformed frame"},
		{"no such stream", append(hello, byte(kindSegment), 2, 1, 1, 0, 'x'), "protocol violation: malformed frame"},
		{"no such flag", append(hello, byte(kindSegment), 0, 2, 1, 0, 'x'), "protocol violation: malformed frame"},
		{"credit for no stream", append(hello, appendCredit(nil, 9, 1)...), "protocol violation: malformed frame"},
		{"credit that was not used", append(hello, appendCredit(nil, link.Control, 1)...), "protocol violation: more credit for control than was used"},
		// A poll in between gives credit for what has come: so ten times the credit.
		{"more than the credit", append(hello, bytes.Repeat(appendSegment(nil, link.Bulk, false, make([]byte, maxSegment)), 170)...),
			"protocol violation: more on bulk than there was credit for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			host, step := &watched{Link: NewHost(Options{})}, linktest.RealTime()
			defer end(t, host)
			conn := pair(host.Link)
			go func() {
				_, _ = conn.Write(c.send) // the host may close it meanwhile
			}()
			answered := make(chan struct{})
			go func() { // until the host closes the connection
				_, _ = io.Copy(io.Discard, conn)
				close(answered)
			}()
			if c.want != "" {
				until(t, step, host, 2)
				if want := []string{"opened", "closed: " + c.want}; !slices.Equal(host.events, want) {
					t.Errorf("the host saw %q, want %q", host.events, want)
				}
			}
			for closed := false; !closed; {
				host.poll(20 * step()) // it waits five seconds for a hello, or for its goodbye to be read
				select {
				case <-answered:
					closed = true
				default:
				}
			}
			if c.want == "" && len(host.events) > 0 {
				t.Errorf("the host saw %q, want nothing", host.events)
			}
		})
	}
}

// A message that is larger than the host takes closes the client.
func TestLargeBulkIsRefused(t *testing.T) {
	step := linktest.RealTime()
	h, addr := listenTCP(t, Options{MaxBulk: 10_000})
	host, client := &watched{Link: h}, &watched{Link: dialTCP(addr)}
	defer end(t, host, client)
	until(t, step, client, 1, host)
	if err := client.SendMessage(step(), 1, link.Bulk, make([]byte, 10_001)); err != nil {
		t.Fatal(err)
	}
	until(t, step, client, 2, host)
	if want := "closed: a message of more than 10000 bytes on bulk"; client.events[1] != want {
		t.Errorf("the client saw %q, want %q", client.events, want)
	}
}

func TestFullHostRefusesWithAReason(t *testing.T) {
	step := linktest.RealTime()
	h, addr := listenTCP(t, Options{MaxPeers: 1})
	host := &watched{Link: h}
	first, second := &watched{Link: dialTCP(addr)}, &watched{Link: dialTCP(addr)}
	defer end(t, host, first, second)
	until(t, step, first, 1, host)
	until(t, step, second, 1, host, first)
	if want := []string{"closed: the host is full: it takes 1 connections"}; !slices.Equal(second.events, want) || host.Stats().Refused != 1 {
		t.Errorf("the second client saw %q, want %q; the host refused %d", second.events, want, host.Stats().Refused)
	}
}

func TestWhyADialFails(t *testing.T) {
	for _, c := range []struct {
		name string
		dial func(ctx context.Context) (io.ReadWriteCloser, error)
		host Options
		want string
	}{
		{"an error", func(context.Context) (io.ReadWriteCloser, error) { return nil, errors.New("no route") }, Options{}, "closed: dialing failed: no route"},
		{"no end", func(ctx context.Context) (io.ReadWriteCloser, error) { <-ctx.Done(); return nil, ctx.Err() }, Options{}, "closed: no connection in 100ms"},
		{"another protocol", nil, Options{Protocol: 9}, "closed: the protocol version is 0 here and 9 at the other end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			step := linktest.RealTime()
			h, addr := listenTCP(t, c.host)
			host, client := &watched{Link: h}, &watched{Link: dialTCP(addr)}
			if c.dial != nil {
				client = &watched{Link: Dial(c.dial, Options{DialTimeout: 100 * time.Millisecond})}
			}
			defer end(t, host, client)
			until(t, step, client, 1, host)
			if len(client.events) != 1 || !strings.HasPrefix(client.events[0], c.want) {
				t.Errorf("the client saw %q, want %q", client.events, c.want)
			}
		})
	}
}

// stuck is a connection on which nothing can be written until it is closed.
type stuck struct{ closed chan struct{} }

func (s stuck) Read([]byte) (int, error)  { <-s.closed; return 0, io.EOF }
func (s stuck) Write([]byte) (int, error) { <-s.closed; return 0, io.ErrClosedPipe }
func (s stuck) Close() error              { close(s.closed); return nil }

// Of the datagrams that a line does not take, the newest are kept.
func TestOldDatagramsAreDropped(t *testing.T) {
	out := newOutbox()
	for n := range 200 {
		out.datagram(bytes.Repeat([]byte{byte(n)}, 1000))
	}
	b := out.next(nil)
	if last := b[len(b)-1]; len(b) > maxUnsent+2000 || last != 199 || out.drops() == 0 {
		t.Errorf("%d bytes wait, up to datagram %d, dropped %d times", len(b), last, out.drops())
	}
}

// Shutdown does not wait for a connection that takes nothing.
func TestShutdownOfAStuckConnection(t *testing.T) {
	host := &watched{Link: NewHost(Options{})}
	s := stuck{make(chan struct{})}
	host.Add(s)
	host.poll(0)
	end(t, host) // if it waited for the connection, it would not return
	<-s.closed
}

// FuzzFrames: no bytes make the reader panic, or give a frame that is not within its limits.
func FuzzFrames(f *testing.F) {
	f.Add(appendHello(nil, 7))
	f.Add(appendDatagram(nil, []byte("data")))
	f.Add(appendSegment(appendCredit(nil, link.Bulk, 100), link.Control, true, []byte("message")))
	f.Add(appendBye([]byte{byte(kindPing)}, "enough"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := newFrameReader(bytes.NewReader(b))
		for {
			fr, err := r.next()
			if err != nil {
				return
			}
			if fr.Stream >= link.Streams || len(fr.Data) > maxSegment || fr.Kind == kindDatagram && (len(fr.Data) == 0 || len(fr.Data) > link.MaxDatagram) || fr.Credit < 0 {
				t.Fatalf("%+v", fr)
			}
		}
	})
}
