package main

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hindcast/hindcast/cmd/host/newgame"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/scripts"
)

// assetBytes is how much the assets on the disk may take.
const assetBytes = 128 << 20

// gallery has the assets of the game that a player plays, and serves them to the page. It is an
// asset.Receiver. The game's goroutine fills it, browsers read it.
type gallery struct {
	files *hashFiles // nil: nothing is kept on the disk
	show  func(list []pageAsset)

	mu   sync.Mutex
	list *asset.Manifest
	have map[asset.Hash][]byte // of the list
}

// pageAsset is an asset that has arrived, for the page.
type pageAsset struct {
	Name string `json:"name"`
	URL  string `json:"url"` // relative to the page; another content has another one
}

// newGallery returns a gallery that calls show with the files that are there, each time that changes.
func newGallery(show func(list []pageAsset), log *slog.Logger) *gallery {
	return &gallery{
		files: openCache("assets", asset.MaxFile, assetBytes, log),
		show:  show,
		list:  &asset.Manifest{},
		have:  map[asset.Hash][]byte{},
	}
}

// Load reads a file or a manifest from the disk.
func (g *gallery) Load(h asset.Hash) []byte {
	if g.files == nil {
		return nil
	}
	return g.files.load(h)
}

// Store writes a file or a manifest to the disk.
func (g *gallery) Store(h asset.Hash, data []byte) {
	if g.files != nil {
		g.files.store(h, data)
	}
}

// Announced takes the list of the assets. Files that are no longer in it are forgotten.
func (g *gallery) Announced(m *asset.Manifest) {
	g.change(func() {
		kept := map[asset.Hash][]byte{}
		for _, f := range m.Files {
			if data, ok := g.have[f.Hash]; ok {
				kept[f.Hash] = data
			}
		}
		g.list, g.have = m, kept
	})
}

// Arrived takes a file of the list.
func (g *gallery) Arrived(f asset.File, data []byte) {
	g.change(func() { g.have[f.Hash] = data })
}

// folder returns the files that are there, with their names in the folder of a game.
func (g *gallery) folder() (files []newgame.File) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range g.list.Files {
		if data, ok := g.have[f.Hash]; ok {
			files = append(files, newgame.File{Path: scripts.AssetFolder + "/" + f.Name, Data: data})
		}
	}
	return files
}

// change changes the content, and shows what is there.
func (g *gallery) change(how func()) {
	g.mu.Lock()
	how()
	shown := []pageAsset{}
	for _, f := range g.list.Files {
		if _, ok := g.have[f.Hash]; ok {
			shown = append(shown, pageAsset{
				Name: f.Name,
				URL:  "asset/" + f.Hash.String() + "." + asset.KindOf(f.Name).String(),
			})
		}
	}
	g.mu.Unlock()
	g.show(shown)
}

// blob returns the content of a file that the page names by its hash and its kind.
func (g *gallery) blob(name string) (data []byte, kind asset.Kind) {
	hash, ext, _ := strings.Cut(name, ".")
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range g.list.Files {
		if k := asset.KindOf(f.Name); f.Hash.String() == hash && k.String() == ext {
			return g.have[f.Hash], k
		}
	}
	return nil, 0
}

// ServeHTTP serves the file whose hash and kind the path names. Its content cannot change, so a browser
// asks once. Nothing in it runs, also when it is opened by itself: no script, no other file.
func (g *gallery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, kind := g.blob(r.PathValue("name"))
	if data == nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kind.MIME())
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}
