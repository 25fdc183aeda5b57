package memlink_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
)

// A client talks to a host over a bad line, in virtual time.
func Example() {
	network := memlink.New(1)
	host := network.Host()
	client := network.Dial(memlink.Bad(), memlink.Bad())

	for now := time.Duration(0); now < 2*time.Second; now += 10 * time.Millisecond {
		host.Poll(now, func(ev link.Event) {
			if ev.Kind == link.Message {
				fmt.Printf("host got %q\n", ev.Data)
				host.SendMessage(now, ev.Peer, link.Control, []byte("welcome"))
			}
		})
		client.Poll(now, func(ev link.Event) {
			switch ev.Kind {
			case link.Opened:
				client.SendMessage(now, ev.Peer, link.Control, []byte("hello"))
			case link.Message:
				fmt.Printf("client got %q\n", ev.Data)
			}
		})
	}
	// Output:
	// host got "hello"
	// client got "welcome"
}

// A profile is a name or a list, as in the flag -net of the client.
func ExampleParseProfile() {
	p, err := memlink.ParseProfile("delay=80ms,jitter=20ms,loss=5%")
	fmt.Println(p, err)
	p, err = memlink.ParseProfile("average")
	fmt.Println(p.Delay, p.Loss, err)
	_, err = memlink.ParseProfile("delay=80")
	fmt.Println(err)
	// Output:
	// delay=80ms,jitter=20ms,loss=5% <nil>
	// 45ms 0.01 <nil>
	// bad network profile: "delay=80": want a time from 0s to 1m in whole microseconds, such as 80ms
}

// A Shaper delays packets on its own, without a Network.
func ExampleShaper() {
	s := memlink.NewShaper(memlink.Profile{Delay: 50 * time.Millisecond}, 1)
	s.Push(0, []byte("one"))
	s.Push(10*time.Millisecond, []byte("two"))
	for now := time.Duration(0); now <= 100*time.Millisecond; now += 20 * time.Millisecond {
		for b, ok := s.Pop(now); ok; b, ok = s.Pop(now) {
			fmt.Printf("%v: %s\n", now, b)
		}
	}
	// Output:
	// 60ms: one
	// 60ms: two
}
