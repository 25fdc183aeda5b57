package runtime

import "github.com/hindcast/hindcast/net/wire"

// BundleCache keeps bundles from one run of a client to the next. It may
// forget any of them at any time, and need not be right: a client checks the
// hash of what it is given.
type BundleCache interface {
	// Load is the bundle of a hash as Encode wrote it; nil if it is not there.
	Load(h Hash) []byte
	// Store keeps a copy of a bundle, of which h is the hash.
	Store(h Hash, encoded []byte)
}

// fromCache puts a bundle in that this machine has kept, and reports whether
// it could: what has another hash, or does not compile here, is asked for.
func (c *Client) fromCache(h Hash) bool {
	if c.cfg.Cache == nil {
		return false
	}
	data := c.cfg.Cache.Load(h)
	if data == nil || HashOf(data) != h {
		return false
	}
	if err := c.put(h, data); err != nil {
		c.log.Warn("a bundle that was kept cannot be used: asking the host", "bundle", h.String(), "error", err.Error())
		return false
	}
	c.stats.cached++
	return true
}

// keep gives what came to the cache.
func (c *Client) keep(h Hash, data []byte) {
	if c.cfg.Cache != nil {
		c.cfg.Cache.Store(h, data)
	}
}

// want asks the host for a bundle.
func (c *Client) want(h Hash) error {
	return c.control(wire.AppendBundleWant(nil, &wire.BundleWant{Hash: h}))
}
