package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/hindcast/hindcast/runtime"
)

// recording is the file that -record writes; nil: there is none.
type recording struct {
	file *os.File
	rec  *runtime.Recorder
}

// record begins a replay in a file; "" gives nil.
func record(path string) (*recording, error) {
	if path == "" {
		return nil, nil
	}
	packing, err := newPacking()
	if err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("-record: %w", err)
	}
	return &recording{f, runtime.NewRecorder(f, packing)}, nil
}

// keepEvidence writes a replay of what check mode found into a folder.
func keepEvidence(dir string, host *runtime.Host, log *slog.Logger) error {
	name := filepath.Join(dir, fmt.Sprintf("desync-%d.replay", host.Now()))
	packing, err := newPacking()
	if err != nil {
		return err
	}
	f, err := os.Create(name)
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
