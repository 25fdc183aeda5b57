package linktest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/hindcast/hindcast/net/memlink"
)

// The test of a link, here of the one in memory on virtual time. Lines that lose packets
// are lines of another profile.
func ExampleRun() {
	test := func(t *testing.T) {
		linktest.Run(t, func(t *testing.T) linktest.Network {
			network, now := memlink.New(1), time.Duration(0)
			return linktest.Network{
				Host:    network.Host(),
				Dial:    func() link.Link { return network.Dial(memlink.LAN(), memlink.LAN()) },
				DialBad: func() link.Link { return network.Dial(memlink.Awful(), memlink.Awful()) },
				Step:    func() time.Duration { now += 5 * time.Millisecond; return now },
			}
		})
	}
	_ = test // is func TestLink in a file of tests
}
