package api

import (
	"regexp"
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

// Patterns of the colours that are not a name.
var (
	rxHex      = regexp.MustCompile(`^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	rxFunction = regexp.MustCompile(`(?i)^(rgba?|hsla?|hwb|lab|lch|oklab|oklch)\((.*)\)$`)
	rxPart     = regexp.MustCompile(`(?i)^([-+]?[0-9]*\.?[0-9]+(%|deg|rad|turn|grad)?|none)$`)
)

// IsColor reports whether a text is a colour of CSS: #rgb, #rrggbb, each with
// or without opacity, a name, or a function such as rgb(255, 153, 0); or is
// made of a field.
func IsColor(text string) bool {
	if text == "" || strings.Contains(text, "{") || rxHex.MatchString(text) {
		return true
	}
	if call := rxFunction.FindStringSubmatch(text); call != nil {
		parts := strings.FieldsFunc(call[2], func(r rune) bool { return r == ',' || r == '/' || r == ' ' })
		return (len(parts) == 3 || len(parts) == 4) && !slices.ContainsFunc(parts, func(part string) bool { return !rxPart.MatchString(part) })
	}
	_, ok := slices.BinarySearch(colorNames, strings.ToLower(text))
	return ok
}
