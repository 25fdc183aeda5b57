package lint

import (
	"regexp"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// rxHexColor matches a colour in hexadecimal digits as browsers accept it, rxColorFunction one of CSS's functions.
var (
	rxHexColor      = regexp.MustCompile(`^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	rxColorFunction = regexp.MustCompile(`^[a-zA-Z-]+\(.*\)$`)
	rxBareHex       = regexp.MustCompile(`^([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)
)

// colorNames are the names of colours in CSS.
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

// isColor reports whether a text is a colour, or is made of a field.
func isColor(text string) bool {
	if text == "" || strings.Contains(text, "{") || rxHexColor.MatchString(text) || rxColorFunction.MatchString(text) {
		return true
	}
	for _, name := range colorNames {
		if strings.EqualFold(name, text) {
			return true
		}
	}
	return false
}

// color reports the texts that an expression may be and that are no colours. of is what has the colour.
func (r *report) color(of string, e ast.Expr, line int) {
	for _, text := range textsOf(e) {
		if isColor(text) {
			continue
		}
		hint := didYouMean(text, colorNames, "a colour is #rgb, #rrggbb or a name such as orange")
		if rxBareHex.MatchString(text) {
			hint = "write #" + text
		}
		r.say(line, text, hint, "%s: %q is not a colour", of, text)
	}
}

// textsOf returns the texts that an expression may be: of a and "x" or "y", both.
func textsOf(e ast.Expr) []string {
	if text, ok := syntax.TextOf(e); ok {
		return []string{text}
	}
	either, ok := e.(*ast.LogicalOpExpr)
	switch {
	case !ok:
		return nil
	case either.Operator == "and":
		return textsOf(either.Rhs)
	}
	return append(textsOf(either.Lhs), textsOf(either.Rhs)...)
}

// teamColors checks the colours of teams { ... }.
func (r *report) teamColors(e ast.Expr) {
	teams, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range teams.Fields {
		if color := valueOf(f.Value, "color"); color != nil {
			name, _ := syntax.TextOf(f.Key)
			r.color("teams."+name+".color", color, max(color.Line(), f.Value.Line()))
		}
	}
}
