package client_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// keeper is an asset.Receiver that keeps everything in memory.
type keeper struct {
	kept    map[asset.Hash][]byte
	list    *asset.Manifest
	arrived map[string][]byte
	lists   int
}

func newKeeper() *keeper {
	return &keeper{kept: map[asset.Hash][]byte{}, arrived: map[string][]byte{}}
}

func (p *keeper) Load(h asset.Hash) []byte        { return p.kept[h] }
func (p *keeper) Store(h asset.Hash, data []byte) { p.kept[h] = data }
func (p *keeper) Announced(m *asset.Manifest)     { p.list = m; p.lists++ }
func (p *keeper) Arrived(f asset.File, data []byte) {
	p.arrived[f.Name] = data
}

// TestAssetsArriveWhileOnePlays tests that clients get the assets beside the game over a bad line, that no
// frame waits for them, that what was kept is not sent again, and that a changed file replaces the one before.
func TestAssetsArriveWhileOnePlays(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(3, 2, memlink.Average())
	var got [2]*keeper
	got[0], got[1] = newKeeper(), newKeeper()
	first := map[string][]byte{"a.ogg": roomtest.Sound(20_000, 1), "b.ogg": roomtest.Sound(9_000, 2), "c.ogg": roomtest.Sound(100, 3)}
	set := roomtest.SetOf(t, first)
	for _, f := range set.Manifest().Files {
		got[1].kept[f.Hash] = set.Blob(f.Hash) // the second one played before
	}
	o.Client = func(i int, c *client.Config) { c.Assets = got[i] }
	sim := simtest.New(t, o)
	sim.Host.SetAssets(0, set)
	until(sim, func() bool { return len(got[0].arrived) == 3 && len(got[1].arrived) == 3 })
	for i := range got {
		for name, want := range first {
			if !bytes.Equal(got[i].arrived[name], want) {
				t.Errorf("client %d: %s has %d bytes, want %d", i, name, len(got[i].arrived[name]), len(want))
			}
		}
	}
	if c := sim.Report(0).Assets; c.Fetched != 4 || c.Cached != 0 {
		t.Errorf("the first client: %+v", c)
	}
	if c := sim.Report(1).Assets; c.Fetched != 1 || c.Cached != 3 { // the manifest is fetched
		t.Errorf("the second client: %+v", c)
	}
	sent := sim.Host.Report(time.Second).Bytes["assets"]
	changed := map[string][]byte{"a.ogg": first["a.ogg"], "b.ogg": roomtest.Sound(500, 9)}
	sim.Host.SetAssets(sim.Now, roomtest.SetOf(t, changed))
	until(sim, func() bool {
		return bytes.Equal(got[0].arrived["b.ogg"], changed["b.ogg"]) && bytes.Equal(got[1].arrived["b.ogg"], changed["b.ogg"])
	})
	if more := sim.Host.Report(time.Second).Bytes["assets"] - sent; more > 2_500 {
		t.Errorf("%d bytes were sent for a changed file of 500", more)
	}
	if _, still := got[0].list.Find("c.ogg"); still || got[0].lists != 2 {
		t.Errorf("%d lists, and the removed file is in the last: %v", got[0].lists, still)
	}
	sim.Host.SetAssets(sim.Now, nil)
	until(sim, func() bool { return len(got[0].list.Files) == 0 })
	roomtest.CheckHost(t, sim, false)
	for i, c := range sim.Clients {
		if c.Err() != nil || c.Desync() != nil || !c.Playing() {
			t.Errorf("client %d: %v, %v, %s", i, c.Err(), c.Desync(), c.Status())
		}
	}
}

// until runs a match until something has happened, for at most a minute.
func until(sim *simtest.Sim, done func() bool) {
	for range 600 {
		if done() {
			return
		}
		sim.Run(100 * time.Millisecond)
	}
}

// shop is a host by hand that answers each AssetWant.
type shop struct {
	*roomtest.ByHand
	got    *keeper
	answer func(m wire.AssetWant) []byte // the data of the part; nil: no answer
	wants  int
}

// newShop lets a client in that gets assets.
func newShop(t *testing.T) *shop {
	net := memlink.New(1)
	s := &shop{ByHand: &roomtest.ByHand{End: net.Host()}, got: newKeeper()}
	s.Client = client.New(client.Config{Link: net.Dial(memlink.Off(), memlink.Off()), Compile: stub.Compile, Controls: roomtest.Wanderers(0), Assets: s.got})
	s.Run(80 * time.Millisecond)
	s.LetIn(roomtest.FirstTick(t))
	return s
}

// serve answers for a while.
func (s *shop) serve(d time.Duration) {
	for end := s.Now + d; s.Now < end; s.Now += 4 * time.Millisecond {
		s.End.Poll(s.Now, func(ev link.Event) {
			m, err := wire.ParseAssetWant(ev.Data)
			if ev.Kind != link.Message || err != nil {
				return
			}
			s.wants++
			if data := s.answer(m); data != nil {
				_ = s.End.SendMessage(s.Now, s.Peer, link.Bulk, wire.AppendAssetPart(nil, &wire.AssetPart{Hash: m.Hash, Offset: m.Offset, Data: data}))
			}
		})
		s.Client.Poll(s.Now)
		s.Client.Update(s.Now)
	}
}

