package asset

import (
	"encoding/xml"
	"strings"
)

// drawing is what svgSize collects of an SVG file.
type drawing struct {
	elements []element
	byID     map[string][]int // all elements with an id: which of them counts is up to the browser
	open     []int            // the elements that are not closed, the innermost last
	rules    int              // of its style sheets
	layered  bool             // whether a style sheet has an opacity, which can be that of any element
}

// element is an element of a drawing, with the work that drawing it takes.
type element struct {
	name    string // "": of a namespace that browsers do not draw
	text    []byte
	work    int
	dashed  bool
	layers  int      // how many layers are within each other: at first its own
	inner   []int    // the elements in it
	uses    []string // the ids of what is drawn with it, once
	paints  []string // the ids of what is drawn with each element in it
	painted bool     // whether it or an element around it has paints or dashes
	state   uint8    // whether total has begun, or has ended
}

// read notes a part of the file.
func (d *drawing) read(token xml.Token) error {
	switch t := token.(type) {
	case xml.Directive:
		return invalid("", "an svg with <!%.20s>: remove that", t)
	case xml.ProcInst:
		if t.Target != "xml" {
			return invalid("", "an svg with <?%s?>: remove that", t.Target)
		}
	case xml.StartElement:
		return d.begin(t)
	case xml.EndElement:
		return d.end()
	case xml.CharData: // comments and CDATA cut a text into several
		if e := d.innermost(); e != nil && e.name != "" {
			e.text = append(e.text, t...)
		}
	}
	return nil
}

// innermost returns the innermost element that is open, nil outside of all.
func (d *drawing) innermost() *element {
	if n := len(d.open); n > 0 {
		return &d.elements[d.open[n-1]]
	}
	return nil
}

// begin notes an element.
func (d *drawing) begin(t xml.StartElement) error {
	e := element{name: t.Name.Local, work: 1}
	if isForeign(t.Name.Space) {
		e.name = ""
	} else if err := e.allowed(t.Name); err != nil {
		return err
	}
	at := len(d.elements)
	seen := map[xml.Name]bool{}
	for _, a := range t.Attr {
		if seen[a.Name] {
			return isNo(SVG)
		}
		seen[a.Name] = true
		if err := e.note(a); err != nil {
			return err
		}
		if a.Name == (xml.Name{Local: "id"}) {
			d.byID[a.Value] = append(d.byID[a.Value], at)
		}
	}
	if at > maxDrawn {
		return invalid("", "an svg with more than %d elements", maxDrawn)
	}
	if err := d.enter(&e, at); err != nil {
		return err
	}
	d.elements = append(d.elements, e)
	d.open = append(d.open, at)
	return nil
}

// enter puts an element in the innermost one.
func (d *drawing) enter(e *element, at int) error {
	e.painted = len(e.paints) > 0 || e.dashed
	outer := d.innermost()
	if outer == nil {
		return nil
	}
	if outer.name == "style" {
		return notAllowed("an element in <style>")
	}
	// What is in these inherits the paints around it, wherever it is drawn.
	if outer.painted && (e.name == "pattern" || e.name == "mask" || e.name == "clipPath") {
		return invalid("", "an svg with <%s> in an element with url(#...) or dashes: move it to <defs>", e.name)
	}
	e.painted = e.painted || outer.painted
	outer.inner = append(outer.inner, at)
	return nil
}

// allowed refuses an element that is not known to be light.
func (e *element) allowed(n xml.Name) error {
	switch {
	case strings.HasPrefix(n.Local, "animate") || n.Local == "set":
		return invalid("", "an svg with <%s>: a drawing cannot move; use frames of a png", n.Local)
	case n.Space != "" && n.Space != svgSpace || !drawnElements[n.Local]:
		return notAllowed("<" + n.Local + ">")
	case strings.HasPrefix(n.Local, "fe"):
		e.work = filterWork
	}
	return nil
}

// end closes the innermost element.
func (d *drawing) end() error {
	e := d.innermost()
	d.open = d.open[:len(d.open)-1]
	text := string(e.text)
	e.text = nil
	if e.name == "style" {
		return d.sheet(text)
	}
	e.work += len(text) / textWork
	return nil
}

// The states of an element in total.
const (
	begun = iota + 1
	ended
)

// drawable refuses a drawing that is too much work.
func (d *drawing) drawable() error {
	if total, ok := d.total(0); !ok || total > maxDrawn {
		return invalid(
			"",
			"an svg with more than %d elements, steps of filters counted as %d, dashed lines as %d, "+
				"long paths and texts as 1 for each %d bytes, and all as often as they are drawn",
			maxDrawn,
			filterWork,
			dashWork,
			textWork,
		)
	}
	if d.elements[0].layers > maxLayers {
		return invalid("", "an svg with more than %d elements with an opacity, mask or filter within each other",
			maxLayers)
	}
	return nil
}

// total returns the work of an element with all that is in it and that it refers to. It fails if that refers
// to itself, or is more than maxDrawn.
func (d *drawing) total(at int) (work int, ok bool) {
	e := &d.elements[at]
	if e.state != 0 {
		return e.work, e.state == ended
	}
	e.state = begun
	if d.layered {
		e.layers = 1
	}
	own := e.layers
	for _, i := range append(e.inner, d.named(e.uses)...) {
		n, ok := d.total(i)
		if e.work += n; !ok || e.work > maxDrawn {
			return e.work, false
		}
		e.layers = max(e.layers, own+d.elements[i].layers)
	}
	each := e.work
	if e.dashed {
		e.work *= dashWork
	}
	for _, i := range d.named(e.paints) {
		n, ok := d.total(i)
		if e.work += each * n; !ok || e.work > maxDrawn {
			return e.work, false
		}
		e.layers = max(e.layers, own+d.elements[i].layers)
	}
	e.state = ended
	return e.work, true
}

// named returns the elements with some ids.
func (d *drawing) named(ids []string) (list []int) {
	for _, id := range ids {
		list = append(list, d.byID[id]...)
	}
	return list
}
