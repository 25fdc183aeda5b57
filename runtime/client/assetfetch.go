package client

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
)

// assetFetcher fetches the assets that the host announces: the manifest, then each file that the receiver
// lacks, one part after the other. It does not trust the host: it checks each size before it keeps a byte, and compares
// the hash of each file.
type assetFetcher struct {
	to     asset.Receiver // nil: this client shows no assets
	log    *slog.Logger
	list   wire.Assets // the newest announcement, if listed is not set
	listed bool        // the manifest of list has been taken, or refused
	have   map[string]asset.Hash
	images asset.Decoded
	lacks  []asset.File // of the manifest
	now    download     // what is being fetched
	asking bool         // a part has been asked for
	aside  download     // a file whose rest is fetched after a newer manifest
	counts room.AssetCounts
}

// download is a file or a manifest of which a part has arrived. A manifest has no name.
type download struct {
	asset.File
	data []byte
}

func newAssetFetcher(cfg *Config) assetFetcher {
	return assetFetcher{to: cfg.Assets, log: cfg.Log, listed: true, have: map[string]asset.Hash{}}
}

// announce takes an announcement.
func (f *assetFetcher) announce(m wire.Assets) error {
	if m.Bytes > asset.MaxManifest {
		f.refuse(&asset.Error{Reason: fmt.Sprintf("the manifest has %d bytes: at most %d", m.Bytes, asset.MaxManifest)})
		return nil
	}
	f.list, f.listed = m, f.to == nil
	return nil
}

// next begins with what comes next, if nothing is being fetched. It takes at most one file from the cache.
func (f *assetFetcher) next(now time.Duration, out *side.Mailbox) {
	if f.asking {
		return
	}
	switch {
	case !f.listed:
		if f.now.Name != "" {
			f.aside = f.now
		}
		f.now = download{File: asset.File{Hash: f.list.Hash, Bytes: int(f.list.Bytes)}}
		f.listed = true
	case f.now.Bytes > 0: // asks for the next part
	case len(f.lacks) > 0:
		f.now, f.lacks = download{File: f.lacks[0]}, f.lacks[1:]
		if f.now.Hash == f.aside.Hash {
			f.now.data, f.aside = f.aside.data, download{}
		}
	default:
		return
	}
	if len(f.now.data) == 0 && f.now.fromCache(f.to) {
		f.counts.Cached++
		f.complete(false)
		return
	}
	f.asking = true
	_ = out.Control(now, link.HostPeer, wire.AppendAssetWant(nil, &wire.AssetWant{
		Hash:   f.now.Hash,
		Offset: uint32(len(f.now.data)),
	}))
}

// fromCache takes the whole content from those that were kept, or the content of a manifest without files.
func (d *download) fromCache(cache asset.Receiver) bool {
	if d.Bytes == 0 {
		return true
	}
	data := cache.Load(d.Hash)
	if len(data) != d.Bytes || asset.HashOf(data) != d.Hash {
		return false
	}
	d.data = data
	return true
}

// part takes a part that arrived. The error wraps ErrMalformed: the part was not asked for.
func (f *assetFetcher) part(m wire.AssetPart) error {
	switch {
	case !f.asking || m.Hash != f.now.Hash || int(m.Offset) != len(f.now.data):
		return fmt.Errorf("%w: a part of an asset that was not asked for", wire.ErrMalformed)
	case len(f.now.data)+len(m.Data) > f.now.Bytes:
		return fmt.Errorf("%w: an asset of more than the announced %d bytes", wire.ErrMalformed, f.now.Bytes)
	}
	f.asking = false
	if len(m.Data) == 0 { // the host has replaced it, and says so
		f.now = download{}
		return nil
	}
	f.now.data = append(f.now.data, m.Data...)
	if len(f.now.data) < f.now.Bytes {
		return nil
	}
	if asset.HashOf(f.now.data) != f.now.Hash {
		f.refuse(&asset.Error{File: f.now.title(), Reason: "its content has another hash"})
		f.now = download{}
		return nil
	}
	f.counts.Fetched++
	f.complete(true)
	return nil
}

// complete takes a file or a manifest whose hash is right.
func (f *assetFetcher) complete(store bool) {
	d := f.now
	f.now = download{}
	if err := f.take(&d); err != nil {
		f.refuse(err)
		return
	}
	if store {
		f.to.Store(d.Hash, d.data)
	}
}

func (f *assetFetcher) take(d *download) error {
	if d.Name == "" {
		m, err := asset.ParseManifest(d.data)
		if err != nil {
			return err
		}
		f.manifest(m)
		return nil
	}
	if err := f.images.Add(d.File, d.data); err != nil {
		return err
	}
	f.have[d.Name] = d.Hash
	f.to.Arrived(d.File, d.data)
	return nil
}

// manifest notes which files the receiver lacks.
func (f *assetFetcher) manifest(m *asset.Manifest) {
	// order: each name is looked at alone
	for name, hash := range f.have {
		if file, ok := m.Find(name); !ok || file.Hash != hash {
			delete(f.have, name)
			f.images.Remove(name)
		}
	}
	f.lacks = nil
	for _, file := range m.Files {
		if _, ok := f.have[file.Name]; !ok {
			f.lacks = append(f.lacks, file)
		}
	}
	f.to.Announced(m)
}

// maxRefusals is how many refused assets are logged.
const maxRefusals = 20

func (f *assetFetcher) refuse(err error) {
	if f.counts.Refused++; f.counts.Refused <= maxRefusals {
		f.log.Warn("an asset is not used", "error", err.Error())
	}
}

// title names the download for people.
func (d *download) title() string {
	if d.Name == "" {
		return "the manifest"
	}
	return d.Name
}

// counted returns the counts; nil if the client shows no assets.
func (f *assetFetcher) counted() *room.AssetCounts {
	if f.to == nil {
		return nil
	}
	counts := f.counts
	counts.Awaited = len(f.lacks)
	if !f.listed {
		counts.Awaited++
	}
	if f.asking {
		counts.Awaited++
	}
	return &counts
}

// assetPart handles a part of an asset.
func (c *Client) assetPart(data []byte) error {
	c.end.mail.Assets(len(data))
	return take(data, wire.ParseAssetPart, c.end.assets.part)
}
