package scripts_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/simtest/golden"
	"github.com/hindcast/hindcast/scripts"
)

// TestPublishedBundle holds the bytes of a bundle that has every key of
// game.toml: its hash is in replays, caches and reports, and changes with the
// name, the order and the encoding of any field.
func TestPublishedBundle(t *testing.T) {
	g, err := scripts.Load(folder(everything), "")
	if err != nil {
		t.Fatal(err)
	}
	got := g.Bundle.Encode()
	golden.Text(t, "testdata/bundle.json", string(got))
	if t.Failed() {
		t.Log("Its hash would change, and with it every replay and cache. Name fields by json tags.")
	}
	if hash := bundle.HashOf(got).String(); hash != "6a6da92088ed7171" {
		t.Errorf("hash %s", hash)
	}
}
