package client

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
)

// bundleTexts has the bytes of the newest bundles that a client has had, against which the host packs the next ones,
// and what arrived packed against one that is still to come.
type bundleTexts struct {
	kept    []bundleText  // the newest last
	asked   []askedBundle // of the host, the last one last
	waiting []wire.Bundle // in the order in which they arrived
	size    int           // bytes of waiting
}

// bundleText is the bytes of a bundle.
type bundleText struct {
	hash bundle.Hash
	data []byte
}

// askedBundle is a bundle that the client has asked the host for. Another one may have replaced it by the time that it
// arrives, but that may be packed against it.
type askedBundle struct {
	hash bundle.Hash
	size uint32
}

// The host packs a bundle against the one before. Those kept beyond that are for an edit that is taken back.
const (
	mostTexts     = 8
	mostTextBytes = 2 * bundle.MaxSize
	// mostWaiting is how many bytes of packed bundles wait for another bundle; who exceeds that is asked for the whole.
	mostWaiting = bundle.MaxSize
)

// keep keeps the bytes of a bundle, which is no longer asked for.
func (t *bundleTexts) keep(hash bundle.Hash, data []byte) {
	t.drop(hash)
	t.kept = slices.DeleteFunc(t.kept, func(k bundleText) bool { return k.hash == hash })
	t.kept = append(t.kept, bundleText{hash, data})
	size, from := 0, len(t.kept)
	for from > 0 && len(t.kept)-from < mostTexts && size+len(t.kept[from-1].data) <= mostTextBytes {
		from--
		size += len(t.kept[from].data)
	}
	t.kept = slices.Delete(t.kept, 0, from)
}

// use notes that a bundle is announced again: those before it are dropped first.
func (t *bundleTexts) use(hash bundle.Hash) {
	if data := t.of(hash); data != nil {
		t.keep(hash, data)
	}
}

// of returns the bytes of a bundle, nil if they are not kept.
func (t *bundleTexts) of(hash bundle.Hash) []byte {
	for i := range t.kept {
		if t.kept[i].hash == hash {
			return t.kept[i].data
		}
	}
	return nil
}

// ask notes that the host is asked for a bundle of a size.
func (t *bundleTexts) ask(hash bundle.Hash, size uint32) {
	t.drop(hash)
	t.asked = append(t.asked, askedBundle{hash, size})
	if len(t.asked) > wire.MaxAnnounces {
		t.asked = slices.Delete(t.asked, 0, 1)
	}
}

// drop notes that a bundle is no longer asked for.
func (t *bundleTexts) drop(hash bundle.Hash) {
	t.asked = slices.DeleteFunc(t.asked, func(a askedBundle) bool { return a.hash == hash })
}

// sizeOf returns the size of a bundle that was asked for, 0 if it was not.
func (t *bundleTexts) sizeOf(hash bundle.Hash) uint32 {
	for _, a := range t.asked {
		if a.hash == hash {
			return a.size
		}
	}
	return 0
}

// has reports whether a bundle can be a base: its bytes are kept, or on their way.
func (t *bundleTexts) has(hash bundle.Hash) bool { return t.of(hash) != nil || t.comes(hash) }

// comes reports whether a bundle is on its way: the client has asked for it, or it waits for its own base.
func (t *bundleTexts) comes(hash bundle.Hash) bool {
	return t.sizeOf(hash) != 0 || slices.ContainsFunc(t.waiting, func(m wire.Bundle) bool { return m.Hash == hash })
}

// wait keeps a bundle until its base arrives. It returns false if it cannot: the base is not on its way, or too much
// waits.
func (t *bundleTexts) wait(m wire.Bundle) bool {
	if !t.comes(m.Base) || t.size+len(m.Data) > mostWaiting || len(t.waiting) == wire.MaxAnnounces {
		return false
	}
	m.Data = slices.Clone(m.Data) // they are the link's
	t.waiting = append(t.waiting, m)
	t.size += len(m.Data)
	return true
}

// takeWaiting removes the first bundle that waited for one that is kept now; ok is false if there is none.
func (t *bundleTexts) takeWaiting() (m wire.Bundle, ok bool) {
	i := slices.IndexFunc(t.waiting, func(m wire.Bundle) bool { return t.of(m.Base) != nil })
	if i < 0 {
		return m, false
	}
	m = t.waiting[i]
	t.waiting = slices.Delete(t.waiting, i, i+1)
	t.size -= len(m.Data)
	return m, true
}

// unpack returns the bytes of a bundle that has so many at most. Its base is kept, if it has one. The error wraps
// bundle.ErrInvalid.
func (t *bundleTexts) unpack(m *wire.Bundle, most uint32) (data []byte, err error) {
	if m.Base == (bundle.Hash{}) {
		data, err = bundle.Unpack(m.Data, int(most))
	} else {
		data, err = bundle.UnpackAgainst(t.of(m.Base), m.Data, int(most))
	}
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", bundle.Hash(m.Hash), err)
	}
	if got := bundle.HashOf(data); got != m.Hash {
		return nil, fmt.Errorf("%w: bundle %s came out as %s", bundle.ErrInvalid, bundle.Hash(m.Hash), got)
	}
	return data, nil
}
