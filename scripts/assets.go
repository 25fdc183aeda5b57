package scripts

import (
	"errors"
	"io/fs"
	paths "path"
	"strings"

	"github.com/hindcast/hindcast/runtime/asset"
)

// AssetFolder is the name of the folder of a game's pictures, sounds and fonts.
const AssetFolder = "assets"

// assets reads the folder of assets, if there is one. Hidden files are left out.
func (r *folder) assets() *asset.Set {
	files := map[string][]byte{}
	err := Walk(r.fsys, AssetFolder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == AssetFolder:
			return nil
		case err != nil:
			r.fail(name, 1, "cannot be read: %v", reason(err))
		case strings.HasPrefix(paths.Base(name), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
		case len(files) > asset.MaxFiles:
			return fs.SkipAll // NewSet says so
		case !e.IsDir():
			if data, ok := r.content(name, asset.MaxFile); ok {
				files[strings.TrimPrefix(name, AssetFolder+"/")] = data
			}
		}
		return nil
	})
	if err != nil { // of Walk itself
		r.fail(AssetFolder, 1, "%v", err)
		return nil
	}
	set, err := asset.NewSet(files)
	r.brokenAssets(err)
	return set
}

// brokenAssets reports what is wrong with assets, by file.
func (r *folder) brokenAssets(err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			r.brokenAssets(e)
		}
		return
	}
	if e := (*asset.Error)(nil); errors.As(err, &e) {
		r.fail(paths.Join(AssetFolder, e.File), 1, "%s", e.Reason)
	}
}
