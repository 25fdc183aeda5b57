// Package asset has the pictures, sounds and fonts of a game: which files are allowed, what they
// are, and how a client knows that it has the right ones.
//
// The assets of a game are a [Set]. Its [Manifest] lists the name, the size and the SHA-256 of each
// file, and has a hash of its own. Assets are no part of a bundle, so an edited picture changes
// nothing that is simulated. A host announces the hash of the manifest. A client fetches the manifest
// and then the files by their hashes, and gives them to a [Receiver].
//
// Everything that arrives is hostile until it is checked: [ParseManifest] bounds names, sizes and the
// number of files, and [Inspect] reads the header of a file, without decoding it.
//
// # Concurrency
//
// A Set does not change, so any goroutine may read it. A Manifest and a Decoded serve one goroutine at a
// time.
//
// Not in this package: the messages (net/wire), fetching (packages host and client), reading folders (scripts),
// decoding (the page of cmd/client).
package asset
