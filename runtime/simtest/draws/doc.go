// Package draws decides what the tests of all packages draw at random, and how
// much of it. Only tests import it.
//
// A plain "go test" draws from fixed seeds, so that every run is the same run,
// and plays few matches. Two environment variables change that. They are
// variables, not flags, because a flag fails the packages that lack it and
// "go test ./..." has such packages:
//
//	HINDCAST_TEST_FULL=1      tests run in full: more cases, longer matches
//	HINDCAST_TEST_SEED=N      after the fixed draws, as many more from seed N
//	HINDCAST_TEST_SEED=fresh  the same with a seed that nobody has seen before
//
// A fresh seed is printed to standard error. With N in the place of "fresh" the
// run is repeated. Add -count=1, or go may show the cached result of an earlier
// fresh seed.
//
// A test that draws cases calls Check. A test that also counts whether its
// cases contained what it is about calls Until, which draws further cases until
// they did. A test with a generator of its own calls Seeds.
//
// The flags of rapid work as usual: -rapid.seed replaces the fixed seed, and
// -rapid.checks the number of cases.
//
// A third variable is for .ci/cpus, which compares golden hashes under emulators:
//
//	HINDCAST_TEST_UNCHECKED=1  the standard scenes of world/physics run without asserts
//
// The asserts read the state and never change it, so the hashes are the same. A run on
// the machine itself has compared the same scenes with asserts.
//
// A test binary that imports the package collects garbage less often than usual, unless
// GOGC is set, as long as its heap is small: from 512 MB on it collects as often as that
// takes, unless GOMEMLIMIT is set.
package draws
