package asset

// Receiver gets the assets that a client has. Its methods are called within Poll of the client and
// must not call the client.
type Receiver interface {
	// Load returns the bytes of the file or manifest with a hash that was kept before, nil if there is
	// none. It may return wrong bytes, because the client checks their hash.
	Load(h Hash) []byte
	// Store keeps a file or a manifest for the next run.
	Store(h Hash, data []byte)
	// Announced gets the list of the assets of the game. Files of an earlier list with the same hash remain.
	Announced(m *Manifest)
	// Arrived gets the content of a file of the list, whose hash, size and kind were checked. The
	// receiver may keep data, and must not change it.
	Arrived(f File, data []byte)
}
