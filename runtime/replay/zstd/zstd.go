// Package zstd compresses replays as the program host does. Its [Packing] is for
// replay.Open, to read files of "host -record", and for a replay.Recorder, to write
// such files:
//
//	recorder := replay.NewRecorder(out, zstd.New())
//	file, err := replay.Open(f, size, zstd.New())
//
// It is a package of its own because it is the only part of the library that
// depends on a compression library.
//
// # Concurrency
//
// A Packing may be used by several goroutines at the same time.
package zstd

import (
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/klauspost/compress/zstd"
)

// Packing compresses the blocks of replays, each to one zstd frame.
type Packing struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// New returns a Packing. It takes little memory until it is used.
func New() *Packing {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic("zstd: " + err.Error()) // only an option out of its range is an error
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(replay.MaxBlock),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic("zstd: " + err.Error())
	}
	return &Packing{enc, dec}
}

// ID returns the number of zstd in replay files.
func (*Packing) ID() byte { return replay.Zstd }

// Pack appends a zstd frame.
func (p *Packing) Pack(dst, src []byte) []byte { return p.enc.EncodeAll(src, dst) }

// Unpack decompresses a zstd frame of at most size bytes, and allocates no more. Its error says
// what is wrong with the frame.
func (p *Packing) Unpack(src []byte, size int) ([]byte, error) {
	return p.dec.DecodeAll(src, make([]byte, 0, min(size, replay.MaxBlock)))
}
