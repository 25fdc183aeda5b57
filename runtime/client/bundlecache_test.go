package client_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// kept is a bundle.Cache in memory.
type kept map[bundle.Hash][]byte

func (k kept) Load(h bundle.Hash) []byte        { return k[h] }
func (k kept) Store(h bundle.Hash, data []byte) { k[h] = bytes.Clone(data) }

// TestBundlesAreKeptBetweenRuns tests that a client does not fetch a bundle that is in
// its cache and has the right hash, and that a switch to a cached bundle is like any
// other.
func TestBundlesAreKeptBetweenRuns(t *testing.T) {
	t.Parallel()
	cache := kept{}
	play := func(name string, want room.BundleCounts) {
		t.Helper()
		o := roomtest.Options(5, 2, memlink.Average())
		o.Client = func(_ int, c *client.Config) { c.Cache = cache }
		o.Clients = 1
		sim := simtest.New(t, o)
		sim.Run(2 * time.Second)
		next := *o.Bundle
		next.Files = []world.Source{{Name: "note.lua"}}
		script, err := stub.Compile(nil, next.Setup)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := sim.Host.Switch(&next, script); err != nil {
			t.Fatal(err)
		}
		sim.Run(3 * time.Second)
		sim.Drain()
		sim.AgreeOnHashes()
		if got := *sim.Report(0).Bundles; got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	play("first", room.BundleCounts{Fetched: 2})
	play("again", room.BundleCounts{Cached: 2})
	for h, data := range cache {
		cache[h] = append([]byte("x"), data...)
	}
	play("spoiled", room.BundleCounts{Fetched: 2})
	play("mended", room.BundleCounts{Cached: 2})
}
