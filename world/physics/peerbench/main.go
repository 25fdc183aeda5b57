// Command peerbench times world/physics next to two other engines in Go, on
// the same scenes, in the same minute:
//
//	cd world/physics/peerbench && go run .
//
// They are github.com/jakecoffman/cp (a Go Chipmunk) and
// github.com/ByteArena/box2d (a Go Box2D 2.3). The folder is a module of its
// own, so that nobody who uses Hindcast inherits them, and "go test ./..." at
// the top does not enter it.
//
// # What is compared
//
// Every engine is given the same bodies: shapes, masses, places, speeds,
// gravity, damping, friction and restitution, all bodies kept awake. A scene is
// built in each engine and stepped past its beginning; then the engines take
// turns of a few steps, each round beginning with another one. That is done for
// several builds. Ratios are taken within a round, and the table has the
// medians over all rounds, so a noisy machine blurs the times more than the
// ratios.
//
// Steps are of 1/60 s. Iterations are each engine's usual ones: ours 4
// sub-steps, each of which visits a contact twice; cp 10 iterations; Box2D
// 8 for the velocities and 3 for the positions. All three keep impulses for
// the next step. Ours and Box2D keep fast bodies from passing through walls;
// cp cannot. cp's slop is set to ours and Box2D's, 5 mm.
//
// The share of bodies that touch another, or nearly, is printed for each
// engine: if they differ much, the engines were not asked the same.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
)

func main() {
	builds := flag.Int("builds", 5, "how often each scene is built; ten rounds follow each time")
	steps := flag.Int("steps", 6, "steps of an engine in a round")
	only := flag.String("scene", "", "regular expression: only scenes with such names")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil || *builds < 1 || *steps < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "peerbench: -builds and -steps are 1 or more, -scene is a regular expression")
		os.Exit(2)
	}
	fmt.Print(header)
	var results []result
	for _, sc := range scenes() {
		if pattern.MatchString(sc.name) {
			r := compare(sc, *builds, *steps)
			fmt.Print(r.row())
			results = append(results, r)
		}
	}
	fmt.Println()
	for _, line := range goals(results) {
		fmt.Println(line)
	}
}
