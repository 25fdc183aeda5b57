package linktest

import (
	"github.com/hindcast/hindcast/net/link"
)

var badLineCases = []testCase{
	{"messages arrive in order on a bad line", needsBadLines, messagesOnABadLine, false},
	{"datagrams arrive at most once on a bad line", needsBadLines, datagramsOnABadLine, false},
	{"close reaches the other end of a bad line", needsBadLines, closeOnABadLine, false},
}

func messagesOnABadLine(p *party) {
	c := p.OpenBad()
	up, down := talksWith(p, c)
	sizes := []int{5, 300, 1100, 2500, 40, 9000}
	for n := range 48 {
		for s := range link.Stream(link.Streams) {
			up.Say(s, sizes[n%len(sizes)])
			down.Say(s, sizes[n%len(sizes)])
		}
		p.Step()
	}
	arrive(p, up, down)
}

// datagramsOnABadLine fails if the line is a good one, on which the case shows nothing.
func datagramsOnABadLine(p *party) {
	c := p.OpenBad()
	up, down := talksWith(p, c)
	const count = 200
	for n := range count {
		up.Throw(20 + n)
		down.Throw(20 + n)
		p.Step()
	}
	p.Run(5 * linger)
	lost, overtaken := 0, 0
	for _, t := range []*talk{up, down} {
		wrong, inOrder := t.Once()
		if wrong != "" {
			p.Fatalf("%s", wrong)
		}
		got := len(t.Caught())
		lost += count - got
		if !inOrder {
			overtaken++
		}
		if got < count/2 {
			p.Errorf(
				"%s: only %d of %d arrived; a link sends each datagram at once, and the line is to lose about a tenth",
				t, got, count)
		}
	}
	if lost == 0 || overtaken == 0 {
		p.Errorf(
			"the line of Network.DialBad is not bad: of %d datagrams it lost %d, and it reordered those of %d "+
				"directions of 2. "+
				"Either the line is too good for this case, or the link repeats and orders "+
				"datagrams, which it is not to do",
			2*count,
			lost,
			overtaken,
		)
	}
}

func closeOnABadLine(p *party) {
	for range 3 {
		c := p.OpenBad()
		_, down := talksWith(p, c)
		down.Say(link.Control, 50)
		p.Host().Close(c.Peer(), "enough")
		if got := untilClosed(p, c, link.HostPeer); got == "" {
			p.Errorf("%s: Closed has no reason", c.Name())
		}
		down.CheckPrefix()
	}
}
