// Package simtest runs a host, its clients and the network between them in one
// goroutine, on virtual time, from one seed. A minute of play takes a few
// seconds, and the same seed plays the same match again.
//
//	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 4, Profile: memlink.Bad(),
//		Bundle: game, Compile: luabind.Compile, Controls: bots})
//	sim.Run(time.Minute)
//	sim.Drain()
//	sim.AgreeOnHashes()
//
// New makes the match, Run lets virtual time pass, Drain waits until all ticks are
// confirmed, and AgreeOnHashes fails the test unless every client confirmed the hashes
// of the host. Between these calls a test may read the Host and the Clients, change the
// profile of a connection, add and remove clients, or let one sleep.
//
// # What every match checks
//
// Host and clients run in check mode: each rewind is done again in full, and a
// difference of one bit fails the test. Options can switch that off where a
// match is large.
//
// Every match is recorded. When a test that has not failed ends, its replay is
// verified: simulated again, once with each tick run a single time and once with
// the rewinds of the host, it must have the same hashes.
//
// A failure prints the seed of the match.
//
// Nothing in a Sim reads the clock, so a match on a slow machine is the same match.
//
// # Concurrency
//
// A Sim, its Host and its Clients are for one goroutine. Parallel tests have one each.
package simtest
