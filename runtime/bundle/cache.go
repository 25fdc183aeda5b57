package bundle

// Cache keeps bundles from one run of a client to the next. It may forget a bundle at
// any time and may return wrong bytes, because the client checks their hash. The client
// calls it from its own goroutine.
type Cache interface {
	// Load returns the bytes of the bundle with hash h, nil if it is not kept.
	Load(h Hash) []byte
	// Store keeps a copy of the bytes of the bundle with hash h.
	Store(h Hash, encoded []byte)
}
