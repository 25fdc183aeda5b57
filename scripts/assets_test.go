package scripts_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/scripts"
)

const drawing = `<svg width="8" height="8"/>`

func TestAssetsOfAFolder(t *testing.T) {
	fsys := folder("name = \"a\"\n")
	fsys["assets/ship.svg"] = &fstest.MapFile{Data: []byte(drawing)}
	fsys["assets/ui/.hidden"] = &fstest.MapFile{Data: []byte("x")}
	fsys["assets/ui/box.svg"] = &fstest.MapFile{Data: []byte(drawing)}
	fsys["game.lua"] = &fstest.MapFile{Data: []byte("-- look = { image = \"old.png\" }\nlook = { image = \"ship.svg\" }\nlook = { image = 'shp.svg' } sound { file = \"boom.ogg\" }\n")}
	g, err := scripts.Load(fsys, "g")
	if err != nil {
		t.Fatal(err)
	}
	if m := g.Assets.Manifest(); len(m.Files) != 2 || m.Files[0].Name != "ship.svg" || m.Files[1].Name != "ui/box.svg" {
		t.Errorf("%v", m.Files)
	}
	var missing []string
	for _, p := range scripts.MissingAssets(g) {
		missing = append(missing, p.Error())
	}
	if want := []string{"g/game.lua:3: shp.svg is not in assets: did you mean ship.svg?", "g/game.lua:3: boom.ogg is not in assets: there are ship.svg, ui/box.svg"}; !slices.Equal(missing, want) {
		t.Errorf("%q", missing)
	}
	before := g.Bundle.Encode()
	fsys["assets/ship.svg"] = &fstest.MapFile{Data: []byte(`<svg width="9" height="8"/>`)}
	after, err := scripts.Load(fsys, "g")
	if err != nil || after.Assets.Hash() == g.Assets.Hash() || string(after.Bundle.Encode()) != string(before) {
		t.Error("an edited picture is a new set and the same bundle:", err)
	}
}

func TestBrokenAssetsAreNamed(t *testing.T) {
	fsys := folder("name = \"a\"\n")
	for name, data := range map[string]string{"big.ogg": "OggS" + strings.Repeat("x", asset.MaxFile), "ship.png": "GIF89a", "Ship.svg": drawing, "tool.exe": "MZ"} {
		fsys["assets/"+name] = &fstest.MapFile{Data: []byte(data)}
	}
	_, err := scripts.Load(fsys, "g")
	got := complaints(err)
	if want := []string{"g/assets/big.ogg:1: more than 2097152 bytes", "g/assets/ship.png:1: the content is no png", "g/assets/tool.exe:1: the name must end in one of png, webp, svg, ogg, wav, mp3, woff2"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
