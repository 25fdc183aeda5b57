// Package netbench measures play over bad lines: a host, its clients and the
// lines between them on virtual time (runtime/simtest), in scenes that are the
// same each time.
//
//	for _, scene := range netbench.Scenes() {
//		for _, line := range netbench.Lines() {
//			r, err := netbench.Measure(ctx, scene, line, 10*time.Minute)
//
// In a scene, a few clients predict or watch as a player's client does. Each has an
// observer, which compares the client's views with the final states of the host. The
// clients of all other players send, receive and acknowledge, but do not simulate; the
// host and its lines cannot tell the difference. Pilots steer them by the state of the
// host. A meter counts the bytes that go over the lines, by part.
//
// Some scenes have games of their own (games), in which all clients predict. Players steer
// by what their clients draw, and cueCounter follows the cues of all of them.
package netbench
