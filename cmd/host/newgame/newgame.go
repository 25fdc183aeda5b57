package newgame

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/scripts"
)

// File is a file of a game. Its path is relative to the game's folder, with slashes.
type File struct {
	Path string
	Data []byte
}

// Read reads all files of a game that are not hidden. It refuses what no file of a game can be: a pipe, a device,
// a file that is larger than an asset may be.
func Read(game fs.FS) (files []File, err error) {
	err = scripts.Walk(game, ".", func(path string, d fs.DirEntry, err error) error {
		hidden := path != "." && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return fs.SkipDir
		case hidden || d.IsDir():
			return nil
		}
		data, err := scripts.ReadFileFS(game, path, asset.MaxFile)
		files = append(files, File{path, data})
		return err
	})
	return files, err
}

// Write writes the files of a game, and definitions for editors, into a folder that does not exist yet or is
// empty. The name of the game becomes that of the folder.
func Write(dir string, files []File) error {
	switch entries, err := os.ReadDir(dir); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: name a folder that does not exist yet", dir)
	}
	at, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir) // no name of a file leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	name := []byte("name = " + strconv.Quote(nameOf(filepath.Base(at))))
	for _, f := range files {
		if f.Path == "game.toml" {
			f.Data = rxName.ReplaceAllLiteral(f.Data, name)
		}
		path := filepath.FromSlash(f.Path)
		if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	return define(dir)
}

// define writes the definitions of a folder's game.
func define(dir string) error {
	game, err := scripts.LoadDir(dir)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	return Define(dir, script.Schema())
}

// Next says what to do with a new game.
func Next(dir string) string {
	word := cli.Word(dir)
	return fmt.Sprintf("%s: a new game\n\n  host %s         run it; then join it with: client 127.0.0.1:7777\n  "+
		"host test %s    run its tests\n  host check %s   look for mistakes\n", dir, word, word, word)
}

// rxName is the name of a game in its game.toml.
var rxName = regexp.MustCompile(`(?m)^name\s*=.*$`)

// nameOf makes a valid name for a game of a folder's name.
func nameOf(folder string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r < unicode.MaxASCII && r != '\\' && r != '"' {
			return r
		}
		return -1
	}, folder)
	if name == "" || len(name) > 64 {
		return "game"
	}
	return name
}
