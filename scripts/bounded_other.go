//go:build !unix

package scripts

// nonBlocking is nothing: there are no pipes among files.
const nonBlocking = 0
