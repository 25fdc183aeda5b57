// Package simtest runs a host, its clients and the network between them in
// one goroutine, on virtual time, from one seed. Sixty seconds of play pass
// in a few of real time, and the same seed plays the same match again.
//
//	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 4, Profile: memlink.Bad(),
//		Bundle: game, Compile: compile, Controls: bots})
//	sim.Run(time.Minute)
//	sim.Drain()
//	sim.AgreeOnHashes()
//
// Every match is recorded. When a test that went well ends, the replay is
// verified: it gives the same hashes again, or the test fails.
//
// The seed is printed when the test fails.
package simtest
