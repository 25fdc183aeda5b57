package asset_test

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/runtime/asset"
)

// A host has a Set, and announces its hash. A client gets the manifest and the files, and checks them.
func Example() {
	ship := []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="32"/>`)
	set, err := asset.NewSet(map[string][]byte{"ship.svg": ship, "hit.ogg": []byte("OggS")})
	if err != nil {
		fmt.Println(err)
		return
	}
	var manifest *asset.Manifest
	manifest, err = asset.ParseManifest(set.Blob(set.Hash())) // at most asset.MaxManifest bytes
	if err != nil {
		fmt.Println(err)
		return
	}
	var images asset.Decoded
	for _, f := range manifest.Files {
		data := set.Blob(f.Hash)
		if asset.HashOf(data) != f.Hash || len(data) > asset.MaxFile {
			continue
		}
		if err := images.Add(f, data); err != nil { // together at most asset.MaxDecoded
			fmt.Println(err)
			continue
		}
		size, _ := asset.Inspect(asset.KindOf(f.Name), data) // each side at most asset.MaxSide
		fmt.Println(f.Name, asset.KindOf(f.Name).MIME(), size == asset.Size{Width: 64, Height: 32})
	}
	_, err = asset.NewSet(map[string][]byte{"ship.png": []byte("GIF89a")})
	var broken *asset.Error
	fmt.Println(errors.As(err, &broken), broken.File, broken.Reason)
	// Output:
	// hit.ogg audio/ogg false
	// ship.svg image/svg+xml true
	// true ship.png the content is no png
}
