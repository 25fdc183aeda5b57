//go:build unix

package scripts

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// late is a file system in which a pipe takes the place of every file between Stat and Open.
type late struct{ fs.FS }

func (l late) Stat(string) (fs.FileInfo, error)  { return fs.Stat(l.FS, "file") }
func (l late) Open(name string) (fs.File, error) { return l.FS.Open("pipe") }

// TestPipeInThePlaceOfAFile: a pipe that takes the place of a file after that was looked at does not block who reads
// it.
func TestPipeInThePlaceOfAFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for what, read := range map[string]func() error{
		"by its path": func() error { _, err := openFile(pipe); return err },
		"in a folder": func() error { _, err := ReadFileFS(late{FS(root)}, "file", 1); return err },
	} {
		got := make(chan error, 1)
		go func() { got <- read() }()
		select {
		case err := <-got:
			if !errors.Is(err, ErrNoFile) {
				t.Errorf("%s: %v, want one of ErrNoFile", what, err)
			}
		case <-time.After(60 * time.Second):
			t.Fatalf("%s: it waits for a writer", what)
		}
	}
}
