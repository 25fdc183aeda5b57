package memlink

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
)

func TestLink(t *testing.T) {
	linktest.Run(t, func(*testing.T) linktest.Network {
		n, now := New(1), time.Duration(0)
		n.Check(true)
		bad := Profile{Delay: 30 * ms, Jitter: 25 * ms, Loss: 0.1, Duplicate: 0.05, Reorder: 0.1}
		return linktest.Network{
			Host:    n.Host(),
			Dial:    func() link.Link { return n.Dial(LAN(), LAN()) },
			DialBad: func() link.Link { return n.Dial(bad, bad) },
			Cut: func(client link.Link) {
				for i := range n.Clients() {
					if client == n.Client(i) {
						n.Cut(i, true)
					}
				}
			},
			Step: func() time.Duration { now += tick; return now },
		}
	})
}
