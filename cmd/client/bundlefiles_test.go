package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
)

func TestBundleFiles(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cache := openBundles(slog.New(slog.DiscardHandler)).(bundleFiles)
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
