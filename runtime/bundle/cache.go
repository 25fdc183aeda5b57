package bundle

// Cache keeps bundles from one run of a client to the next. It may
// forget any of them at any time, and need not be right: a client checks the
// hash of what it is given.
type Cache interface {
	// Load is the bundle of a hash as Encode wrote it; nil if it is not there.
	Load(h Hash) []byte
	// Store keeps a copy of a bundle, of which h is the hash.
	Store(h Hash, encoded []byte)
}
