package scripts_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hindcast/hindcast/scripts"
)

// A folder of a game is read without following what leads out of it, and what is no file or has no end is
// named.
func TestFoldersReachNothingOutside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no /dev/zero, and links need a privilege")
	}
	outside := filepath.Join(t.TempDir(), "secret.lua")
	write(t, outside, "-- a file of the machine")
	for _, c := range []struct {
		what string
		make func(dir string) error
		want string
	}{
		{"a link to a device", func(dir string) error { return os.Symlink("/dev/zero", filepath.Join(dir, "x.lua")) }, "x.lua:1: is a link that leads to no file of this folder: let it lead to one, or copy the file (path escapes from parent)"},
		{"a link out of the folder", func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "x.lua")) }, "x.lua:1: is a link that leads to no file of this folder: let it lead to one, or copy the file (path escapes from parent)"},
		{"a link to nothing", func(dir string) error { return os.Symlink("nothing.lua", filepath.Join(dir, "x.lua")) }, "x.lua:1: is a link that leads to no file of this folder: let it lead to one, or copy the file"},
		{"a sparse file", func(dir string) error {
			write(t, filepath.Join(dir, "x.lua"), "")
			return os.Truncate(filepath.Join(dir, "x.lua"), 100<<30)
		}, "x.lua:1: more than 131072 bytes: split it"},
		{"a sparse asset", func(dir string) error {
			write(t, filepath.Join(dir, "assets", "x.png"), "")
			return os.Truncate(filepath.Join(dir, "assets", "x.png"), 100<<30)
		}, "assets/x.png:1: more than 2097152 bytes"},
		{"a deep tree", func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, "assets", strings.Repeat("d/", 500)), 0o755)
		}, "assets:1: assets: there are folders too deep within each other: more than 32"},
		{"a tree that is not too deep", func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, "assets", strings.Repeat("d/", scripts.MaxDepth-1)), 0o755)
		}, ""},
		{"too many files", func(dir string) error {
			for i := range scripts.MaxEntries {
				if err := os.Link(filepath.Join(dir, "game.lua"), filepath.Join(dir, fmt.Sprint(i))); err != nil {
					return err
				}
			}
			return nil
		}, "game.toml:1: the folder cannot be read: there are too many files: more than 4096"},
		{"too many folders", func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "assets"), 0o755); err != nil {
				return err
			}
			for i := range scripts.MaxEntries {
				if err := os.Mkdir(filepath.Join(dir, "assets", fmt.Sprint(i)), 0o755); err != nil {
					return err
				}
			}
			return nil
		}, "assets:1: assets: there are too many files: more than 4096"},
		{"a link to a file of the folder", func(dir string) error {
			write(t, filepath.Join(dir, "inside.txt"), "-- nothing")
			return os.Symlink("inside.txt", filepath.Join(dir, "x.lua"))
		}, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "game.toml"), `name = "g"`)
			write(t, filepath.Join(dir, "game.lua"), "function tick() end")
			if err := c.make(dir); err != nil {
				t.Fatal(err)
			}
			g, err := scripts.LoadAt(dir, "g")
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%v, want no error", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, %v, want an error with %q", g, err, c.want)
			}
		})
	}
}

func TestReadFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	write(t, file, "12345")
	if data, err := scripts.ReadFile(file, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := scripts.ReadFile(file, 4); !errors.Is(err, scripts.ErrTooLong) || !strings.Contains(err.Error(), file) {
		t.Errorf("5 bytes where 4 are taken: %v", err)
	}
	if _, err := scripts.ReadFile(filepath.Dir(file), 5); !errors.Is(err, scripts.ErrNoFile) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := scripts.ReadFile(file+"x", 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := scripts.ReadFileFS(fstest.MapFS{"p": {Mode: fs.ModeNamedPipe}}, "p", 5); !errors.Is(err, scripts.ErrNoFile) {
		t.Errorf("a pipe: %v", err)
	}
}

// write writes a file, and the folders that it is in.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
