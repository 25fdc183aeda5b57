package api

import (
	"regexp"
	"slices"
	"strings"
)

// rxHexColor matches a colour in hexadecimal digits as browsers accept it, rxColorFunction one of CSS's functions.
var (
	rxHexColor      = regexp.MustCompile(`^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	rxColorFunction = regexp.MustCompile(`^[a-zA-Z-]+\(.*\)$`)
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
	if text == "" || strings.Contains(text, "{") || rxHexColor.MatchString(text) || rxColorFunction.MatchString(text) {
		return true
	}
	_, ok := slices.BinarySearch(colorNames, strings.ToLower(text))
	return ok
}
