package main

import (
	"fmt"

	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/klauspost/compress/zstd"
)

// zstdPacking compresses the blocks of replays, each to one zstd frame.
type zstdPacking struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

func newPacking() (*zstdPacking, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(replay.MaxBlock))
	if err != nil {
		return nil, fmt.Errorf("zstd: %w", err)
	}
	return &zstdPacking{enc, dec}, nil
}

// ID is the number of zstd in replay files.
func (*zstdPacking) ID() byte { return replay.Zstd }

// Pack appends a zstd frame.
func (p *zstdPacking) Pack(dst, src []byte) []byte { return p.enc.EncodeAll(src, dst) }

// Unpack decompresses a zstd frame. It allocates at most replay.MaxBlock bytes.
func (p *zstdPacking) Unpack(src []byte, _ int) ([]byte, error) { return p.dec.DecodeAll(src, nil) }
