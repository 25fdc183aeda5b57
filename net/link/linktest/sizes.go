package linktest

import "github.com/hindcast/hindcast/net/link"

var sizeCases = []testCase{
	{"sends that are refused", needsNothing, sendsThatAreRefused, false},
	{"the largest messages arrive", needsNothing, largestArrive, false},
}

func sendsThatAreRefused(p *party) {
	c := p.Open()
	huge := make([]byte, link.MaxBulk+1)
	for _, side := range []struct {
		*end
		peer link.Peer
	}{{p.Host(), c.Peer()}, {c, link.HostPeer}} {
		wantClosed(side.end, "to a peer that never was", 1<<40)
		wantError(side.end, "a datagram without bytes", side.Datagram(side.peer, nil), link.ErrEmpty)
		wantError(side.end, "a datagram of MaxDatagram+1 bytes",
			side.Datagram(side.peer, huge[:link.MaxDatagram+1]), link.ErrTooLarge)
		for s := range link.Stream(link.Streams) {
			on := " on " + s.String()
			wantError(side.end, "a message without bytes"+on, side.Message(side.peer, s, nil), link.ErrEmpty)
			wantError(side.end, "a message of one byte more than MaxMessage"+on,
				side.Message(side.peer, s, huge[:s.MaxMessage()+1]), link.ErrTooLarge)
		}
		wantError(side.end, "a message on a stream that does not exist",
			side.Message(side.peer, link.Streams, []byte("x")), link.ErrTooLarge)
	}
	p.Run(linger)
	if n := p.Host().Seen().Count() + c.Seen().Count(); n != 2 {
		p.Errorf("sends that were refused had effects; %s", p.summary())
	}
	p.Must("a message of MaxBulk bytes on bulk", p.Host().Message(c.Peer(), link.Bulk, huge[:link.MaxBulk]))
}

// largestArrive: the largest of a host's messages on bulk would take a paced link minutes, so a
// smaller one, which control does not take, stands for them.
func largestArrive(p *party) {
	c := p.Open()
	up, down := talksWith(p, c)
	up.Say(link.Control, link.MaxControl)
	down.Say(link.Control, link.MaxControl)
	up.Say(link.Bulk, link.MaxControl+1)
	down.Say(link.Bulk, link.MaxControl+1)
	arrive(p, up, down)
}
