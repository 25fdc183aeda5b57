// Package bundle defines what a host and its clients must agree on: the scripts of a
// game, the settings of its level and the rules of the netcode.
//
// A host announces a [Bundle] by its [Hash]. A client that lacks it asks for its
// bytes, or loads them from a [Cache], and checks them:
//
//	b, err := bundle.Parse(data)           // ErrInvalid, with the setting at fault
//	script, err := compile(b.Files, b.Setup)
//
// A room can switch to another bundle while it runs. [FixedChange] finds a setting
// that must not differ then, [ChangedFiles] names the scripts that differ.
//
// The bytes of a bundle are its JSON encoding, and its hash is the SHA-256 of these
// bytes. Do not rename a field without keeping its JSON name: the hash of every
// bundle would change.
//
// # Concurrency
//
// A Bundle that does not change any more may be shared; functions of this package do not
// change their arguments. A client calls its Cache from its own goroutine.
package bundle
