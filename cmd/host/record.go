package main

import (
	"errors"
	"fmt"
	"os"

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
