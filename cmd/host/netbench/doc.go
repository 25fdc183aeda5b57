// Package netbench measures play over bad lines: a host, its clients and the
// lines between them on virtual time (runtime/simtest), in scenes that are the same
// each time.
//
//	for _, scene := range netbench.Scenes() {
//		for _, line := range netbench.Lines() {
//			r, err := netbench.Measure(ctx, scene, line, 10*time.Minute)
//
// In a scene, a few clients predict or watch as a player's does, and are measured
// (eyes.go: what they show, against what the host makes of it later). All other
// players send, receive and acknowledge, but do not simulate: to the host and its
// lines there is no difference (pilot.go steers them by what the host knows). What
// goes over the lines is counted by part (meter.go).
package netbench
