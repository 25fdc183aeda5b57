package asset_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func pngOf(w, h int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// pngHead returns a png that says that it is so large, and has no pixels.
func pngHead(w, h uint32) []byte {
	b := pngOf(1, 1)[:33]
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	return append(withCRC(b), "\x00\x00\x00\x00IEND\xae\x42\x60\x82"...)
}

func withCRC(b []byte) []byte {
	binary.BigEndian.PutUint32(b[29:], crc(b[12:29]))
	return b
}

// webp returns the head of a WebP file whose first chunk has this content.
func webp(chunk string, content ...byte) []byte {
	b := append([]byte("RIFF\x00\x00\x00\x00WEBP"+chunk+"\x00\x00\x00\x00"), content...)
	return append(b, make([]byte, 16)...)
}

func woff2(size uint32) []byte {
	b := make([]byte, 64)
	copy(b, "wOF2")
	binary.BigEndian.PutUint32(b[8:], 64)
	binary.BigEndian.PutUint32(b[16:], size)
	return b
}

// inSVG returns a drawing with some content.
func inSVG(content string) []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">` + content + `</svg>`)
}

// laughs returns elements each of which refers ten times to the one before it.
func laughs(name, reference string) string {
	var b strings.Builder
	fmt.Fprint(&b, `<g id="e0"/>`)
	for i := range 9 {
		fmt.Fprintf(&b, `<%[1]s id="e%[2]d">%[3]s</%[1]s>`, name, i+1, strings.Repeat(fmt.Sprintf(reference, fmt.Sprintf("e%d", i)), 10))
	}
	return b.String()
}

// damaged returns data with another byte at a place.
func damaged(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 1
	return data
}

