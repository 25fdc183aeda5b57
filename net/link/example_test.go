package link_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
)

// The loop of a host, here for a quarter of a second of virtual time.
func ExampleLink() {
	network := memlink.New(1)
	var host link.Link = network.Host()
	client := network.Dial(memlink.LAN(), memlink.LAN())

	var peers []link.Peer
	for now := time.Duration(0); now < 250*time.Millisecond; now += 10 * time.Millisecond {
		host.Poll(now, func(ev link.Event) {
			switch ev.Kind {
			case link.Opened:
				peers = append(peers, ev.Peer)
				fmt.Println(ev.Kind, ev.Peer)
			case link.Datagram:
				fmt.Printf("%v %s\n", ev.Kind, ev.Data)
			case link.Message:
				fmt.Printf("%v on %v: %s\n", ev.Kind, ev.Stream, ev.Data)
			case link.Closed:
				fmt.Println(ev.Kind, ev.Reason)
			}
		})
		for _, p := range peers {
			err := host.SendDatagram(now, p, []byte("snapshot"))
			if err != nil && !errors.Is(err, link.ErrNoPeer) { // ErrNoPeer: it has left
				fmt.Println(err)
			}
		}
		client.Poll(now, func(ev link.Event) {
			if ev.Kind == link.Opened {
				client.SendMessage(now, ev.Peer, link.Control, []byte("let me join"))
			}
		})
		if now == 100*time.Millisecond {
			client.Shutdown("player left")
		}
	}
	// Output:
	// opened 1
	// message on control: let me join
	// closed player left
}
