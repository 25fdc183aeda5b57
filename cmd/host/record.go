package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/replay"
)

// recording is the file that -record writes; nil: there is none.
type recording struct {
	file *os.File
	rec  *runtime.Recorder
}

// record begins a replay in a file; "" gives nil.
func record(path string, log *slog.Logger) (*recording, error) {
	if path == "" {
		return nil, nil
	}
	packing, err := newPacking()
	if err != nil {
		return nil, err
	}
	f, err := createReplay(path, log)
	if err != nil {
		return nil, fmt.Errorf("-record: %w", err)
	}
	return &recording{f, runtime.NewRecorder(f, packing)}, nil
}

// createReplay opens a new file for a replay. One that is there stays: a replay
// under another name, anything else where it is, and that is an error. An
// empty file is used.
func createReplay(path string, log *slog.Logger) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 || !info.Mode().IsRegular() { // a device, a pipe: nothing can be lost
		return os.Create(path)
	}
	is, err := isReplay(path)
	if err != nil {
		return nil, err
	}
	if !is {
		return nil, fmt.Errorf("%s is there already, and is no replay: name another file, or remove it", path)
	}
	kept, err := setAside(path)
	if err != nil {
		return nil, err
	}
	log.Warn(fmt.Sprintf("%s is there already: it is kept as %s", path, kept))
	return os.Create(path)
}

func isReplay(path string) (bool, error) {
	f, err := os.Open(path)
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

// setAside gives a file the first of the names FILE.1, FILE.2 ... that is free.
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

// writeDesyncReplay writes a replay of what check mode found into a folder.
func writeDesyncReplay(dir string, host *runtime.Host, log *slog.Logger) error {
	name := filepath.Join(dir, fmt.Sprintf("desync-%d.replay", host.Now()))
	packing, err := newPacking()
	if err != nil {
		return err
	}
	f, err := createReplay(name, log)
	if err != nil {
		return fmt.Errorf("the replay of what went wrong: %w", err)
	}
	if err := errors.Join(host.WriteReplay(f, packing), f.Close()); err != nil {
		return fmt.Errorf("the replay of what went wrong: %w", err)
	}
	log.Error("see it with: host replay "+name+" -verify", "tick", uint32(host.Now()))
	return nil
}

// recorder is what the host writes to.
func (r *recording) recorder() *runtime.Recorder {
	if r == nil {
		return nil
	}
	return r.rec
}

// Close tells whether all of the match is in the file.
func (r *recording) Close() error {
	if r == nil {
		return nil
	}
	if err := errors.Join(r.rec.Err(), r.file.Close()); err != nil {
		return fmt.Errorf("-record: %w", err)
	}
	return nil
}
