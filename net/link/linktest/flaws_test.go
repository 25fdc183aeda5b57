package linktest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// flaw is one thing that a link does wrong.
type flaw struct {
	name  string
	spoil func(f *flawed, host bool)
	of    string // the case that finds it
	want  string // part of what the case says
}

func flaws() []flaw {
	return slices.Concat(eventFlaws(), contentFlaws(), sendFlaws(), endFlaws(), waitFlaws())
}

// onEvent returns a flaw in what is delivered: change returns the events in the place of one.
func onEvent(change func(f *flawed, ev link.Event) []link.Event) func(f *flawed, host bool) {
	return func(f *flawed, _ bool) {
		f.event = func(ev link.Event, deliver func(link.Event)) {
			for _, ev := range change(f, ev) {
				deliver(ev)
			}
		}
	}
}

// onKind is onEvent for the events of one kind.
func onKind(kind link.EventKind, change func(ev link.Event) []link.Event) func(f *flawed, host bool) {
	return onEvent(func(_ *flawed, ev link.Event) []link.Event {
		if ev.Kind != kind {
			return []link.Event{ev}
		}
		return change(ev)
	})
}

func eventFlaws() []flaw {
	twice := func(ev link.Event) []link.Event { return []link.Event{ev, ev} }
	none := func(link.Event) []link.Event { return nil }
	return []flaw{
		{"never opens", onKind(link.Opened, none), "both ends open", "waited 20s in vain until client 1 and the host have Opened"},
		{"opens twice", onKind(link.Opened, twice), "both ends open", "opened of peer 1 was delivered twice"},
		{"closes twice", onKind(link.Closed, twice), "close lets messages arrive", "was delivered after Closed"},
		{"never closes", onKind(link.Closed, none), "close lets messages arrive", "waited 20s in vain until client 1 has Closed"},
		{"names the host 7", func(f *flawed, host bool) {
			if !host {
				f.event = func(ev link.Event, deliver func(link.Event)) { ev.Peer = 7; deliver(ev) }
			}
		}, "both ends open", "was delivered for peer 7: the host of a client is peer 1"},
		{"uses a name again", func(f *flawed, host bool) {
			if host {
				f.event = func(ev link.Event, deliver func(link.Event)) { ev.Peer = 1; deliver(ev) }
			}
		}, "names are not used again", "no event follows a Close"},
		{"mixes peers up", func(f *flawed, host bool) {
			if host {
				f.event = func(ev link.Event, deliver func(link.Event)) {
					if ev.Kind == link.Message && ev.Peer == 2 {
						ev.Peer = 3
					}
					deliver(ev)
				}
			}
		}, "peers are distinct", "messages on control from client 2 to the host: 0 of 5 arrived"},
		{"tells a dirty reason", onKind(link.Closed, func(ev link.Event) []link.Event {
			ev.Reason += "\n"
			return []link.Event{ev}
		}), "reasons are one short line", "link.CleanReason"},
		{"tells another reason", onKind(link.Closed, func(ev link.Event) []link.Event {
			ev.Reason = "closed"
			return []link.Event{ev}
		}), "close lets messages arrive", `the reason of Closed is "closed", want "enough"`},
		{"gives Closed data", onKind(link.Closed, func(ev link.Event) []link.Event {
			ev.Data = []byte("x")
			return []link.Event{ev}
		}), "close lets messages arrive", "has data"},
		{"delivers what is empty", onKind(link.Datagram, func(ev link.Event) []link.Event {
			ev.Data = nil
			return []link.Event{ev}
		}), "datagrams arrive whole and once", "has 0 bytes; 1 to 1100 are allowed"},
	}
}

