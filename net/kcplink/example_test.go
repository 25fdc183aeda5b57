package kcplink_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/link"
)

// A host and a client on one machine, each in a loop of its own goroutine in a real
// program.
func Example() {
	const protocol = 1
	host, err := kcplink.Listen("127.0.0.1:0", kcplink.Options{Protocol: protocol})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer host.Shutdown("the host stops")
	client, err := kcplink.Dial(host.LocalAddr().String(), kcplink.Options{Protocol: protocol})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Shutdown("the player leaves")

	began := time.Now()
	for done := false; !done && time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		now := time.Since(began)
		host.Poll(now, func(ev link.Event) {
			if ev.Kind == link.Message {
				fmt.Printf("host got %q\n", ev.Data)
				done = true
			}
		})
		client.Poll(now, func(ev link.Event) {
			switch ev.Kind {
			case link.Opened:
				client.SendMessage(now, ev.Peer, link.Control, []byte("hello"))
			case link.Closed:
				fmt.Println("closed:", ev.Reason)
				done = true
			}
		})
	}
	// Output: host got "hello"
}
