package clocksync_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/clocksync"
)

// The host's clock is 10 s ahead of the client's, and each direction takes 40 ms.
func Example() {
	const trip, ahead = 40 * time.Millisecond, 10 * time.Second
	clock := clocksync.New(clocksync.Options{Tick: time.Second / 60})
	now := time.Duration(0)
	for !clock.Synced() {
		sent := now
		hostTime := sent + trip + ahead // in the host's answer
		now = sent + 2*trip
		if err := clock.Sample(sent, hostTime, now); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("host time:", clock.HostTime(now)-now, "ahead of the client's clock")
	fmt.Println("simulate:", clock.Present(now)-clock.HostTime(now), "ahead of the host")
	// Output:
	// host time: 10s ahead of the client's clock
	// simulate: 40ms ahead of the host
}

// Once the host reports when inputs arrived, the lead follows the reports.
func ExampleClock_InputArrived() {
	clock := clocksync.New(clocksync.Options{})
	for i := range 5 {
		sent := time.Duration(i) * 100 * time.Millisecond
		clock.Sample(sent, sent+20*time.Millisecond, sent+40*time.Millisecond)
	}
	now := 500 * time.Millisecond
	fmt.Println("lead:", clock.Present(now)-clock.HostTime(now))
	for i := range 12 { // the line has become slower: inputs arrive 30 ms late
		input := clock.Present(now + time.Duration(i)*time.Millisecond)
		clock.InputArrived(input, -30*time.Millisecond)
	}
	now += 12 * time.Millisecond
	fmt.Println("lead:", clock.Present(now)-clock.HostTime(now))
	// Output:
	// lead: 20ms
	// lead: 50ms
}
