package main

import (
	"log/slog"

	"github.com/hindcast/hindcast/runtime/bundle"
)

// bundleBytes is how much the bundles on the disk may take.
const bundleBytes = 64 << 20

// bundleFiles is a bundle.Cache in a folder.
type bundleFiles struct{ *hashFiles }

// openBundles returns the user's folder of bundles, nil if there is none.
func openBundles(log *slog.Logger) bundle.Cache {
	if files := openCache("bundles", bundle.MaxSize, bundleBytes, log); files != nil {
		return bundleFiles{files}
	}
	return nil
}

// Load reads a bundle.
func (b bundleFiles) Load(h bundle.Hash) []byte { return b.load(h) }

// Store writes a bundle.
func (b bundleFiles) Store(h bundle.Hash, encoded []byte) { b.store(h, encoded) }
