package scripts_test

import (
	"flag"
	"os"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
)

var update = flag.Bool("update", false, "write testdata/bundle.json again")

// TestPublishedBundle holds the bytes of a bundle that has every key of
// game.toml: its hash is in replays, caches and reports, and changes with the
// name, the order and the encoding of any field.
func TestPublishedBundle(t *testing.T) {
	const file = "testdata/bundle.json"
	g, err := scripts.Load(folder(everything), "")
	if err != nil {
		t.Fatal(err)
	}
	got := g.Bundle.Encode()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the bundle is\n%s\nwant\n%s\nIts hash would change, and with it every replay and cache. Name fields by json tags. "+
			"If the change is meant: go test ./scripts -run PublishedBundle -update", got, want)
	}
	if hash := bundle.HashOf(got).String(); hash != "0dad44ce939903f6" {
		t.Errorf("hash %s", hash)
	}
}