func contentFlaws() []flaw {
	message := func(n int, change func(ev link.Event) []link.Event) func(f *flawed, host bool) {
		return func(f *flawed, _ bool) {
			count := 0
			onKind(link.Message, func(ev link.Event) []link.Event {
				if count++; count != n {
					return []link.Event{ev}
				}
				return change(ev)
			})(f, false)
		}
	}
	var held link.Event
	return []flaw{
		{"loses a message", message(5, func(link.Event) []link.Event { return nil }),
			"messages arrive in order", "was to arrive, there came number"},
		{"repeats a message", message(5, func(ev link.Event) []link.Event { return []link.Event{ev, ev} }),
			"messages arrive in order", "was to arrive, there came number"},
		{"swaps two messages", func(f *flawed, host bool) {
			count := 0
			onKind(link.Message, func(ev link.Event) []link.Event {
				switch count++; count {
				case 10:
					held = ev
					held.Data = slices.Clone(ev.Data)
					return nil
				case 12:
					return []link.Event{ev, held}
				}
				return []link.Event{ev}
			})(f, host)
		}, "small messages at once arrive in order", "was to arrive, there came number"},
		{"cuts messages", onKind(link.Message, func(ev link.Event) []link.Event {
			ev.Data = ev.Data[:min(len(ev.Data), 1100)]
			return []link.Event{ev}
		}), "messages arrive in order", "1100 bytes that begin as number 4, which has 1101"},
		{"changes a byte", onKind(link.Message, func(ev link.Event) []link.Event {
			if len(ev.Data) > 1000 {
				ev.Data = slices.Clone(ev.Data)
				ev.Data[1000]++
			}
			return []link.Event{ev}
		}), "messages arrive in order", "with other bytes from byte 1000 on"},
		{"keeps the caller's buffer", func(f *flawed, _ bool) {
			var kept []func()
			f.datagram = func(now time.Duration, p link.Peer, b []byte) error {
				kept = append(kept, func() { _ = f.End.SendDatagram(now, p, b) })
				return nil
			}
			f.poll = func(now time.Duration, deliver func(link.Event)) {
				for _, send := range kept {
					send()
				}
				kept = nil
				f.End.Poll(now, deliver)
			}
			f.due = func(now time.Duration) time.Duration { return now }
		}, "datagrams arrive whole and once", "does the link keep the buffer of the caller"},
		{"uses the data of an event again", func(f *flawed, _ bool) {
			var shared [4096]byte
			f.event = func(ev link.Event, deliver func(link.Event)) {
				ev.Data = shared[:copy(shared[:], ev.Data)]
				deliver(ev)
			}
			f.shutdown = func(reason string) error {
				clear(shared[:])
				return f.End.Shutdown(reason)
			}
		}, "the host shuts down in message", "changed during the call of deliver"},
		{"repeats datagrams", onKind(link.Datagram, func(ev link.Event) []link.Event { return []link.Event{ev, ev} }),
			"datagrams arrive at most once on a bad line", "arrived twice: a link drops duplicates"},
		{"loses datagrams", onKind(link.Datagram, func(ev link.Event) []link.Event {
			if ev.Data[5]%2 == 0 {
				return nil
			}
			return []link.Event{ev}
		}), "datagrams arrive whole and once", "of 100 arrived on a good line"},
	}
}

func sendFlaws() []flaw {
	return []flaw{
		{"takes what is empty", func(f *flawed, _ bool) {
			f.datagram = func(now time.Duration, p link.Peer, b []byte) error {
				if len(b) == 0 {
					return nil
				}
				return f.End.SendDatagram(now, p, b)
			}
		}, "sends that are refused", "a datagram without bytes: no error"},
		{"takes what is too large", func(f *flawed, _ bool) {
			f.message = func(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
				return f.End.SendMessage(now, p, s, b[:min(len(b), s.MaxMessage())])
			}
		}, "sends that are refused", "a message of one byte more than MaxMessage on control: no error"},
		{"does not wrap errors", func(f *flawed, _ bool) {
			f.datagram = func(now time.Duration, p link.Peer, b []byte) error {
				if err := f.End.SendDatagram(now, p, b); err != nil {
					return errors.New(err.Error())
				}
				return nil
			}
		}, "both ends open", "want one that is \"link: no such peer\" by errors.Is"},
		{"takes too little", func(f *flawed, _ bool) {
			f.datagram = func(now time.Duration, p link.Peer, b []byte) error {
				if len(b) > 1000 {
					return link.ErrTooLarge
				}
				return f.End.SendDatagram(now, p, b)
			}
		}, "datagrams arrive whole and once", "datagram of 1100 bytes: link: too large"},
		{"has no bound for what waits", func(f *flawed, _ bool) {
			f.message = func(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
				if err := f.End.SendMessage(now, p, s, b); !errors.Is(err, link.ErrBacklog) {
					return err
				}
				return nil
			}
		}, "a peer that never polls fills the backlog", "what waits for a peer has a bound"},
		{"has one queue for all", func(f *flawed, host bool) {
			if !host {
				return
			}
			var until time.Duration // bulk has left
			var held []func()
			f.message = func(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
				if s == link.Bulk {
					until = now + 5*time.Second
				}
				if now >= until || s == link.Bulk {
					return f.End.SendMessage(now, p, s, b)
				}
				b = slices.Clone(b)
				held = append(held, func() { _ = f.End.SendMessage(now, p, s, b) })
				return nil
			}
			f.poll = func(now time.Duration, deliver func(link.Event)) {
				if now >= until {
					for _, send := range held {
						send()
					}
					held = nil
				}
				f.End.Poll(now, deliver)
			}
		}, "bulk holds up neither control nor datagrams", "the streams do not wait for each other"},
		{"panics", func(f *flawed, _ bool) {
			f.datagram = func(time.Duration, link.Peer, []byte) error { panic("no route") }
		}, "datagrams arrive whole and once", "SendDatagram panicked: no route"},
	}
}

