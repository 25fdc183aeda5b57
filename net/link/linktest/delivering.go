package linktest

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

var deliveringCases = []testCase{
	{"datagrams arrive whole and once", needsNothing, datagramsArrive, false},
	{"messages arrive in order", needsNothing, messagesArrive, false},
	{"small messages at once arrive in order", needsNothing, smallMessages, false},
	{"deliver may send", needsNothing, deliverMaySend, false},
	{"peers are distinct", needsNothing, peersAreDistinct, false},
	{"bulk holds up neither control nor datagrams", needsNothing, bulkHoldsNothingUp, false},
	{"a pause between polls loses nothing", needsNothing, pauseLosesNothing, false},
}

// enough is the share of the datagrams on a good line that are to arrive.
const enough = 0.9

func datagramsArrive(p *party) {
	c := p.Open()
	up, down := talksWith(p, c)
	const count = 100
	for n := range count {
		up.Throw(8 + n*(link.MaxDatagram-8)/(count-1)) // the last one has MaxDatagram bytes
		down.Throw(link.MaxDatagram - n)
		p.Step()
	}
	p.Run(linger)
	for _, t := range []*talk{up, down} {
		t.Check()
		if got := len(t.Caught()); float64(got) < enough*count {
			p.Errorf("%s: %d of %d arrived on a good line", t, got, count)
		}
	}
}

// messagesArrive: sizes around that of a packet, in both directions and on all streams at
// once.
func messagesArrive(p *party) {
	c := p.Open()
	up, down := talksWith(p, c)
	for _, size := range []int{1, 2, 1099, 1100, 1101, 1200, 5000, 3, 70_000, 4} {
		for s := range link.Stream(link.Streams) {
			up.Say(s, size)
			down.Say(s, size)
		}
		p.Step()
	}
	arrive(p, up, down)
}

func smallMessages(p *party) {
	c := p.Open()
	up, down := talksWith(p, c)
	for n := range 500 {
		up.Say(link.Control, 4+n%60)
		down.Say(link.Control, 4+n%60)
	}
	arrive(p, up, down)
}

// deliverMaySend: each end answers what it gets while it gets it, from Opened on.
func deliverMaySend(p *party) {
	const rounds = 10
	answered := map[string]int{}
	answer := func(e *end) func(ev link.Event) {
		return func(ev link.Event) {
			if ev.Kind == link.Closed || answered[e.Name()] >= rounds {
				return
			}
			answered[e.Name()]++
			if ev.Kind != link.Datagram {
				p.Must(e.Name()+" answers in deliver",
					e.Message(ev.Peer, link.Control, fmt.Appendf(nil, "answer %d", answered[e.Name()])))
			}
			p.Must(e.Name()+" answers in deliver", e.Datagram(ev.Peer, make([]byte, link.MaxDatagram)))
		}
	}
	c := p.Dial()
	p.Host().React(answer(p.Host()))
	c.React(answer(c))
	p.Until("both ends have answered ten times", func() bool {
		return answered[p.Host().Name()] == rounds && answered[c.Name()] == rounds
	})
}

func peersAreDistinct(p *party) {
	var talks []*talk
	var clients []*end
	for range 3 {
		c := p.Open()
		up, down := talksWith(p, c)
		clients, talks = append(clients, c), append(talks, up, down)
	}
	chat := func(talks []*talk) {
		for n := range 5 {
			for _, t := range talks {
				t.Say(link.Control, 10+n)
				t.Say(link.Bulk, 2000+n)
				t.Throw(20 + n)
			}
			p.Step()
		}
		arrive(p, talks...)
	}
	chat(talks)
	p.Host().Close(clients[0].Peer(), "only this one")
	clients[2].Shutdown("and this one")
	p.Until("two of three connections are closed", func() bool {
		return clients[0].Seen().Saw(link.Closed, link.HostPeer) && p.Host().Seen().Saw(link.Closed, clients[2].Peer())
	})
	chat(talks[2:4])
}

// bulkHoldsNothingUp: what is sent after a large message on Bulk arrives before it.
func bulkHoldsNothingUp(p *party) {
	const size, count = 400_000, 10
	c := p.Open()
	_, down := talksWith(p, c)
	down.Say(link.Bulk, size)
	p.Step()
	for range count {
		down.Say(link.Control, 100)
		down.Throw(100)
	}
	p.Until("the message on bulk has arrived", func() bool { return len(down.Heard(link.Bulk)) > 0 })
	if got := len(down.Heard(link.Control)); got < count {
		p.Errorf(
			"%d messages on control were sent after a message of %d bytes on bulk, and only %d of "+
				"them arrived before it: the streams do not wait for each other",
			count,
			size,
			got,
		)
	}
	if got := len(down.Caught()); got < count/2 {
		p.Errorf(
			"%d datagrams were sent after a message of %d bytes on bulk, and only %d of them arrived "+
				"before it: datagrams do not wait for streams",
			count,
			size,
			got,
		)
	}
	arrive(p, down)
}

// pauseLosesNothing: a program may be busy for half a second, and poll nothing.
func pauseLosesNothing(p *party) {
	c := p.Open()
	up, down := talksWith(p, c)
	for _, pausing := range []*end{c, p.Host()} {
		pausing.Sleep(true)
		for range 5 {
			for _, t := range []*talk{up, down} {
				t.Say(link.Control, 1000)
				t.Say(link.Bulk, 3000)
			}
			p.Run(100 * time.Millisecond)
		}
		pausing.Sleep(false)
		arrive(p, up, down)
	}
}
