package wire

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/golden"
)

// The bytes of the protocol do not change without a new Version. The file has one line a
// sample: its message, its number, its bytes.
func TestGolden(t *testing.T) {
	var lines []string
	for _, c := range codecs() {
		for i, m := range c.samples {
			lines = append(lines, fmt.Sprintf("%s %d %x", c.kind, i, c.append(nil, m)))
		}
	}
	golden.Lines(t, "testdata/golden.txt", lines)
}

// PROTOCOL.md's worked examples are the samples, byte for byte.
func TestProtocolExamples(t *testing.T) {
	doc := readProtocol(t)
	for _, c := range codecs() {
		fence := "```hex " + c.kind.String() + "\n"
		_, block, ok := strings.Cut(doc, fence)
		if !ok {
			if c.kind == KindInputPacket || c.kind == KindHostPacket {
				t.Errorf("PROTOCOL.md has no example of %s", c.kind)
			}
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		var digits strings.Builder
		for line := range strings.Lines(block) {
			bytes, _, _ := strings.Cut(line, "|")
			digits.WriteString(strings.Join(strings.Fields(bytes), ""))
		}
		if got, want := digits.String(), hex.EncodeToString(c.append(nil, c.samples[0])); got != want {
			t.Errorf("PROTOCOL.md's %s is\n%s\nbut should be\n%s", c.kind, got, want)
		}
	}
}

// PROTOCOL.md has a row for every kind, with its number.
func TestProtocolKinds(t *testing.T) {
	doc := readProtocol(t)
	for _, c := range codecs() {
		if row := fmt.Sprintf("\n| %d | %s |", c.kind, c.kind); !strings.Contains(doc, row) {
			t.Errorf("PROTOCOL.md has no row %q", row)
		}
		if head := "\n### " + c.kind.String() + "\n"; !strings.Contains(doc, head) {
			t.Errorf("PROTOCOL.md has no section %q", head)
		}
	}
}

// PROTOCOL.md names the version that the code has.
func TestProtocolVersion(t *testing.T) {
	if line := fmt.Sprintf("Protocol version: **%d**", Version); !strings.Contains(readProtocol(t), line) {
		t.Errorf("PROTOCOL.md does not say %q", line)
	}
}

func readProtocol(t *testing.T) string {
	b, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
