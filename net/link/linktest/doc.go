// Package linktest has the tests that every implementation of link.Link passes. A test of
// the implementation calls [Run]:
//
//	func TestLink(t *testing.T) {
//		linktest.Run(t, func(t *testing.T) linktest.Network { ... })
//	}
//
// The network that they run on must lose nothing: what a link does about loss is for its
// own tests.
package linktest
