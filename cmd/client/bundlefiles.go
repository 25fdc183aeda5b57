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

// bundleBytes is how much of the disk the bundles that are kept may take.
const bundleBytes = 64 << 20

// bundleFiles keeps bundles in a folder, each in a file named by its hash: a
// bundle.Cache. What it cannot do it leaves: the host is asked instead.
type bundleFiles struct {
	dir  string
	most int64 // bytes
	log  *slog.Logger
}

// openBundles is the user's folder of bundles: hindcast/bundles under
// XDG_CACHE_HOME, or where the system keeps caches. nil when there is no such
// place.
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

// Load reads a bundle. A file that is not what its name says is removed.
func (b *bundleFiles) Load(h bundle.Hash) []byte {
	path := b.path(h)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	var data []byte
	if info.Size() <= bundle.MaxSize {
		if data, err = os.ReadFile(path); err != nil {
			b.log.Debug("a bundle that is kept cannot be read", "error", err)
			return nil
		}
	}
	if bundle.HashOf(data) != h {
		b.log.Warn("a bundle that was kept is damaged: asking the host", "file", path)
		_ = os.Remove(path) // else it is found damaged again
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // used: among the last to go
	return data
}

// Store writes a bundle, whole or not at all, and makes room for it.
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
		_ = os.Remove(f.Name()) // the first error is the one to tell
	}
	return err
}

// prune removes what was not used for longest until the rest has room.
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
