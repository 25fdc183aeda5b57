package asset

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/png"
)

// Size is how large an image is, in pixels.
type Size struct{ Width, Height int }

// Inspect checks by its header that a file is of a kind, and returns the size of an image; 0 x 0 for
// sounds and fonts. An image must be whole: a PNG with its checksums. It decodes nothing. The error wraps ErrInvalid.
func Inspect(k Kind, data []byte) (Size, error) {
	switch k {
	case PNG:
		c, err := png.DecodeConfig(bytes.NewReader(data))
		s, bad := sized(k, Size{c.Width, c.Height}, err == nil)
		if bad == nil {
			bad = wholePNG(data)
		}
		if bad != nil {
			return Size{}, bad
		}
		return s, nil
	case WebP:
		s, ok := webpSize(data)
		if ok && int64(binary.LittleEndian.Uint32(data[4:])) > int64(len(data)-8) {
			return Size{}, invalid("", "the file ends too early: save it again")
		}
		return sized(k, s, ok)
	case SVG:
		s, err := svgSize(data)
		if err != nil {
			return Size{}, err
		}
		return sized(k, s, true)
	case Ogg:
		return Size{}, starts(k, data, "OggS")
	case WAV:
		if len(data) < 12 || string(data[8:12]) != "WAVE" {
			return Size{}, isNo(k)
		}
		return Size{}, starts(k, data, "RIFF")
	case MP3:
		if len(data) > 2 && data[0] == 0xff && data[1]&0xe0 == 0xe0 { // a frame without a tag before it
			return Size{}, nil
		}
		return Size{}, starts(k, data, "ID3")
	case WOFF2:
		return Size{}, woff2(data)
	}
	return Size{}, invalid("", "of no kind that is allowed")
}

// wholePNG checks that all chunks of a PNG are there, as they were written: each has a checksum.
//
// Source: "Portable Network Graphics (PNG) Specification (Third Edition)", 5.3 (W3C).
func wholePNG(data []byte) error {
	const head, check = 8, 4 // bytes: of the signature, and of length and type of a chunk; of its checksum
	for at := head; ; {
		if len(data)-at < head+check {
			return invalid("", "the file ends too early: save it again")
		}
		chunk := data[at:]
		n := int64(binary.BigEndian.Uint32(chunk))
		if n > int64(len(chunk)-head-check) {
			return invalid("", "the file ends too early: save it again")
		}
		body := chunk[4 : head+n]
		if crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(chunk[head+n:]) {
			return invalid("", "the file is damaged after byte %d: save it again", at)
		}
		if string(body[:4]) == "IEND" {
			return nil
		}
		at += head + int(n) + check
	}
}

func isNo(k Kind) error { return invalid("", "the content is no %s", k) }

func starts(k Kind, data []byte, magic string) error {
	if !bytes.HasPrefix(data, []byte(magic)) {
		return isNo(k)
	}
	return nil
}

func sized(k Kind, s Size, ok bool) (Size, error) {
	switch {
	case !ok || s.Width < 1 || s.Height < 1:
		return Size{}, isNo(k)
	case s.Width > MaxSide || s.Height > MaxSide:
		return Size{}, invalid("", "%d x %d pixels: at most %d x %d", s.Width, s.Height, MaxSide, MaxSide)
	}
	return s, nil
}

// webpSize reads the first chunk of a WebP file: lossy (RFC 6386, 9.1), lossless, or extended (RFC 9649).
func webpSize(b []byte) (s Size, ok bool) {
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return Size{}, false
	}
	le := binary.LittleEndian
	switch string(b[12:16]) {
	case "VP8 ":
		return Size{
				int(le.Uint16(b[26:]) & 0x3fff),
				int(le.Uint16(b[28:]) & 0x3fff),
			}, b[23] == 0x9d && b[24] == 0x01 &&
				b[25] == 0x2a
	case "VP8L":
		bits := le.Uint32(b[21:])
		return Size{int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1}, b[20] == 0x2f
	case "VP8X":
		if b[20]&0x02 != 0 { // animated: the browser would decode frame after frame
			return Size{}, false
		}
		return Size{int(le.Uint32(b[23:])>>8) + 1, int(uint32(b[27])|uint32(b[28])<<8|uint32(b[29])<<16) + 1}, true
	}
	return Size{}, false
}

// maxFont is the most bytes that a font may have once it is decompressed.
const maxFont = 16 << 20

// woff2 checks the header of a font. Its size when it is decompressed is a hint only, which the browser
// does not exceed.
func woff2(b []byte) error {
	if len(b) < 48 || string(b[:4]) != "wOF2" || binary.BigEndian.Uint32(b[8:]) != uint32(len(b)) {
		return isNo(WOFF2)
	}
	if n := binary.BigEndian.Uint32(b[16:]); n > maxFont {
		return invalid("", "a font of %d bytes once it is decompressed: at most %d", n, maxFont)
	}
	return nil
}
