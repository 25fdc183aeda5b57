// Package netbench measures play over bad lines: a host, its clients and the
// lines between them on virtual time (runtime/simtest), in scenes that are the
// same each time.
//
//	for _, scene := range netbench.Scenes() {
//		for _, line := range netbench.Lines() {
//			r, err := netbench.Measure(ctx, scene, line, 10*time.Minute)
//
// In a scene, a few clients predict or watch as a player's client does. Each has
// an observer, which compares what the client shows with what the host makes of
// it later. The clients of all other players send, receive and acknowledge, but
// do not simulate; to the host and its lines there is no difference. Pilots
// steer them by what the host knows. A meter counts the bytes that go over the
// lines, by part.
package netbench
