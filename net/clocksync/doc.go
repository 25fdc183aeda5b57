// Package clocksync estimates at a client what time it is at the host, and how far ahead
// of that time the client should simulate.
//
// The main type is [Clock]. The client sends a ping with its own time, the host answers
// with its time, and the client passes both to [Clock.Sample] with the time at which the
// answer arrived. From many samples the clock answers two questions at any moment:
//
//   - [Clock.HostTime]: what time is it at the host?
//   - [Clock.Present]: which time should this client simulate now, so that its inputs reach
//     the host when the host simulates that time?
//
// [Clock.When] turns the second around: when is it time to simulate the next tick?
//
// Present is HostTime plus the lead. At first the lead is the median one-way trip, half of
// a round trip. When the host reports how early inputs arrived, [Clock.InputArrived] takes
// that in, and the lead follows the reports.
//
// For example:
//
//	clock := clocksync.New(clocksync.Options{Tick: time.Second / 60})
//	...
//	// a pong arrived: it returns the time of the ping, and has the host's time
//	clock.Sample(pong.Sent, pong.Host, now)
//	...
//	clock.InputArrived(report.Input, report.Early) // a report of the host
//	...
//	if clock.Synced() {
//		tick := world.Tick(clock.Present(now) / tickLength) // simulate up to this tick
//		draw(clock.HostTime(now) - delay)                   // other objects, in the past
//	}
//
// # The estimate
//
// A ping that was sent at Tc and answered with Ts after Tt gives the offset
// (Ts - Tt/2) - Tc. It is exact if both directions took equally long, and its error is at
// most Tt/2. So a sample with a short round trip is worth more than one with a long round
// trip, as in the clock filter of NTP (RFC 5905, section 10). The clock keeps the latest
// samples, averages the offsets of the quarter with the shortest round trips, and fits a
// line to follow clocks that run at different speeds, as far as its slope is significant.
//
// A sample also bounds the offset: the host read its clock between Tc and Tc + Tt. A
// sample whose bounds contradict those of the others is an outlier and put aside. Three
// outliers in a row show that the host's clock was changed (a pause, a restored match, a
// slow machine): then the older samples are forgotten.
//
// The offset is that of "How I synchronized a simple rigidbody across network players with UE4"
// (Gamieon, 2014). There one sample sets it for good.
//
// # Guarantees
//
// HostTime and Present never decrease. They follow the estimate by running at most 2 %
// faster or slower than the client's clock. An error beyond Options.JumpLimit is not
// slewed: HostTime jumps forwards, or stands still until the host has caught up. Both are
// counted. If inputs come late, the lead grows at once and Present jumps, which is counted,
// too. If they come early, the lead shrinks by at most 2 % of the time that passes, unless it is too long by more than
// Options.JumpLimit, as after a host was slow for a while: then Present stands still.
//
// # The lead
//
// The lead makes the median input arrive Options.Margin before it is due. With a Margin of
// 0, half of the inputs arrive a little early and wait for their tick. The other half
// arrive a little late, and the host rewinds for them at little cost. A longer lead would make
// everybody wait for the slowest packet; a negative Margin leaves more to the host. If the
// two directions of a line differ, HostTime is wrong by half of the difference, but Present
// is not: the trip has the opposite error.
//
// A report is about an input that was sent with the lead of its time. So reports about
// inputs from before a change of the lead are ignored, and while the lead shrinks no report
// makes it shrink further.
//
// # Concurrency
//
// A Clock serves one goroutine at a time. Clocks have nothing in common.
//
// # Not in this package
//
// A Clock sends nothing and reads no clock: every time is a parameter. It does not match
// pings with pongs and knows no ticks. It adds no room for jitter to the lead other than the
// Margin.
package clocksync
