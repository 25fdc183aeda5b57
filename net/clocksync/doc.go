// Package clocksync estimates the host's clock at a client, and how far ahead
// of it the client should simulate.
//
// The main type is [Clock]. The client sends a ping with its own time, the host
// answers with its time, and the client hands both to [Clock.Sample] together
// with the moment the answer came. From many such samples the clock answers two
// questions, at any moment:
//
//   - [Clock.HostTime]: what time is it at the host now?
//   - [Clock.Present]: which time should this client simulate now, so that its
//     input reaches the host when the host simulates that same time?
//
// Once inputs have come at the host, it says how early each was, and
// [Clock.InputArrived] takes that in: from then on the lead follows what is said, not
// half of a round trip.
//
// How it is used:
//
//	clock := clocksync.New(clocksync.Options{Tick: time.Second / 60})
//	...
//	// a pong came back: it echoes when the ping was sent, and carries the host's time
//	clock.Sample(pong.LastInputSeq, pong.HostTime, now)
//	...
//	clock.InputArrived(report.Input, report.Early) // what the host says of an input
//	...
//	if clock.Synced() {
//		tick := world.Tick(clock.Present(now) / tickLength) // simulate up to here
//		draw(clock.HostTime(now) - backTime)                // others, drawn in the past
//	}
//
// # How the estimate is made
//
// One ping that left at Tc and was answered with Ts after Tt gives the offset
// (Ts - Tt/2) - Tc, as in the article on a rigid ball over a network (document
// 1 of the project's sources). It is exact when both ways took equally long, and
// never off by more than Tt/2. A sample with a short round trip is therefore
// worth more than one with a long round trip, as in the clock filter of NTP
// (RFC 5905, section 10). Hindcast keeps the last samples, averages the offsets
// of the quarter with the shortest round trips, and fits a line through them to
// follow clocks that run at different speeds, as far as that line stands out of
// the noise.
//
// A sample bounds the offset strictly: the host read its clock between Tc and
// Tc + Tt. A sample whose bounds contradict those of the others is put aside;
// three in a row show that the host's clock changed (a pause, a restored match,
// a slow machine), and the older samples are forgotten.
//
// # What is promised
//
// HostTime and Present never decrease. They follow the estimate by running at
// most 2 % faster or slower than the client's own clock. Only an error beyond
// JumpLimit is not slewed: forwards the time jumps, backwards it stands still
// until the host has caught up; both are counted. Where inputs come late, Present
// jumps, counted too; where they come early the lead shrinks with 2 % of the time.
//
// Why Present is HostTime plus the median one-way trip, at first, and then what
// makes the median input come Margin early: half of the inputs
// arrive a little early and wait for their tick; half arrive a little late and
// are rewound, which is what the host is good at. Leading by more would make
// everybody wait for the slowest packet; a Margin below 0 leaves more to the
// host. On a line whose two ways differ,
// HostTime is wrong by half the difference, but Present isn't: the same half is
// missing from the trip, and the two errors cancel.
//
// A report is about an input that was sent with the lead of that time. So reports
// about inputs of before a change of the lead are not looked at, and after
// shrinking none makes it shrink again until it has.
//
// # What it leaves out
//
// It sends nothing and reads no clock: every time is a parameter. It doesn't
// match pings with pongs, and doesn't know ticks; the caller does. It adds no
// room for jitter to the lead beyond the margin that it is told.
package clocksync
