package api

import (
	"slices"
	"strings"
)

// colorNames are the names of colours in CSS, sorted.
var colorNames = strings.Fields(`aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue
blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson currentcolor cyan
darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid
darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink
deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod
gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen
lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab
orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver
skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet
wheat white whitesmoke yellow yellowgreen`)

// ColorNames returns the names of colours in CSS.
func ColorNames() []string { return slices.Clone(colorNames) }

// colorFunctions are the functions of CSS that make a colour of three numbers, and its opacity.
var colorFunctions = []string{"hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "rgb", "rgba"}

// IsColor reports whether a text is a colour of CSS: #rgb, #rrggbb, each with
// or without opacity, a name, or a function such as rgb(255, 153, 0); or is
// made of a field.
func IsColor(text string) bool {
	if text == "" || strings.Contains(text, "{") {
		return true
	}
	text = strings.ToLower(text)
	if digits, hex := strings.CutPrefix(text, "#"); hex {
		return slices.Contains([]int{3, 4, 6, 8}, len(digits)) && strings.Trim(digits, "0123456789abcdef") == ""
	}
	if name, rest, calls := strings.Cut(text, "("); calls {
		args, closed := strings.CutSuffix(rest, ")")
		parts := strings.FieldsFunc(args, func(r rune) bool { return strings.ContainsRune(",/ ", r) })
		return closed && slices.Contains(colorFunctions, name) && (len(parts) == 3 || len(parts) == 4) &&
			!slices.ContainsFunc(parts, func(part string) bool { return !isColorPart(part) })
	}
	_, ok := slices.BinarySearch(colorNames, text)
	return ok
}

// isColorPart reports whether a text is a number, which may have a unit, or none.
func isColorPart(text string) bool {
	for _, unit := range []string{"%", "deg", "grad", "rad", "turn"} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			text = number
			break
		}
	}
	whole, part, _ := strings.Cut(strings.TrimLeft(text, "+-"), ".")
	return text == "none" || whole+part != "" && strings.Trim(whole+part, "0123456789") == ""
}
