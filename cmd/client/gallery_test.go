package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/cmd/host/newgame"
	"github.com/hindcast/hindcast/runtime/asset"
)

// drawing returns an svg whose bytes differ by its size.
func drawing(size int) []byte {
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"/>`, size, size)
}

// hung is a gallery with what it shows.
type hung struct {
	*gallery
	shown []string // names
	urls  map[string]string
}

func newHung(t *testing.T) *hung {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	h := &hung{}
	h.gallery = newGallery(func(list []pageAsset) {
		h.shown, h.urls = nil, map[string]string{}
		for _, a := range list {
			h.shown = append(h.shown, a.Name)
			h.urls[a.Name] = a.URL
		}
	}, slog.New(slog.DiscardHandler))
	return h
}

// get asks for an address as a browser does.
func (h *hung) get(address string) *httptest.ResponseRecorder {
	mux := http.NewServeMux()
	mux.Handle("GET /asset/{name}", h.gallery)
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/"+address, nil))
	return answer
}

func listed(t *testing.T, files map[string][]byte) *asset.Set {
	t.Helper()
	set, err := asset.NewSet(files)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestGalleryShowsWhatHasArrived: the page shows the files that are there, the address of a file changes with its
// content, and files that the newest list does not have are served no more.
func TestGalleryShowsWhatHasArrived(t *testing.T) {
	h := newHung(t)
	sound := append([]byte("OggS"), 1, 2, 3)
	set := listed(t, map[string][]byte{"ship.svg": drawing(1), "rock.svg": drawing(2), "hit.ogg": sound})
	arrive := func(set *asset.Set, name string) {
		f, _ := set.Manifest().Find(name)
		h.Arrived(f, set.Blob(f.Hash))
	}
	h.Announced(set.Manifest())
	if len(h.shown) != 0 {
		t.Errorf("shows %v before a file has arrived", h.shown)
	}
	arrive(set, "ship.svg")
	arrive(set, "hit.ogg")
	if want := []string{"hit.ogg", "ship.svg"}; !slices.Equal(h.shown, want) {
		t.Errorf("shows %v, want %v", h.shown, want)
	}
	was := h.urls["ship.svg"]
	for name, want := range map[string]struct {
		data []byte
		mime string
	}{"ship.svg": {drawing(1), "image/svg+xml"}, "hit.ogg": {sound, "audio/ogg"}} {
		answer := h.get(h.urls[name])
		if answer.Code != http.StatusOK || !bytes.Equal(answer.Body.Bytes(), want.data) || answer.Header().Get("Content-Type") != want.mime {
			t.Errorf("%s: %d, %q of %s", name, answer.Code, answer.Body, answer.Header().Get("Content-Type"))
		}
		if policy := answer.Header().Get("Content-Security-Policy"); policy != "sandbox; default-src 'none'" {
			t.Errorf("%s: policy %q", name, policy)
		}
	}

	changed := listed(t, map[string][]byte{"ship.svg": drawing(3), "hit.ogg": sound})
	h.Announced(changed.Manifest())
	if want := []string{"hit.ogg"}; !slices.Equal(h.shown, want) {
		t.Errorf("after a change: shows %v, want %v", h.shown, want)
	}
	if answer := h.get(was); answer.Code != http.StatusNotFound {
		t.Errorf("the content of before is still served: %d", answer.Code)
	}
	arrive(changed, "ship.svg")
	if h.urls["ship.svg"] == was || len(h.shown) != 2 {
		t.Errorf("another content has the address of before, or %v is shown", h.shown)
	}
	h.Announced(&asset.Manifest{})
	if len(h.shown) != 0 {
		t.Errorf("shows %v of a game that has none", h.shown)
	}
}

// TestGalleryServesByHashAndKindOnly: no other name has an answer, whatever else the disk has.
func TestGalleryServesByHashAndKindOnly(t *testing.T) {
	h := newHung(t)
	set := listed(t, map[string][]byte{"ship.svg": drawing(1)})
	f := set.Manifest().Files[0]
	h.Store(f.Hash, drawing(1)) // on the disk, and not announced
	hash := f.Hash.String()
	for _, name := range []string{hash + ".svg", hash, "ship.svg"} {
		if answer := h.get("asset/" + name); answer.Code != http.StatusNotFound {
			t.Errorf("before the list: %s: %d", name, answer.Code)
		}
	}
	h.Announced(set.Manifest())
	h.Arrived(f, drawing(1))
	if answer := h.get("asset/" + hash + ".svg"); answer.Code != http.StatusOK {
		t.Errorf("the file itself: %d", answer.Code)
	}
	for _, name := range []string{hash, hash + ".", hash + ".html", hash + ".png", "ship.svg", hash[:63] + ".svg", "%2e%2e%2fship.svg", hash + ".svg.html", hash + ".svg%00"} {
		if answer := h.get("asset/" + name); answer.Code != http.StatusNotFound {
			t.Errorf("%s: %d", name, answer.Code)
		}
	}
}

// TestGalleryKeepsAssetsOnTheDisk: another client of this machine finds what one has stored, and nothing that was
// damaged or that has grown beyond the limit of a file.
func TestGalleryKeepsAssetsOnTheDisk(t *testing.T) {
	h := newHung(t)
	data := drawing(1)
	hash := asset.HashOf(data)
	if got := h.Load(hash); got != nil {
		t.Errorf("an empty disk gives %q", got)
	}
	h.Store(hash, data)
	again := newGallery(nil, slog.New(slog.DiscardHandler))
	if got := again.Load(hash); !bytes.Equal(got, data) {
		t.Errorf("gives %q", got)
	}
	path := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "hindcast", "assets", hash.String())
	for what, damage := range map[string][]byte{"another content": drawing(2), "half of it": data[:9], "none": {}, "too large": make([]byte, asset.MaxFile+1)} {
		if err := os.WriteFile(path, damage, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := again.Load(hash); got != nil {
			t.Errorf("%s: gives %d bytes", what, len(got))
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s: the file stays (%v)", what, err)
		}
	}
	none := &gallery{show: func([]pageAsset) {}, list: &asset.Manifest{}} // there is no folder for caches
	none.Store(hash, data)
	if got := none.Load(hash); got != nil {
		t.Errorf("without a folder: gives %q", got)
	}
}

// TestForkedAssetsStayInTheFolder: names that the check of a manifest refuses lead out of the folder of a copy neither.
func TestForkedAssetsStayInTheFolder(t *testing.T) {
	game := []newgame.File{{Path: "game.toml", Data: []byte("api = 1\nname = \"a\"\n")}, {Path: "game.lua", Data: []byte("function tick() end\n")}}
	for _, name := range []string{"../../out.svg", "/out.svg", "ui/../../../out.svg"} {
		dir := t.TempDir()
		h := newHung(t)
		file := asset.File{Name: name, Hash: asset.HashOf(drawing(1)), Bytes: len(drawing(1))}
		h.Announced(&asset.Manifest{Files: []asset.File{file}}) // as no ParseManifest returns it
		h.Arrived(file, drawing(1))
		files := append(slices.Clone(game), h.folder()...)
		if len(files) != 3 {
			t.Fatalf("%d files", len(files))
		}
		err := newgame.Write(filepath.Join(dir, "copy"), files)
		entries, _ := os.ReadDir(dir)
		if len(entries) != 1 || entries[0].Name() != "copy" || err == nil && name != "/out.svg" {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
	}
	if err := newgame.Write(filepath.Join(t.TempDir(), "copy"), game); err != nil {
		t.Errorf("without assets: %v", err)
	}
}
