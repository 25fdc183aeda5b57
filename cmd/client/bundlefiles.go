package main

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
)

// bundleBytes is how much the bundles on the disk may take.
const bundleBytes = 64 << 20

// bundleFiles is a bundle.Cache: it keeps bundles in a folder, each in a file
// named by its hash. If it fails, the client asks the host instead.
type bundleFiles struct {
	dir  string
	most int64 // bytes
	log  *slog.Logger
}

// openBundles returns the user's folder of bundles: hindcast/bundles under
// XDG_CACHE_HOME, or in the system's folder for caches. It returns nil if there is
// no such folder.
func openBundles(log *slog.Logger) bundle.Cache {
	base := os.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(base) { // as the XDG specification wants it
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			log.Debug("bundles are not kept", "error", err)
			return nil
		}
	}
	return &bundleFiles{dir: filepath.Join(base, "hindcast", "bundles"), most: bundleBytes, log: log}
}

func (b *bundleFiles) path(h bundle.Hash) string {
	return filepath.Join(b.dir, hex.EncodeToString(h[:]))
}

// Load reads a bundle. It removes a file whose content does not match its name.
func (b *bundleFiles) Load(h bundle.Hash) []byte {
	path := b.path(h)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	var data []byte
	if info.Size() <= bundle.MaxSize {
		if data, err = os.ReadFile(path); err != nil {
			b.log.Debug("a cached bundle cannot be read", "error", err)
			return nil
		}
	}
	if bundle.HashOf(data) != h {
		b.log.Warn("a cached bundle is damaged: asking the host", "file", path)
		_ = os.Remove(path) // or it would be found damaged again
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // used: to be removed last
	return data
}

// Store writes a bundle, as a whole or not at all, and removes others if there is
// no room for it.
func (b *bundleFiles) Store(h bundle.Hash, encoded []byte) {
	if err := b.write(h, encoded); err != nil {
		b.log.Debug("a bundle is not kept", "error", err)
		return
	}
	b.prune()
}

func (b *bundleFiles) write(h bundle.Hash, encoded []byte) error {
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(b.dir, "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(encoded)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), b.path(h))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to return
	}
	return err
}

// prune removes the bundles that were not used for longest, until the others fit.
func (b *bundleFiles) prune() {
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= b.most {
			return
		}
		if os.Remove(filepath.Join(b.dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
