package world

// Look is how viewers draw an object. The simulation never reads it.
type Look struct {
	Shape string  `json:"shape,omitempty"` // how it is drawn: a name that viewers know, or {field}
	Color string  `json:"color,omitempty"` // as CSS writes it, or {field}
	Label string  `json:"label,omitempty"` // text below it; {field} stands for a field's value
	Bar   string  `json:"bar,omitempty"`   // a number field with a range: a bar above it, full at the maximum
	Layer float64 `json:"layer,omitempty"` // what has a higher one is drawn above what has a lower one
	Tail  float64 `json:"trail,omitempty"` // seconds of the line behind it; below 0: none; 0: the viewer decides
	Sprite
}

// Sprite is the image that is drawn in the place of a shape, once it is there.
type Sprite struct {
	Image  string  `json:"image,omitempty"`  // the name of an asset, or {field}
	W      float64 `json:"w,omitempty"`      // how wide it is drawn, in metres; 0: by H, or as wide as the body
	H      float64 `json:"h,omitempty"`      // how high; 0: by W
	Frames int     `json:"frames,omitempty"` // how many frames the image has, side by side; 0: one
	FPS    float64 `json:"fps,omitempty"`    // frames a second of an animation; 0: it stands still
	Frame  string  `json:"frame,omitempty"`  // a number field: the frame that is shown, from 0
}

// MaxFrames is the most frames of a Sprite.
const MaxFrames = 256

// MaxSprite is how large a Sprite can be, in metres.
const MaxSprite = 1000

// LookField returns the text field whose value a Shape, a Color or an Image is: that of "{team}" is team. It is ""
// for one that is the same for all objects of the class.
func LookField(text string) string {
	if n := len(text); n > 2 && text[0] == '{' && text[n-1] == '}' {
		return text[1 : n-1]
	}
	return ""
}

// LabelParts calls part for each piece of the label: some text, which may be empty, and the
// name of the field whose value follows it, which is "" for the last piece.
func (l *Look) LabelParts(part func(text, field string)) {
	from, open := 0, -1
	for i := range len(l.Label) {
		switch {
		case l.Label[i] == '{':
			open = i
		case l.Label[i] == '}' && open >= 0:
			part(l.Label[from:open], l.Label[open+1:i])
			from, open = i+1, -1
		}
	}
	part(l.Label[from:], "")
}

// Changes reports whether the label shows values of fields.
func (l *Look) Changes() (yes bool) {
	l.LabelParts(func(_, field string) { yes = yes || field != "" })
	return yes
}
