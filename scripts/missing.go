package scripts

import (
	"fmt"
	"regexp"
	"strings"
)

// rxAsset matches where a script names an asset: as a value of look, tiles or sound, or as a font.
var rxAsset = regexp.MustCompile(
	`\b(?:image\s*=|file\s*=|font\s*\(?)\s*["']([A-Za-z0-9._/-]+\.(?:png|webp|svg|ogg|wav|mp3|woff2))["']`,
)

// MissingAssets returns a Problem for each asset that a script names as a literal and that is not in the folder
// of assets. It leaves out comments to the end of a line.
func MissingAssets(g *Game) (out []*Problem) {
	if g == nil || g.Bundle == nil || g.Assets == nil {
		return nil
	}
	var names []string
	for _, f := range g.Assets.Manifest().Files {
		names = append(names, f.Name)
	}
	for _, source := range g.Bundle.Files {
		n := 0
		for line := range strings.Lines(source.Text) {
			n++
			code, _, _ := strings.Cut(line, "--")
			for _, found := range rxAsset.FindAllStringSubmatch(code, -1) {
				if _, ok := g.Assets.Manifest().Find(found[1]); !ok {
					out = append(out, &Problem{
						File:    g.Path(source.Name),
						Line:    n,
						Message: fmt.Sprintf("%s is not in %s: %s", found[1], AssetFolder, hintOf(found[1], names)),
					})
				}
			}
		}
	}
	return out
}

// allOf says which names there are, of which one is expected.
func allOf(names []string) string {
	if len(names) == 1 {
		return "there is only " + names[0]
	}
	return "there are " + strings.Join(names, ", ")
}

// hintOf says which asset may be meant.
func hintOf(name string, names []string) string {
	like := nearest(name, names)
	switch {
	case like != "":
		return fmt.Sprintf("did you mean %s?", like)
	case len(names) == 0:
		return "it has no files"
	}
	return allOf(names)
}