func TestInspect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what string
		kind asset.Kind
		data []byte
		want asset.Size
		err  string
	}{
		{"png", asset.PNG, pngOf(7, 5), asset.Size{Width: 7, Height: 5}, ""},
		{"short png", asset.PNG, pngOf(7, 5)[:len(pngOf(7, 5))-20], asset.Size{}, "the file ends too early: save it again"},
		{"damaged png", asset.PNG, damaged(pngOf(7, 5), 45), asset.Size{}, "the file is damaged after byte 33: save it again"},
		{"wide png", asset.PNG, pngHead(4097, 1), asset.Size{}, "4097 x 1 pixels: at most 4096 x 4096"},
		{"huge png", asset.PNG, pngHead(1<<31-1, 1<<31-1), asset.Size{}, "content is no png"},
		{"text as png", asset.PNG, []byte("hello"), asset.Size{}, "the content is no png"},
		{"lossy webp", asset.WebP, webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0), asset.Size{Width: 320, Height: 240}, ""},
		{"lossless webp", asset.WebP, webp("VP8L", 0x2f, 0x3f, 0xc0, 0x03, 0), asset.Size{Width: 64, Height: 16}, ""},
		{"extended webp", asset.WebP, webp("VP8X", 0, 0, 0, 0, 0xff, 1, 0, 0x7f, 0, 0), asset.Size{Width: 512, Height: 128}, ""},
		{"wide webp", asset.WebP, webp("VP8X", 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0), asset.Size{}, "4097 x 1 pixels"},
		{"animated webp", asset.WebP, webp("VP8X", 2, 0, 0, 0, 9, 0, 0, 9, 0, 0), asset.Size{}, "no webp"},
		{"png as webp", asset.WebP, pngOf(9, 9), asset.Size{}, "no webp"},
		{"svg", asset.SVG, []byte(`<?xml version="1.0"?><!-- a --><svg width="20px" height="10.5"/>`), asset.Size{Width: 20, Height: 11}, ""},
		{"svg with viewBox", asset.SVG, []byte(`<svg width="100%" viewBox="0 0, 30 40"></svg>`), asset.Size{Width: 113, Height: 150}, ""},
		{"svg without a size", asset.SVG, []byte(`<svg/>`), asset.Size{}, "no svg"},
		{"wide svg", asset.SVG, []byte(`<svg width="1e300" height="1"/>`), asset.Size{}, "4097 x 1 pixels"},
		{"svg with entities", asset.SVG, []byte(`<!DOCTYPE svg [<!ENTITY a "aa">]><svg width="1" height="1"/>`), asset.Size{}, "remove that"},
		{"svg with a size of another namespace", asset.SVG, []byte(`<svg width="4096" height="4096" x:width="1" x:height="1"/>`), asset.Size{Width: 4096, Height: 4096}, ""},
		{"svg of another namespace", asset.SVG, []byte(`<x:svg xmlns:x="http://example.com/" width="1" height="1"/>`), asset.Size{}, "no svg"},
		{"svg with a width and a viewBox", asset.SVG, []byte(`<svg width="4096" viewBox="0 0 1 1"/>`), asset.Size{}, `width="4096" and height="": write both in pixels`},
		{"svg in centimetres", asset.SVG, []byte(`<svg width="99cm" height="99cm" viewBox="0 0 1 1"/>`), asset.Size{}, "write both in pixels"},
		{"svg in percent", asset.SVG, []byte(`<svg width="9999%" height="100%" viewBox="0 0 1 1"/>`), asset.Size{}, "write both in pixels"},
		{"svg with two widths", asset.SVG, []byte(`<svg width="4096" height="1" width="1"/>`), asset.Size{}, "no svg"},
		{"svg with a size in its style", asset.SVG, []byte(`<svg width="1" height="1" style="WIDTH:4096px"/>`), asset.Size{}, "a size in its style"},
		{"svg that ends early", asset.SVG, []byte(`<svg width="1" height="1"><g>`), asset.Size{}, "no svg"},
		{"svg with a style sheet elsewhere", asset.SVG, []byte(`<?xml-stylesheet href="a.css"?><svg width="1" height="1"/>`), asset.Size{}, "<?xml-stylesheet?>"},
		{"svg with an image in it", asset.SVG, inSVG(`<image href=" DA TA:image/png;base64,iVBOR"/>`), asset.Size{}, "a file in it"},
		{"svg with an image in its style", asset.SVG, inSVG(`<style>rect{fill:url(data:image/png)}</style>`), asset.Size{}, "a file in it"},
		{"svg that moves", asset.SVG, inSVG(`<animate attributeName="x" dur="1s"/>`), asset.Size{}, "a drawing cannot move"},
		{"svg with a style that moves", asset.SVG, inSVG(`<style>@keyframes a{}</style>`), asset.Size{}, "\"@keyframes a\" in <style>"},
		{"svg with references in its style", asset.SVG, inSVG(`<style>rect{fill:url( '#a')}</style>`), asset.Size{}, "url(#...) in <style>"},
		{"svg with colours in its style", asset.SVG, inSVG(`<style>rect{fill:#123}</style>`), asset.Size{Width: 9, Height: 9}, ""},
		{"svg with many elements", asset.SVG, inSVG(strings.Repeat("<g/>", 20_001)), asset.Size{}, "more than 20000 elements"},
		{"svg with elements used again and again", asset.SVG, inSVG(laughs("g", `<use href="#%s"/>`)), asset.Size{}, "more than 20000 elements"},
		{"svg with patterns in patterns", asset.SVG, inSVG(laughs("pattern", `<rect style="fill:URL( '#%s' )"/>`)), asset.Size{}, "more than 20000 elements"},
		{"svg with patterns that are inherited", asset.SVG, inSVG(laughs("pattern", `<g fill="url(#%s)"><path/><path/><path/></g>`)), asset.Size{}, "more than 20000 elements"},
		{"svg with a shadow", asset.SVG, inSVG(`<filter id="f"><feOffset/><feBlend/></filter><g filter="url(#f)">` + strings.Repeat("<path/>", 500) + `</g>`), asset.Size{Width: 9, Height: 9}, ""},
		{"svg with a gradient", asset.SVG, inSVG(`<linearGradient id="f"><stop/><stop/></linearGradient><g fill="url(#f)">` + strings.Repeat("<path/>", 500) + `</g>`), asset.Size{Width: 9, Height: 9}, ""},
		{"svg with an escape in a paint", asset.SVG, inSVG(`<g fill="\75 rl(#a)"/>`), asset.Size{}, "a backslash in fill"},
		{"svg with a size in a style sheet", asset.SVG, inSVG(`<style>svg{width:4096px}</style>`), asset.Size{}, "width in a style"},
		{"svg that refers to itself", asset.SVG, inSVG(`<g id="a"><use href="#a"/></g>`), asset.Size{}, "more than 20000 elements"},
		{"svg with many filters", asset.SVG, inSVG(`<filter id="f">` + strings.Repeat(`<feTurbulence/>`, 10) + `</filter>` + strings.Repeat(`<g filter="url(#f)"/>`, 2)), asset.Size{}, "steps of filters"},
		{"svg with a filter", asset.SVG, inSVG(`<filter id="f"><feGaussianBlur/></filter><g filter="url(#f)"/>`), asset.Size{Width: 9, Height: 9}, ""},
		{"svg with filters in its style", asset.SVG, inSVG(`<g style="filter:` + strings.Repeat(`blur(9px) `, 21) + `"/>`), asset.Size{}, "steps of filters"},
		{"html as svg", asset.SVG, []byte(`<html><script>1</script></html>`), asset.Size{}, "no svg"},
		{"ogg", asset.Ogg, []byte("OggS\x00"), asset.Size{}, ""},
		{"wav as ogg", asset.Ogg, []byte("RIFF\x00\x00\x00\x00WAVE"), asset.Size{}, "no ogg"},
		{"wav", asset.WAV, []byte("RIFF\x00\x00\x00\x00WAVE"), asset.Size{}, ""},
		{"avi as wav", asset.WAV, []byte("RIFF\x00\x00\x00\x00AVI "), asset.Size{}, "no wav"},
		{"mp3 with a tag", asset.MP3, []byte("ID3\x04"), asset.Size{}, ""},
		{"mp3", asset.MP3, []byte{0xff, 0xfb, 0x90}, asset.Size{}, ""},
		{"html as mp3", asset.MP3, []byte("<html>"), asset.Size{}, "no mp3"},
		{"woff2", asset.WOFF2, woff2(1000), asset.Size{}, ""},
		{"large woff2", asset.WOFF2, woff2(1 << 30), asset.Size{}, "once it is decompressed"},
		{"html as woff2", asset.WOFF2, []byte("<html>"), asset.Size{}, "no woff2"},
		{"of no kind", 0, []byte("MZ"), asset.Size{}, "of no kind"},
	} {
		got, err := asset.Inspect(c.kind, c.data)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%s: %v, %v; want %v", c.what, got, err, c.want)
		case c.err != "" && (!errors.Is(err, asset.ErrInvalid) || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v, %v; want an error with %q", c.what, got, err, c.err)
		}
	}
}

