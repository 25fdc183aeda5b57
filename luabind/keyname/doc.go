// Package keyname knows the names of keys, mouse buttons, pad buttons, sticks
// and wheels that a class may bind in controls, and that the game page sends.
//
// # Concurrency
//
// The functions have no state and may be called from any goroutine.
package keyname
