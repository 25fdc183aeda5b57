package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/replay/zstd"
	"github.com/hindcast/hindcast/scripts"
)

// recording is the file that -record writes. nil records nothing.
type recording struct {
	file *os.File
	rec  *replay.Recorder
}

// record begins a replay in a file. For "" it returns nil.
func record(path string, log *slog.Logger) (*recording, error) {
	if path == "" {
		return nil, nil
	}
	f, err := createReplay(path, log)
	if err != nil {
		return nil, fmt.Errorf("-record: %w", err)
	}
	return &recording{f, replay.NewRecorder(f, zstd.New())}, nil
}

// createReplay creates the file of a replay. It keeps a replay that has this name
// under another name, and returns an error if another file has it. An empty file
// is overwritten.
func createReplay(path string, log *slog.Logger) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 || !info.Mode().IsRegular() { // of a device or a pipe, nothing can be lost
		return os.Create(path)
	}
	is, err := isReplay(path)
	if err != nil {
		return nil, err
	}
	if !is {
		return nil, fmt.Errorf("%s exists and is not a replay: name another file, or remove it", path)
	}
	kept, err := setAside(path)
	if err != nil {
		return nil, err
	}
	log.Warn(fmt.Sprintf("%s exists: it is kept as %s", path, kept))
	return os.Create(path)
}

func isReplay(path string) (bool, error) {
	f, err := scripts.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, replay.MagicSize)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return replay.Is(head[:n]), err
}

// setAside renames a file to the first of FILE.1, FILE.2 ... that is free.
func setAside(path string) (kept string, err error) {
	for n := 1; ; n++ {
		kept = fmt.Sprintf("%s.%d", path, n)
		switch _, err := os.Lstat(kept); {
		case errors.Is(err, fs.ErrNotExist):
			return kept, os.Rename(path, kept)
		case err != nil:
			return "", err
		}
	}
}

// writeDesyncReplay writes a replay of the desync that check mode found into a folder.
func writeDesyncReplay(dir string, host *host.Host, log *slog.Logger) error {
	name := filepath.Join(dir, fmt.Sprintf("desync-%d.replay", host.Now()))
	f, err := createReplay(name, log)
	if err != nil {
		return fmt.Errorf("the replay of the desync: %w", err)
	}
	if err := errors.Join(host.WriteReplay(f, zstd.New()), f.Close()); err != nil {
		return fmt.Errorf("the replay of the desync: %w", err)
	}
	log.Error("wrote a replay of the desync; see it with: host replay "+cli.Word(name)+" -verify", "tick",
		uint32(host.Now()))
	return nil
}

// recorder returns the Recorder that the host writes to; nil: it writes none.
func (r *recording) recorder() *replay.Recorder {
	if r == nil {
		return nil
	}
	return r.rec
}

// Close closes the file. Its error says whether some of the match is missing.
func (r *recording) Close() error {
	if r == nil {
		return nil
	}
	if err := errors.Join(r.rec.Err(), r.file.Close()); err != nil {
		return fmt.Errorf("-record: %w", err)
	}
	return nil
}