func endFlaws() []flaw {
	return []flaw{
		{"delivers after Close", func(f *flawed, _ bool) {
			f.close = func(time.Duration, link.Peer, string) {}
		}, "the host closes in message", "no event follows a Close"},
		{"sends after Close", func(f *flawed, _ bool) {
			f.datagram = func(now time.Duration, p link.Peer, b []byte) error {
				if err := f.End.SendDatagram(now, p, b); !errors.Is(err, link.ErrNoPeer) {
					return err
				}
				return nil
			}
		}, "a closed peer can be sent nothing", "a datagram in the deliver of Closed: no error"},
		{"drops messages at Close", func(f *flawed, _ bool) {
			f.message = func(time.Duration, link.Peer, link.Stream, []byte) error { return nil }
		}, "close lets messages arrive", "0 of 2 arrived"},
		{"does not shut down", func(f *flawed, _ bool) {
			f.shutdown = func(string) error { return nil }
		}, "the host shuts down in message", "want one that is \"link: shut down\""},
		{"fails to shut down", func(f *flawed, _ bool) {
			f.shutdown = func(reason string) error {
				_ = f.End.Shutdown(reason)
				return errors.New("already closed")
			}
		}, "shutdown tells all peers", "the host: Shutdown: already closed"},
		{"polls within a poll", func(f *flawed, _ bool) {
			depth := 0
			f.poll = func(now time.Duration, deliver func(link.Event)) {
				if depth > 0 {
					deliver(link.Event{Kind: link.Datagram, Peer: 1, Data: []byte("x")})
					return
				}
				depth++
				defer func() { depth-- }()
				f.End.Poll(now, deliver)
			}
		}, "the host closes in datagram", "a poll in deliver delivered datagram of 1 bytes from peer 1"},
		{"delivers outside of polls", func(f *flawed, _ bool) {
			var last func(link.Event)
			f.poll = func(now time.Duration, deliver func(link.Event)) {
				last = deliver
				f.End.Poll(now, deliver)
			}
			f.datagram = func(now time.Duration, p link.Peer, b []byte) error {
				last(link.Event{Kind: link.Datagram, Peer: p, Data: b})
				return f.End.SendDatagram(now, p, b)
			}
		}, "datagrams arrive whole and once", "deliver was called when no Poll was in progress"},
	}
}

func waitFlaws() []flaw {
	return []flaw{
		{"waits when the queue is full", func(f *flawed, _ bool) {
			f.message = func(now time.Duration, p link.Peer, s link.Stream, b []byte) error {
				err := f.End.SendMessage(now, p, s, b)
				if errors.Is(err, link.ErrBacklog) {
					f.block() // until there is room
				}
				return err
			}
		}, "messages without a poll fill the backlog", "SendMessage has not returned for 1m0s: no method of a link waits"},
		{"says that nothing waits", func(f *flawed, _ bool) {
			f.queued = func(link.Stream) int { return 0 }
		}, "messages without a poll fill the backlog", "0 bytes are queued on control after ErrBacklog"},
		{"says that much waits", func(f *flawed, _ bool) {
			f.queued = func(s link.Stream) int { return map[link.Stream]int{link.Control: 1 << 20}[s] }
		}, "messages without a poll fill the backlog", "1048576 bytes are queued on control although all has arrived"},
		{"waits for packets", func(f *flawed, _ bool) {
			f.poll = func(time.Duration, func(link.Event)) { f.block() }
		}, "both ends open", "Poll has not returned for 1m0s: no method of a link waits"},
		{"is never due", func(f *flawed, _ bool) {
			f.due = func(time.Duration) time.Duration { return link.Never }
		}, "what is to be done is due", "after now before the first poll of a client, want now or earlier"},
		{"is not due for packets", func(f *flawed, host bool) {
			open := false
			f.event = func(ev link.Event, deliver func(link.Event)) {
				open = true
				deliver(ev)
			}
			f.due = func(now time.Duration) time.Duration {
				if host && open {
					return link.Never
				}
				return f.End.Due(now)
			}
		}, "what arrives wakes", "Due and Ready do not ask for all polls"},
		{"is always due", func(f *flawed, _ bool) {
			f.due = func(now time.Duration) time.Duration { return now }
		}, "an idle link is seldom due", fmt.Sprintf("in a second in which nothing was sent, want at most %d", mostIdlePolls)},
		{"is due after Shutdown", func(f *flawed, _ bool) {
			f.due = func(now time.Duration) time.Duration { return now }
		}, "what is to be done is due", "when the link is shut down, want link.Never"},
	}
}
