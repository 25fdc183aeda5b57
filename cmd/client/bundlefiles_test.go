package main

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
)

func TestBundleFiles(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var said strings.Builder
	cache := openBundles(slog.New(slog.NewTextHandler(&said, nil))).(bundleFiles)
	data := []byte("a bundle")
	h := bundle.HashOf(data)
	if got := cache.Load(h); got != nil {
		t.Errorf("an empty cache gives %q", got)
	}
	cache.Store(h, data)
	if want := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "hindcast", "bundles"); filepath.Dir(cache.path(h)) != want {
		t.Errorf("kept in %s, want %s", cache.path(h), want)
	}
	if got := cache.Load(h); !bytes.Equal(got, data) {
		t.Errorf("gives %q", got)
	}
	for name, damage := range map[string][]byte{"other": []byte("a bundlf"), "cut": data[:3], "longer": append(data, 0), "huge": make([]byte, bundle.MaxSize+1)} {
		if err := os.WriteFile(cache.path(h), damage, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := cache.Load(h); got != nil {
			t.Errorf("%s: a damaged file gives %d bytes", name, len(got))
		}
		if _, err := os.Stat(cache.path(h)); !os.IsNotExist(err) {
			t.Errorf("%s: a damaged file stays (%v)", name, err)
		}
		aside := filepath.Join(cache.dir, "damaged-"+filepath.Base(cache.path(h)))
		if kept, err := os.ReadFile(aside); err != nil || !bytes.Equal(kept, damage) || !strings.Contains(said.String(), cache.path(h)) {
			t.Errorf("%s: set aside are %d bytes, %v; said was %s", name, len(kept), err, said.String())
		}
		cache.Store(h, data)
		if got := cache.Load(h); !bytes.Equal(got, data) {
			t.Errorf("%s: replaced, it gives %q", name, got)
		}
	}
}

// TestBundleFilesMakeRoom: the bundle that has not been used for the longest time is
// removed first.
func TestBundleFilesMakeRoom(t *testing.T) {
	cache := bundleFiles{&hashFiles{dir: t.TempDir(), largest: 100, most: 250, log: slog.New(slog.DiscardHandler)}}
	var hashes []bundle.Hash
	for i := range 3 {
		data := bytes.Repeat([]byte{byte(i)}, 100)
		h := bundle.HashOf(data)
		hashes = append(hashes, h)
		if i == 2 {
			cache.Load(hashes[0]) // used, and so younger than the second
		}
		cache.Store(h, data)
		past := time.Now().Add(time.Duration(i-10) * time.Hour)
		if i < 2 {
			if err := os.Chtimes(cache.path(h), past, past); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, want := range []bool{true, false, true} {
		if got := cache.Load(hashes[i]) != nil; got != want {
			t.Errorf("bundle %d is there: %v, want %v", i, got, want)
		}
	}
}

// TestBundleFilesWithoutAFolder: if the folder cannot be written, no bundle is kept.
func TestBundleFilesWithoutAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cache := bundleFiles{&hashFiles{dir: filepath.Join(file, "bundles"), largest: 100, most: 100, log: slog.New(slog.DiscardHandler)}}
	h := bundle.HashOf([]byte("x"))
	cache.Store(h, []byte("x"))
	if got := cache.Load(h); got != nil {
		t.Errorf("gives %q", got)
	}
}

// fullFile is a new file on a disk with room for some bytes.
type fullFile struct {
	*os.File
	room   int
	silent bool
}

var errFull = errors.New("no space left on device")

func (f *fullFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b[:min(len(b), f.room)])
	if err == nil && n < len(b) && !f.silent {
		err = errFull
	}
	return n, err
}

// TestNothingHalfWrittenIsKept: a write that fails or is short leaves what was there under the name, and no other file.
func TestNothingHalfWrittenIsKept(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "name")
	if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, silent := range []bool{false, true} {
		f, err := os.CreateTemp(dir, "new-*")
		if err != nil {
			t.Fatal(err)
		}
		want := errFull
		if silent {
			want = io.ErrShortWrite
		}
		if err := keep(&fullFile{File: f, room: 3, silent: silent}, []byte("after"), name); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		left, err := os.ReadDir(dir)
		if got, _ := os.ReadFile(name); string(got) != "before" || err != nil || len(left) != 1 {
			t.Errorf("%d files are left, %v, and the old one has %q", len(left), err, got)
		}
	}
}

// TestCacheWritesNothingOutside: what a host sends decides the content of files, and only its hash their names. A link
// under the name of a hash is not followed, and no file replaces what it leads to.
func TestCacheWritesNothingOutside(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	if err := os.WriteFile(outside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	cache := bundleFiles{&hashFiles{dir: filepath.Join(dir, "cache"), largest: 100, most: 1000, log: slog.New(slog.DiscardHandler)}}
	for _, text := range []string{"../outside", "/etc/passwd", "..", "\x00", "a bundle"} {
		h := bundle.HashOf([]byte(text))
		cache.Store(h, []byte(text))
		if got := cache.Load(h); string(got) != text {
			t.Errorf("%q comes back as %q", text, got)
		}
		if err := os.Remove(cache.path(h)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, cache.path(h)); err != nil {
			t.Skip(err)
		}
		if got := cache.Load(h); got != nil {
			t.Errorf("a link gives %q", got)
		}
		cache.Store(h, []byte(text))
	}
	entries, err := os.ReadDir(dir)
	if got, _ := os.ReadFile(outside); string(got) != "mine" || err != nil || len(entries) != 2 {
		t.Errorf("outside are %d entries, %v, and the file has %q", len(entries), err, got)
	}
	if files, err := os.ReadDir(cache.dir); err != nil || len(files) != 5 {
		t.Errorf("%d files are kept, %v", len(files), err)
	}
}
