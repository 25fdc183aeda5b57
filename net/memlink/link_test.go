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
		return linktest.Network{
			Host: n.Host(),
			Dial: func() link.Link { return n.Dial(LAN(), LAN()) },
			Step: func() time.Duration { now += tick; return now },
		}
	})
}