// announceList announces a manifest that may be wrong, and returns a function that answers with it, and with files by
// their content.
func (s *shop) announceList(list []byte, files ...[]byte) {
	hash := asset.HashOf(list)
	s.answer = func(m wire.AssetWant) []byte {
		for _, blob := range append(files, list) {
			if asset.HashOf(blob) == m.Hash {
				return blob[m.Offset:min(len(blob), int(m.Offset)+wire.MaxAssetPart)]
			}
		}
		return []byte{}
	}
	_ = s.End.SendMessage(s.Now, s.Peer, link.Control, wire.AppendAssets(nil, &wire.Assets{Hash: hash, Bytes: uint32(len(list))}))
}

// listOf encodes files as a manifest does, whatever they are.
func listOf(files ...asset.File) []byte {
	m := asset.Manifest{Files: files}
	return m.Encode()
}

func fileOf(name string, data []byte) asset.File {
	return asset.File{Name: name, Hash: asset.HashOf(data), Bytes: len(data)}
}

// TestHostileAssets tests what a host can do with assets: nothing of it reaches the receiver, and the client plays on
// or leaves with an error.
func TestHostileAssets(t *testing.T) {
	t.Parallel()
	good := roomtest.Sound(9000, 7)
	var many []asset.File
	for i := range asset.MaxFiles + 1 {
		many = append(many, fileOf(fmt.Sprintf("%03d.ogg", i), good))
	}
	for name, c := range map[string]struct {
		list    []byte
		files   [][]byte
		refused int
	}{
		"too many files":           {list: listOf(many...), refused: 1},
		"too large":                {list: listOf(asset.File{Name: "a.ogg", Bytes: asset.MaxFile + 1}), refused: 1},
		"a path":                   {list: listOf(fileOf("../a.ogg", good)), refused: 1},
		"two names":                {list: listOf(fileOf("A.ogg", good), fileOf("a.ogg", good)), refused: 1},
		"a type that runs":         {list: listOf(fileOf("a.html", good)), refused: 1},
		"no manifest":              {list: []byte("<html>"), refused: 1},
		"wrong type":               {list: listOf(fileOf("a.png", good)), files: [][]byte{good}, refused: 1},
		"too large an image":       {list: listOf(fileOf("a.svg", []byte(`<svg width="9000" height="9000"/>`))), files: [][]byte{[]byte(`<svg width="9000" height="9000"/>`)}, refused: 1},
		"what it does not have":    {list: listOf(fileOf("a.ogg", good))},
		"an empty manifest":        {list: nil},
		"too large a manifest":     {list: make([]byte, asset.MaxManifest+1), refused: 1},
		"a manifest cut in a name": {list: binary.AppendUvarint(nil, 60), refused: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.announceList(c.list, c.files...)
			s.serve(500 * time.Millisecond)
			if n := s.Client.Report(s.Now).Assets.Refused; n != c.refused || len(s.got.arrived) > 0 || s.Client.Err() != nil {
				t.Errorf("%d refused, want %d; %d arrived; %v", n, c.refused, len(s.got.arrived), s.Client.Err())
			}
			s.announceList(listOf(fileOf("ok.ogg", good)), good) // and it still takes good ones
			s.serve(500 * time.Millisecond)
			if !bytes.Equal(s.got.arrived["ok.ogg"], good) {
				t.Error("a good file does not arrive after that")
			}
		})
	}
}

// TestHostileAssetParts tests parts that do not fit what was asked for.
func TestHostileAssetParts(t *testing.T) {
	t.Parallel()
	good := roomtest.Sound(9000, 7)
	list := listOf(fileOf("a.ogg", good))
	wrong := slices.Clone(good)
	wrong[5000]++
	for name, c := range map[string]struct {
		part func(m wire.AssetWant) []byte
		ends bool
		most int // wants
	}{
		"wrong hash":  {part: func(m wire.AssetWant) []byte { return wrong[m.Offset:min(len(wrong), int(m.Offset)+wire.MaxAssetPart)] }, most: 4},
		"endless":     {part: func(wire.AssetWant) []byte { return make([]byte, wire.MaxAssetPart) }, ends: true, most: 4},
		"a byte each": {part: func(m wire.AssetWant) []byte { return good[m.Offset : m.Offset+1] }, most: 200},
		"none":        {part: func(wire.AssetWant) []byte { return []byte{} }, most: 3},
		"silence":     {part: func(wire.AssetWant) []byte { return nil }, most: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.announceList(list)
			whole := s.answer
			s.answer = func(m wire.AssetWant) []byte {
				if m.Hash == asset.HashOf(list) {
					return whole(m)
				}
				return c.part(m)
			}
			s.serve(500 * time.Millisecond)
			if ended := errors.Is(s.Client.Err(), wire.ErrMalformed); ended != c.ends || len(s.got.arrived) > 0 || s.wants > c.most {
				t.Errorf("it has ended: %v (%v); %d arrived; %d wants", ended, s.Client.Err(), len(s.got.arrived), s.wants)
			}
		})
	}
	s := newShop(t)
	s.Say(link.Bulk, wire.AppendAssetPart(nil, &wire.AssetPart{Data: []byte("unasked")}))
	if !errors.Is(s.Client.Err(), wire.ErrMalformed) {
		t.Error("a part that was not asked for:", s.Client.Err())
	}
}
