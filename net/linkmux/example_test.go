package linkmux_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/linkmux"
	"github.com/hindcast/hindcast/net/memlink"
)

// Two rooms on one link. A program with sockets has mux.Run in a goroutine of its own in
// the place of mux.Poll, and gives each room to a host.Host.
func Example() {
	network := memlink.New(1)
	mux := linkmux.New(network.Host(), linkmux.Options{})
	var rooms []*linkmux.Room
	for _, name := range []string{"red", "blue"} {
		room, err := mux.Open(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		rooms = append(rooms, room)
	}
	client := linkmux.Join(network.Dial(memlink.LAN(), memlink.LAN()), "blue")

	for now := time.Duration(0); now < 100*time.Millisecond; now += 5 * time.Millisecond {
		mux.Poll(now)
		for _, room := range rooms {
			room.Poll(now, func(ev link.Event) {
				fmt.Printf("room %s: %v %q\n", room.Name(), ev.Kind, ev.Data)
			})
		}
		client.Poll(now, func(ev link.Event) {
			if ev.Kind == link.Opened {
				client.SendMessage(now, ev.Peer, link.Control, []byte("hello"))
			}
		})
	}
	fmt.Printf("%+v\n", mux.Stats())
	// Output:
	// room blue: opened ""
	// room blue: message "hello"
	// {Rooms:2 Peers:1 Waiting:0 Refused:0 Dropped:0 Stalled:0}
}