// named checks a manifest with a file of a name.
func named(name string) error {
	m := asset.Manifest{Files: []asset.File{{Name: name, Bytes: 1}}}
	return m.Check()
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"ship.png", "ui/Title-2.woff2", "a.b_c.ogg", strings.Repeat("x", 60) + ".png"} {
		if err := named(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "ship", "ship.exe", "../ship.png", "a/../b.png", "/ship.png", "a//b.png", ".hidden.png", "a/.png", `a\b.png`, "C:ship.png", "ship .png", "schiff\u00e4.png",
		"ship.PNG", "a\x00.png", strings.Repeat("x", 61) + ".png"} {
		if err := named(bad); !errors.Is(err, asset.ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestNewSetNamesTheFileThatBreaksALimit(t *testing.T) {
	t.Parallel()
	many := map[string][]byte{}
	for i := range asset.MaxFiles + 1 {
		many[fmt.Sprintf("%d.ogg", i)] = []byte("OggS")
	}
	full := map[string][]byte{}
	for i := range 9 {
		full[fmt.Sprintf("%d.ogg", i)] = append([]byte("OggS"), make([]byte, asset.MaxFile-4)...)
	}
	for _, c := range []struct {
		files map[string][]byte
		want  string
	}{
		{map[string][]byte{"ship.png": pngOf(3, 3), "Ship.png": pngOf(3, 3)}, "ship.png: ship.png differs from Ship.png only in capital letters"},
		{map[string][]byte{"Ui/a.png": pngOf(3, 3), "ui/b.png": pngOf(3, 3)}, "ui/b.png: ui/ differs from Ui/ only in capital letters"},
		{map[string][]byte{"a.png": pngOf(3, 3), "a.png/b.png": pngOf(3, 3)}, "a.png/b.png: a.png cannot be a file and a folder"},
		{map[string][]byte{"A.png/b.png": pngOf(3, 3), "a.png": pngOf(3, 3)}, "a.png: a.png cannot be a file and a folder"},
		{map[string][]byte{"big.ogg": append([]byte("OggS"), make([]byte, asset.MaxFile)...)}, "big.ogg: 2097156 bytes: must be 1 to 2097152"},
		{map[string][]byte{"none.ogg": nil}, "none.ogg: the content is no ogg"},
		{map[string][]byte{"a.exe": []byte("MZ"), "b.png": []byte("MZ")}, "a.exe: the name must end in one of png, webp, svg, ogg, wav, mp3, woff2\nb.png: the content is no png"},
		{map[string][]byte{"1.png": pngHead(4096, 4096), "2.png": pngHead(64, 64)}, "2.png: the images have more than 64 MB together once they are decoded; this one has 64 x 64 pixels"},
		{many, "257 assets: at most 256"},
		{full, "8.ogg: the assets have more than 16777216 bytes together"},
	} {
		if _, err := asset.NewSet(c.files); err == nil || !errors.Is(err, asset.ErrInvalid) || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestManifestIsReadBack tests that a manifest that was sent is the one that was made, and that each set of files
// has a hash of its own.
func TestManifestIsReadBack(t *testing.T) {
	t.Parallel()
	draws.Check(t, func(t *rapid.T) {
		files := map[string][]byte{}
		for _, name := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z0-9]{1,8}\.ogg`), rapid.ID[string]).Draw(t, "names") {
			files[name] = append([]byte("OggS"), rapid.SliceOf(rapid.Byte()).Draw(t, "content")...)
		}
		set, err := asset.NewSet(files)
		if err != nil {
			t.Fatal(err)
		}
		m, err := asset.ParseManifest(set.Blob(set.Hash()))
		if err != nil || len(m.Files) != len(files) {
			t.Fatalf("%v, %v", m, err)
		}
		for name, data := range files {
			f, ok := m.Find(name)
			if !ok || f.Hash != asset.HashOf(data) || f.Bytes != len(data) || !bytes.Equal(set.Blob(f.Hash), data) {
				t.Fatalf("%s: %v", name, f)
			}
		}
		files["one-more.ogg"] = []byte("OggS")
		if other, err := asset.NewSet(files); err != nil || other.Hash() == set.Hash() {
			t.Fatal("another set has the same hash", err)
		}
	})
}

func TestDecodedReplacesAndRemoves(t *testing.T) {
	t.Parallel()
	var d asset.Decoded
	big := asset.File{Name: "big.png"}
	for range 3 { // in the place of each other
		if err := d.Add(big, pngHead(4096, 4096)); err != nil {
			t.Fatal(err)
		}
	}
	small := asset.File{Name: "small.png"}
	if err := d.Add(small, pngOf(1, 1)); !errors.Is(err, asset.ErrInvalid) {
		t.Error("more than all images may take:", err)
	}
	d.Remove("big.png")
	if err := d.Add(small, pngOf(1, 1)); err != nil {
		t.Error(err)
	}
}
