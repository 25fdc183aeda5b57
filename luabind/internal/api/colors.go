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

// IsColor reports whether a text is a colour, or is made of a field.
func IsColor(text string) bool {
	name, _, calls := strings.Cut(text, "(")
	digits, hex := strings.CutPrefix(text, "#")
	switch {
	case text == "" || strings.Contains(text, "{"):
		return true
	case hex:
		return slices.Contains([]int{3, 4, 6, 8}, len(digits)) && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
	case calls: // one of CSS's functions
		return strings.HasSuffix(text, ")") && name != "" &&
			strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-") == ""
	}
	_, ok := slices.BinarySearch(colorNames, strings.ToLower(text))
	return ok
}
