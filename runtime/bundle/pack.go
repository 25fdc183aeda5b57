package bundle

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
)

// Pack compresses an encoded bundle for its way to a client. The same bytes may be packed in several ways.
func Pack(data []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is valid
	_, _ = w.Write(data)                               // a Buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// PackAgainst is Pack for a client that has another encoded bundle, the base. It returns nil if that would save little:
// the bundles have too little in common.
func PackAgainst(base, data []byte) []byte {
	steps, ok := difference(base, data)
	if !ok {
		return nil
	}
	return Pack(steps)
}

// Unpack reverses Pack. It takes memory for at most as many bytes as most, and for MaxSize; more are an error. The
// error wraps ErrInvalid.
func Unpack(packed []byte, most int) ([]byte, error) {
	most = min(most, MaxSize)
	data, err := inflate(packed, most)
	if err == nil && len(data) > most {
		err = fmt.Errorf("%w: more than the %d bytes that were announced", ErrInvalid, most)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// UnpackAgainst reverses PackAgainst, with the same base. It takes memory as Unpack does, and twice that while it runs.
// What it returns from another base is something else, if anything: check its hash. The error wraps ErrInvalid.
func UnpackAgainst(base, packed []byte, most int) ([]byte, error) {
	most = min(most, MaxSize)
	steps, err := inflate(packed, most+stepsSlack)
	if err != nil {
		return nil, err
	}
	if len(steps) > most+stepsSlack {
		return nil, fmt.Errorf("%w: more than the %d bytes that were announced", ErrInvalid, most)
	}
	return apply(base, steps, most)
}

// inflate decompresses at most one byte more than most.
func inflate(packed []byte, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("%w: not packed: %w", ErrInvalid, err)
	}
	return data, nil
}
