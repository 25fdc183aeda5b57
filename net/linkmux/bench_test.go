package linkmux

import (
	"fmt"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
)

// BenchmarkRooms is what a datagram in each direction costs a client's two ends: in 100
// rooms with two clients each on one link, and with all 200 clients on the same link
// without rooms.
func BenchmarkRooms(b *testing.B) {
	const rooms, each = 100, 2
	for _, shared := range []bool{false, true} {
		b.Run(fmt.Sprintf("rooms=%v", shared), func(b *testing.B) {
			b.ReportAllocs()
			network := memlink.New(1)
			hosts, poll := []link.Link{network.Host()}, func(time.Duration) {}
			if shared {
				mux := New(network.Host(), Options{MaxWaiting: rooms * each})
				hosts, poll = nil, mux.Poll
				for i := range rooms {
					hosts = append(hosts, open(b, mux, fmt.Sprint(i)))
				}
			}
			var clients []link.Link
			for i := range rooms * each {
				c := link.Link(network.Dial(memlink.Off(), memlink.Off()))
				if shared {
					c = Join(c, fmt.Sprint(i/each))
				}
				clients = append(clients, c)
			}
			got := 0
			step := benchStep(hosts, clients, poll, &got)
			for range 10 {
				step() // opens
			}
			got = 0
			b.ResetTimer()
			for range b.N {
				step()
			}
			if b.N > 10 && got < b.N*rooms*each {
				b.Fatalf("%d datagrams arrived in %d rounds", got, b.N)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(rooms*each), "ns/client")
		})
	}
}

// benchStep returns a function that lets every client send a datagram and every host
// answer it.
func benchStep(hosts, clients []link.Link, poll func(now time.Duration), got *int) func() {
	now, data := time.Duration(0), make([]byte, 60)
	return func() {
		now += 16 * ms
		for _, c := range clients {
			c.Poll(now, func(link.Event) {})
			_ = c.SendDatagram(now, 1, data) // not open yet
		}
		poll(now)
		for _, h := range hosts {
			h.Poll(now, func(ev link.Event) {
				if ev.Kind == link.Datagram {
					*got++
					_ = h.SendDatagram(now, ev.Peer, ev.Data) // it may have left
				}
			})
		}
	}
}
