package asset

import (
	"path"
	"strings"
)

// Kind is what a file is, by the end of its name.
type Kind uint8

// The kinds of files.
const (
	PNG Kind = iota + 1
	WebP
	SVG
	Ogg
	WAV
	MP3
	WOFF2
)

var kinds = [...]struct{ ext, mime string }{
	PNG:   {"png", "image/png"},
	WebP:  {"webp", "image/webp"},
	SVG:   {"svg", "image/svg+xml"},
	Ogg:   {"ogg", "audio/ogg"},
	WAV:   {"wav", "audio/wav"},
	MP3:   {"mp3", "audio/mpeg"},
	WOFF2: {"woff2", "font/woff2"},
}

// KindOf returns the kind of a file by its name; 0 if files with this end are not allowed.
func KindOf(name string) Kind {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	for k := PNG; k <= WOFF2; k++ {
		if kinds[k].ext == ext {
			return k
		}
	}
	return 0
}

// String returns the end of the names of such files, such as "png".
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		return ""
	}
	return kinds[k].ext
}

// MIME returns the media type, "" for no kind.
func (k Kind) MIME() string {
	if int(k) >= len(kinds) {
		return ""
	}
	return kinds[k].mime
}

// IsImage reports whether looks and tile maps can show the file.
func (k Kind) IsImage() bool { return k >= PNG && k <= SVG }

// IsSound reports whether a sound can be the file.
func (k Kind) IsSound() bool { return k >= Ogg && k <= MP3 }

// IsFont reports whether texts can use the file as their font.
func (k Kind) IsFont() bool { return k == WOFF2 }

// kindNames returns the ends of the names that are allowed, in a fixed order.
func kindNames() []string {
	out := make([]string, 0, len(kinds)-1)
	for k := PNG; k <= WOFF2; k++ {
		out = append(out, k.String())
	}
	return out
}
