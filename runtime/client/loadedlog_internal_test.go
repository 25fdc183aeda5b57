package client

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/world"
)

// TestLoadedBundlesAreLoggedInOrder: a newcomer gets the bundles of a room's last seconds in any order. Its log names
// them in the order in which they are in force, each with what differs from the one before, and ends with the newest.
func TestLoadedBundlesAreLoggedInOrder(t *testing.T) {
	var out bytes.Buffer
	cfg := Config{Compile: stub.Compile, Log: slog.New(slog.NewTextHandler(&out, nil))}
	errors := side.NewScriptLog("")
	l := newLibrary(&cfg, &errors, func(string) bool { return false })
	bundles := map[uint32]*bundle.Bundle{}
	announce := func(number uint32, name string) bundle.Hash {
		b := bundle.New("game", world.Source{Name: "a.lua", Text: "1"}, world.Source{Name: name, Text: "2"})
		bundles[number] = b
		data := b.Encode()
		l.announce(wire.Announce{Number: number, Hash: bundle.HashOf(data), Bytes: uint32(len(data)), Tick: world.Tick(100 * number)})
		return bundle.HashOf(data)
	}
	deliver := func(number uint32) {
		data := bundles[number].Encode()
		if ask, err := l.deliver(wire.Bundle{Hash: bundle.HashOf(data), Data: bundle.Pack(data)}); len(ask) > 0 || err != nil {
			t.Fatal(ask, err)
		}
		if _, ok, err := l.read(); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	announce(3, "c.lua")
	announce(2, "b.lua")
	announce(4, "d.lua")
	deliver(4)
	deliver(3)
	deliver(2)
	announce(1, "a1.lua")
	deliver(1) // which a later one has overtaken
	announce(5, "c.lua")
	var got []string
	for line := range strings.Lines(out.String()) {
		line = regexp.MustCompile(` bundle=\w+`).ReplaceAllString(line, "")
		_, said, _ := strings.Cut(strings.TrimSpace(line), "msg=")
		got = append(got, said)
	}
	want := []string{
		`"scripts loaded" "in force from tick"=200`,
		`"scripts loaded" changed="c.lua b.lua (gone)" "in force from tick"=300`,
		`"scripts loaded" changed="d.lua c.lua (gone)" "in force from tick"=400`,
		`"scripts loaded" changed="c.lua d.lua (gone)" "in force from tick"=500`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the log is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if l.newest != bundle.HashOf(bundles[5].Encode()) {
		t.Errorf("the newest is %s", l.newest)
	}
}
