package zstd_test

import (
	"bytes"
	"testing"

	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/replay/zstd"
)

func TestPackingRefusesInvalidZstd(t *testing.T) {
	p := zstd.New()
	text := bytes.Repeat([]byte("again and again "), 1000)
	packed := p.Pack([]byte("head"), text)
	if got, err := p.Unpack(packed[4:], len(text)); err != nil || !bytes.Equal(got, text) || len(packed) > 200 {
		t.Errorf("%v; %d bytes of %d, packed in %d", err, len(got), len(text), len(packed))
	}
	huge := p.Pack(nil, make([]byte, replay.MaxBlock+1))
	for name, bad := range map[string][]byte{"text": text[:40], "cut": packed[4 : len(packed)-5], "huge": huge} {
		if _, err := p.Unpack(bad, 100); err == nil {
			t.Errorf("%s is unpacked", name)
		}
	}
}
