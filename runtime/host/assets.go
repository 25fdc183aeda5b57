package host

import (
	"errors"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/asset"
)

// The host sends at most one part of an asset to a client in this time, and at most so many parts in a
// tick. So assets take little of a line, and of the host's own.
const (
	assetEvery  = 50 * time.Millisecond
	assetsATick = 4
)

var errAskedMore = errors.New("an asset was asked for before the last part had been sent")

// assetShelf has the assets of the game, and decides which client is sent the next part.
type assetShelf struct {
	set   *asset.Set // nil: there are none
	feeds []assetFeed
	first int // the feed whose turn it is
}

// assetFeed is what one client has asked for.
type assetFeed struct {
	peer  link.Peer
	want  wire.AssetWant
	asked bool
	at    time.Duration // when the last part was sent
}

// message returns the announcement of the assets.
func (s *assetShelf) message() []byte {
	m := wire.Assets{}
	if s.set != nil && len(s.set.Manifest().Files) > 0 {
		m.Hash = s.set.Hash()
		m.Bytes = uint32(len(s.set.Blob(m.Hash)))
	}
	return wire.AppendAssets(nil, &m)
}

// Put replaces the assets, and returns the announcement of the new ones.
func (s *assetShelf) Put(set *asset.Set) []byte {
	s.set = set
	return s.message()
}

// Announcement returns what a client that joins is sent; nil: there are no assets.
func (s *assetShelf) Announcement() []byte {
	if s.set == nil {
		return nil
	}
	return s.message()
}

// Ask notes the part that a client asks for.
func (s *assetShelf) Ask(p link.Peer, m wire.AssetWant) error {
	i := slices.IndexFunc(s.feeds, func(f assetFeed) bool { return f.peer == p })
	if i < 0 {
		i = len(s.feeds)
		s.feeds = append(s.feeds, assetFeed{peer: p, at: -assetEvery})
	}
	f := &s.feeds[i]
	if f.asked {
		return errAskedMore
	}
	f.want, f.asked = m, true
	return nil
}

// Serve calls send with the next part for each client that has asked for one, in turns.
func (s *assetShelf) Serve(now time.Duration, send func(p link.Peer, part *wire.AssetPart) error) {
	left := assetsATick
	for i := range s.feeds {
		f := &s.feeds[(s.first+i)%len(s.feeds)]
		if !f.asked || now-f.at < assetEvery {
			continue
		}
		part := wire.AssetPart{Hash: f.want.Hash, Offset: f.want.Offset}
		if blob := s.set.Blob(asset.Hash(part.Hash)); uint64(part.Offset) < uint64(len(blob)) {
			part.Data = blob[part.Offset:min(len(blob), int(part.Offset)+wire.MaxAssetPart)]
		}
		if send(f.peer, &part) != nil {
			continue // too much waits to be sent
		}
		f.asked, f.at = false, now
		if left--; left == 0 {
			s.first = (s.first + i + 1) % len(s.feeds)
			return
		}
	}
}

// Left forgets a client that has left.
func (s *assetShelf) Left(p link.Peer) {
	s.feeds = slices.DeleteFunc(s.feeds, func(f assetFeed) bool { return f.peer == p })
}

// announceAssets tells a client that begins to play which assets there are.
func (h *Host) announceAssets(now time.Duration, p *peer) {
	if m := h.assets.Announcement(); m != nil {
		_ = h.mail.Control(now, p.id, m)
	}
}

// assetWant notes which part of an asset a client asks for. A later tick sends it.
func (h *Host) assetWant(p *peer, data []byte) error {
	m, err := wire.ParseAssetWant(data)
	if err != nil {
		return err
	}
	return h.assets.Ask(p.id, m)
}

// sendAssets sends the parts of assets that are due. It is called after everything else has been sent.
func (h *Host) sendAssets(now time.Duration) {
	h.assets.Serve(now, func(p link.Peer, part *wire.AssetPart) error {
		if h.mail.Busy(p) {
			return link.ErrBacklog
		}
		b := wire.AppendAssetPart(nil, part)
		err := h.mail.Bulk(now, p, b)
		if err == nil {
			h.mail.Assets(len(b))
		}
		return err
	})
}
