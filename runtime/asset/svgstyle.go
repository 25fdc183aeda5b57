package asset

import (
	"encoding/xml"
	"strings"
)

// maxRules is how many selectors the style sheets of a drawing may have. A browser tries each at each element.
const maxRules = 1000

// note notes what an attribute refers to.
func (e *element) note(a xml.Attr) error {
	if err := embeds(a.Value); err != nil {
		return err
	}
	name := a.Name.Local
	switch {
	case a.Name.Space == xmlSpace && name != "space" && name != "lang":
		return notAllowed("xml:" + name)
	case a.Name.Space == "xmlns" || a.Name == xml.Name{Local: "xmlns"}:
		return nil
	case name == "href" && e.name != "":
		return e.refer(a.Value)
	case a.Name.Space != "" || e.name == "" || isInert(name):
		return nil
	case name == "style":
		return e.declare(a.Value)
	case drawnProperties[name] || elementProperties[name]:
		return e.property(name, a.Value)
	case !drawnAttributes[name]:
		return notAllowed(name + " in <" + e.name + ">")
	case name == "numOctaves" && len(strings.TrimSpace(a.Value)) > 1:
		return notAllowed("numOctaves=" + a.Value)
	case name == "d" || name == "points":
		e.work += len(a.Value) / textWork
	}
	return nil
}

// refer notes the element that href names.
func (e *element) refer(value string) error {
	id, ok, err := reference(strings.TrimSpace(value))
	if ok {
		e.uses = append(e.uses, id)
	}
	return err
}

// reference returns the id that a #id names. Others are not loaded: ok is false. It refuses what browsers decode or
// strip before they look for the id.
func reference(text string) (id string, ok bool, err error) {
	id, ok = strings.CutPrefix(text, "#")
	plainID := !strings.ContainsFunc(id, func(c rune) bool { return c < 0x80 && c != ':' && !plain(c) })
	if ok && plainID && id != "" || !strings.Contains(text, "#") {
		return id, ok, nil
	}
	return "", false, invalid("",
		"an svg with a reference %.40q: write # and an id of letters, digits, -, _, : and dots", text)
}

// declare notes the declarations of a style.
func (e *element) declare(text string) error {
	for declared := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(declared, ":")
		name = lowered(strings.TrimSpace(name))
		switch {
		case strings.TrimSpace(declared) == "" || strings.HasPrefix(name, "-inkscape-"):
			if err := written(name, value); err != nil {
				return err
			}
			continue
		case !drawnProperties[name] && !elementProperties[name]:
			return notAllowed(name + " in a style")
		}
		if err := e.property(name, value); err != nil {
			return err
		}
	}
	return nil
}

// written refuses what can hide the rest of a value.
func written(name, value string) error {
	switch {
	case strings.Contains(value, "\\"):
		return invalid("", "an svg with a backslash in %s: remove that", name)
	case strings.Contains(value, "/*") || strings.ContainsAny(value, "{}@"):
		return notAllowed(name + " with a comment, bracket or @")
	}
	return nil
}

// property notes what a property of an element refers to.
func (e *element) property(name, value string) error {
	if err := written(name, value); err != nil {
		return err
	}
	keyword := lowered(strings.TrimSpace(value))
	ids, others, err := urls(value)
	if err != nil {
		return err
	}
	switch name {
	case "filter", "mask", "clip-path":
		if strings.Contains(keyword, "inherit") {
			return invalid("", "an svg with %s=inherit: remove that", name)
		}
		e.uses = append(e.uses, ids...)
		e.work += filterWork * len(others)
		e.layer(keyword != "none")
		return nil
	case "marker", "marker-start", "marker-mid", "marker-end": // drawn at each vertex
		if keyword != "none" {
			return notAllowed(name)
		}
	case "opacity":
		e.layer(keyword != "1")
	case "mix-blend-mode":
		e.layer(keyword != "normal")
	case "isolation":
		e.layer(keyword != "auto")
	case "stroke-dasharray":
		e.dashed = e.dashed || keyword != "none"
	}
	e.paints = append(e.paints, ids...) // the elements within inherit them
	return colours(name, others)
}

// layer notes whether the element is drawn by itself before it is put in the image.
func (e *element) layer(needed bool) {
	if needed {
		e.layers = 1
	}
}

// colours refuses other functions than those of colours.
func colours(name string, functions []string) error {
	for _, f := range functions {
		if !colourFunctions[f] {
			return notAllowed(name + " with " + f + "(")
		}
	}
	return nil
}

// lowered returns a text with small letters in the place of A to Z.
func lowered(text string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}, text)
}

// urls returns the ids in the url(#id) of a value, and the other functions that it calls.
func urls(value string) (ids, others []string, err error) {
	for {
		before, rest, more := strings.Cut(value, "(")
		if !more {
			return ids, others, nil
		}
		function := lowered(before[strings.LastIndexFunc(before, func(c rune) bool { return !plain(c) })+1:])
		if value = rest; function != "url" {
			others = append(others, function)
			continue
		}
		inner, _, _ := strings.Cut(rest, ")")
		id, ok, err := reference(unquoted(strings.TrimSpace(inner)))
		if err != nil {
			return nil, nil, err
		}
		if ok {
			ids = append(ids, id)
		}
	}
}

// unquoted returns a text without the quotes around it.
func unquoted(text string) string {
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return strings.TrimSpace(text[1 : n-1])
	}
	return text
}

// embeds refuses a text with a file in it, such as an image whose size nobody has checked.
func embeds(text string) error {
	squeezed := strings.Map(func(c rune) rune {
		if c <= ' ' {
			return -1
		}
		return c
	}, strings.ToLower(text))
	if strings.Contains(squeezed, "data:") {
		return invalid("", "an svg with a file in it (data:): remove that")
	}
	return nil
}

// sheet checks the text of a style sheet, whose rules can apply to any element.
func (d *drawing) sheet(text string) error {
	if err := embeds(text); err != nil {
		return err
	}
	for rule := range strings.SplitSeq(text, "}") {
		selector, body, _ := strings.Cut(rule, "{")
		if selector = strings.TrimSpace(selector); selector == "" && body == "" {
			continue
		}
		if strings.Trim(selector, selectorChars) != "" {
			return invalid("", "an svg with %.40q in <style>: it can have only rules such as .name { fill: red }",
				selector)
		}
		if d.rules += 1 + strings.Count(selector, ","); d.rules > maxRules {
			return invalid("", "an svg with more than %d rules in <style>", maxRules)
		}
		if err := d.rule(body); err != nil {
			return err
		}
	}
	return nil
}

// selectorChars are the characters of selectors that browsers find fast: elements, classes, ids and lists of them.
const selectorChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.#*, \t\r\n"

// rule checks the declarations of a rule.
func (d *drawing) rule(body string) error {
	var e element
	for declared := range strings.SplitSeq(body, ";") {
		name, _, _ := strings.Cut(declared, ":")
		if name = lowered(strings.TrimSpace(name)); elementProperties[name] {
			return invalid("", "an svg with %s in <style>: remove it, or write it as an attribute of the elements",
				name)
		}
	}
	if err := e.declare(body); err != nil {
		return err
	}
	if len(e.paints) > 0 {
		return invalid("", "an svg with url(#...) in <style>: write it as an attribute of the elements")
	}
	if e.dashed {
		return invalid("", "an svg with stroke-dasharray in <style>: write it as an attribute of the elements")
	}
	d.layered = d.layered || e.layers > 0
	return nil
}
