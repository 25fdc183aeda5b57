package wire

import (
	"bytes"
	"errors"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// fuzz checks that, for any bytes, a parser returns an error that wraps ErrMalformed, or a
// message that is the same after it is written and read again. If a message has only one
// encoding, the bytes are the same too; otherwise they do not become more.
func fuzz(f *testing.F, kind Kind, oneForm bool) {
	c := codecs()[kind-1]
	for _, b := range found()[kind] {
		f.Add([]byte(b))
	}
	for _, m := range c.samples {
		b := c.append(nil, m)
		f.Add(b)
		f.Add(b[:len(b)/2])
		f.Add(append(b, 0xff))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := c.parse(b)
		if err != nil {
			if !errors.Is(err, ErrMalformed) {
				t.Fatal(err)
			}
			return
		}
		again := c.append(nil, m)
		if oneForm && !bytes.Equal(again, b) {
			t.Fatalf("%x became %x", b, again)
		}
		if len(again) > len(b) && kind != KindHello { // of another version, of which nothing is kept
			t.Fatalf("%d bytes became %d: %x, %x", len(b), len(again), b, again)
		}
		back, err := c.parse(again)
		if err != nil || !same(back, m) {
			t.Fatalf("%+v\nbecame %+v, %v", m, back, err)
		}
	})
}

// found returns inputs with which fuzzing found mistakes before.
func found() map[Kind][]string {
	return map[Kind][]string{
		KindKeyframe: {"\f0\x01\x060000000000017\xfbC0000\x0500000\x00"}, // -2.125 in 256ths, which was once written longer, in thousandths
	}
}

func FuzzParsePing(f *testing.F)        { fuzz(f, KindPing, true) }
func FuzzParsePong(f *testing.F)        { fuzz(f, KindPong, true) }
func FuzzParseInputPacket(f *testing.F) { fuzz(f, KindInputPacket, false) }
func FuzzParseHostPacket(f *testing.F)  { fuzz(f, KindHostPacket, false) }
func FuzzParseCorrection(f *testing.F)  { fuzz(f, KindCorrection, true) }
func FuzzParseHello(f *testing.F)       { fuzz(f, KindHello, false) }
func FuzzParseWelcome(f *testing.F)     { fuzz(f, KindWelcome, true) }
func FuzzParseRefuse(f *testing.F)      { fuzz(f, KindRefuse, true) }
func FuzzParseBundleWant(f *testing.F)  { fuzz(f, KindBundleWant, true) }
func FuzzParseBundle(f *testing.F)      { fuzz(f, KindBundle, true) }
func FuzzParseReady(f *testing.F)       { fuzz(f, KindReady, true) }
func FuzzParseKeyframe(f *testing.F)    { fuzz(f, KindKeyframe, false) }
func FuzzParseAnnounce(f *testing.F)    { fuzz(f, KindAnnounce, true) }
func FuzzParseNotice(f *testing.F)      { fuzz(f, KindNotice, true) }
func FuzzParseChat(f *testing.F)        { fuzz(f, KindChat, true) }
func FuzzParseRoster(f *testing.F)      { fuzz(f, KindRoster, true) }
func FuzzParseStateWant(f *testing.F)   { fuzz(f, KindStateWant, true) }
func FuzzParseCues(f *testing.F)        { fuzz(f, KindCues, true) }
func FuzzParseStateReply(f *testing.F)  { fuzz(f, KindStateReply, true) }

func FuzzParseEnter(f *testing.F) { fuzz(f, KindEnter, true) }

func FuzzParseProblems(f *testing.F) { fuzz(f, KindProblems, true) }

func FuzzParseEnd(f *testing.F) { fuzz(f, KindEnd, true) }

func FuzzParseAssets(f *testing.F)    { fuzz(f, KindAssets, true) }
func FuzzParseAssetWant(f *testing.F) { fuzz(f, KindAssetWant, true) }
func FuzzParseAssetPart(f *testing.F) { fuzz(f, KindAssetPart, true) }

func FuzzParseMotion(f *testing.F) { fuzz(f, KindMotion, false) }

// FuzzParseRow: the bits of a row are an arithmetic code, in which a word can have several forms.
func FuzzParseRow(f *testing.F) {
	f.Add(AppendRow(nil, new(sampleRow())))
	f.Add(AppendRow(nil, &Row{Number: 1, Bundle: 1, Object: 1, Words: make([]int64, MaxRowWords)}))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseRow(b)
		if err != nil {
			if !errors.Is(err, ErrMalformed) {
				t.Fatal(err)
			}
			return
		}
		if back, err := ParseRow(AppendRow(nil, &m)); err != nil || !same(back, m) {
			t.Fatalf("%+v\nbecame %+v, %v", m, back, err)
		}
	})
}

func FuzzReadEvent(f *testing.F) {
	frame := sampleEventFrame()
	for i := range frame.Records {
		f.Add(AppendEvent(nil, &frame.Records[i].Event))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var ev, back world.Event
		rest, err := ReadEvent(b, &ev)
		if err != nil {
			if !errors.Is(err, ErrMalformed) {
				t.Fatal(err)
			}
			return
		}
		again := AppendEvent(nil, &ev)
		if len(again) > len(b)-len(rest) {
			t.Fatalf("%x of %x became %x", b[:len(b)-len(rest)], b, again)
		}
		if rest, err = ReadEvent(again, &back); err != nil || len(rest) != 0 || !same(back, ev) {
			t.Fatalf("%+v\nbecame %+v, %v", ev, back, err)
		}
	})
}
