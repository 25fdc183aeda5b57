package linktest

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/link"
)

// talk is all that one end sends to another.
type talk struct {
	from, to  *end
	toPeer    link.Peer // as From names it
	fromPeer  link.Peer // as To names it
	messages  [link.Streams]flow
	datagrams flow
	before    int // events of To
}

// talksWith returns what a client and the host send to each other from now on.
func talksWith(p *party, c *end) (up, down *talk) {
	return newTalk(c, p.Host(), link.HostPeer, c.Peer()), newTalk(p.Host(), c, c.Peer(), link.HostPeer)
}

func newTalk(from, to *end, toPeer, fromPeer link.Peer) *talk {
	t := &talk{from: from, to: to, toPeer: toPeer, fromPeer: fromPeer, before: to.Seen().Count()}
	name := func(what string) string { return fmt.Sprintf("%s from %s to %s", what, from.Name(), to.Name()) }
	first := 1_000_000 * (1 + int(t.fromPeer)*2)
	if from.Name() != hostName {
		first += 500_000
	}
	for s := range t.messages {
		first += 100_000
		t.messages[s] = flow{name: name("messages on " + link.Stream(s).String()), first: first}
	}
	t.datagrams = flow{name: name("datagrams"), first: first + 100_000}
	return t
}

// Say sends a message.
func (t *talk) Say(s link.Stream, size int) {
	if err := t.from.Message(t.toPeer, s, t.messages[s].Next(size)); err != nil {
		t.from.Fatalf("message of %d bytes on %v: %v", size, s, err)
	}
}

// Throw sends a datagram.
func (t *talk) Throw(size int) {
	if err := t.from.Datagram(t.toPeer, t.datagrams.Next(size)); err != nil {
		t.from.Fatalf("datagram of %d bytes: %v", size, err)
	}
}

// Ends returns the two ends.
func (t *talk) Ends() (from, to *end) { return t.from, t.to }

// Peers returns the names that the other ends have for them.
func (t *talk) Peers() (from, to link.Peer) { return t.fromPeer, t.toPeer }

// Heard returns what arrived of a stream.
func (t *talk) Heard(s link.Stream) [][]byte {
	return t.heard(func(ev link.Event) bool { return ev.Kind == link.Message && ev.Stream == s })
}

// Caught returns the datagrams that arrived.
func (t *talk) Caught() [][]byte {
	return t.heard(func(ev link.Event) bool { return ev.Kind == link.Datagram })
}

func (t *talk) heard(counts func(ev link.Event) bool) (all [][]byte) {
	for _, ev := range t.to.Seen().Since(t.before) {
		if ev.Peer == t.fromPeer && counts(ev) {
			all = append(all, ev.Data)
		}
	}
	return all
}

// Once says what is wrong unless each datagram that arrived was sent, and arrived once.
func (t *talk) Once() (wrong string, inOrder bool) { return t.datagrams.onceEach(t.Caught()) }

// String names the datagrams in failures.
func (t *talk) String() string { return t.datagrams.Name() }

// Arrived reports whether as many messages arrived as were sent.
func (t *talk) Arrived() bool {
	for s := range t.messages {
		if len(t.Heard(link.Stream(s))) < t.messages[s].Sent() {
			return false
		}
	}
	return true
}

// Check fails for each flow in which not all arrived as it was sent.
func (t *talk) Check() {
	t.CheckMessages()
	wrong, _ := t.Once()
	t.check(wrong)
}

// CheckMessages is Check without datagrams.
func (t *talk) CheckMessages() { t.compare(true) }

// CheckPrefix is CheckMessages for a connection that was closed: the last messages may be
// missing.
func (t *talk) CheckPrefix() { t.compare(false) }

func (t *talk) compare(all bool) {
	for s := range t.messages {
		t.check(t.messages[s].compare(t.Heard(link.Stream(s)), all))
	}
}

func (t *talk) check(wrong string) {
	if wrong != "" {
		t.to.Errorf("%s", wrong)
	}
}

// arrive waits until all messages of talks have arrived, and checks them.
func arrive(p *party, talks ...*talk) {
	wait(p, talks)
	for _, t := range talks {
		t.Check()
	}
}

// wait waits for all messages of talks. When some do not arrive, Check says more about
// what came than a wait in vain does.
func wait(p *party, talks []*talk) {
	arrived := func() bool {
		return !slices.ContainsFunc(talks, func(t *talk) bool { return !t.Arrived() })
	}
	if !p.stepUntil(arrived) && p.missesPolls(arrived) {
		p.Errorf("waited %v in vain for messages; %s", patience, missedPolls)
	}
	p.Run(linger)
}
