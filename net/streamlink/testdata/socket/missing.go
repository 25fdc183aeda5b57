//go:build !js

package socket

// missing reports whether there are no WebSockets: programs bring their own.
func missing() bool { return false }
