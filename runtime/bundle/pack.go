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

// Unpack reverses Pack. It takes memory for at most as many bytes as most, and for MaxSize; more are an error. The
// error wraps ErrInvalid.
func Unpack(packed []byte, most int) ([]byte, error) {
	most = min(most, MaxSize)
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(most)+1))
	if err != nil {
		return nil, fmt.Errorf("%w: not packed: %w", ErrInvalid, err)
	}
	if len(data) > most {
		return nil, fmt.Errorf("%w: more than the %d bytes that were announced", ErrInvalid, most)
	}
	return data, nil
}
