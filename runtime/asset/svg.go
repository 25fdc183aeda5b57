package asset

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// maxDrawn is how much work a drawing may be, with each part counted as often as the drawing refers to it. Each
// element that is drawn counts 1, and 1 more for each textWork bytes of its path or text. Each step of a filter
// counts filterWork. An element with a dashed line counts dashWork times.
const (
	maxDrawn   = 20_000
	filterWork = 1000
	textWork   = 256
	dashWork   = 20
)

// maxLayers is how many elements with an opacity, a mask or a filter may be within each other. A browser can need
// memory for a whole image for each.
const maxLayers = 16

// Sizes that a browser gives a drawing with a viewBox and no width and height, at most.
const (
	defaultWidth  = 300
	defaultHeight = 150
)

// svgSize reads an SVG file, and returns the size that a browser gives it. It refuses what could take a
// browser much memory or time: a document type, since its entities can grow without bounds; images within
// the file; elements, attributes and styles that are not known to be light; and elements, references and
// filters beyond maxDrawn.
func svgSize(b []byte) (Size, error) {
	if bytes.Contains(b, []byte("<!DOCTYPE")) || bytes.Contains(b, []byte("<!ENTITY")) {
		return Size{}, invalid("", "an svg with <!DOCTYPE>: remove that")
	}
	d := &drawing{byID: map[string][]int{}}
	return d.readAll(xml.NewDecoder(io.LimitReader(bytes.NewReader(b), MaxFile)))
}

// readAll reads a drawing to its end, and returns the size of its root.
func (d *drawing) readAll(x *xml.Decoder) (size Size, err error) {
	for {
		token, err := x.Token()
		switch {
		case err == io.EOF && len(d.elements) > 0:
			return size, d.drawable()
		case err != nil:
			return Size{}, isNo(SVG)
		}
		if t, ok := token.(xml.StartElement); ok && len(d.elements) == 0 {
			if size, err = svgRoot(t); err != nil {
				return Size{}, err
			}
		}
		if err := d.read(token); err != nil {
			return Size{}, err
		}
	}
}

// svgRoot returns the size that the root element gives a drawing. Attributes of other namespaces do not count.
func svgRoot(t xml.StartElement) (Size, error) {
	if t.Name.Local != "svg" || t.Name.Space != "" && t.Name.Space != svgSpace {
		return Size{}, isNo(SVG)
	}
	value := map[string]string{}
	for _, a := range t.Attr {
		if a.Name.Space == "" {
			value[a.Name.Local] = strings.TrimSpace(a.Value)
		}
	}
	if style := strings.ToLower(value["style"]); strings.Contains(style, "width") || strings.Contains(style, "height") {
		return Size{}, invalid("", "an svg with a size in its style: write width and height as attributes")
	}
	width, height := value["width"], value["height"]
	if isAuto(width) && isAuto(height) {
		return defaultSize(value["viewBox"]), nil
	}
	s := Size{pixels(width), pixels(height)}
	if s.Width == 0 || s.Height == 0 {
		return Size{}, invalid("",
			"an svg with width=%.20q and height=%.20q: write both in pixels, or none and a viewBox", width, height)
	}
	return s, nil
}

// isAuto reports whether an attribute leaves a side of a drawing to the program that shows it.
func isAuto(text string) bool { return text == "" || text == "auto" || text == "100%" }

// defaultSize returns the largest size of the shape of a viewBox that a browser gives a drawing without a size
// of its own.
func defaultSize(viewBox string) Size {
	box := strings.FieldsFunc(viewBox, func(c rune) bool { return strings.ContainsRune(" ,\t\r\n", c) })
	if len(box) != 4 {
		return Size{}
	}
	w, err := strconv.ParseFloat(box[2], 64)
	h, err2 := strconv.ParseFloat(box[3], 64)
	if err != nil || err2 != nil || !(w > 0 && h > 0 && w < 1e9 && h < 1e9) {
		return Size{}
	}
	scale := min(defaultWidth/w, defaultHeight/h)
	return Size{max(int(float64(w*scale)+0.5), 1), max(int(float64(h*scale)+0.5), 1)}
}

// pixels returns a length in pixels, rounded up; 0 for one in other units, more than MaxSide for one that is
// too long.
func pixels(text string) int {
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "px"), 64)
	switch {
	case err != nil || !(v > 0):
		return 0
	case v > MaxSide:
		return MaxSide + 1
	}
	n := int(v)
	if float64(n) < v {
		n++
	}
	return n
}
