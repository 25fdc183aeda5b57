package asset

import "strings"

// The namespaces of XML that mean something to a browser in a drawing.
const (
	svgSpace    = "http://www.w3.org/2000/svg"
	xlinkSpace  = "http://www.w3.org/1999/xlink"
	xmlSpace    = "http://www.w3.org/XML/1998/namespace"
	htmlSpace   = "http://www.w3.org/1999/xhtml"
	mathMLSpace = "http://www.w3.org/1998/Math/MathML"
)

// drawnElements are the elements that a drawing can have. A browser ignores script, and image without data:, in
// a drawing that is an image.
var drawnElements = setOf(`svg g defs symbol use switch title desc metadata style script image
	path rect circle ellipse line polyline polygon text tspan
	linearGradient radialGradient stop pattern clipPath mask filter
	feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
	feGaussianBlur feMerge feMergeNode feOffset feTurbulence`)

// drawnAttributes are the attributes that are no properties of styles.
var drawnAttributes = setOf(`id class style href version baseProfile enable-background role lang type media tabindex
	x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height d points pathLength rotate textLength lengthAdjust
	viewBox preserveAspectRatio zoomAndPan transform offset
	gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
	clipPathUnits maskUnits maskContentUnits filterUnits primitiveUnits
	in in2 result mode operator k1 k2 k3 k4 values stdDeviation edgeMode tableValues slope intercept amplitude
	exponent baseFrequency numOctaves seed stitchTiles`)

// drawnProperties are the properties that a style sheet, a style and an attribute can have. None of them
// changes a size, or draws an element more than once.
var drawnProperties = setOf(`fill fill-opacity fill-rule clip-rule stroke stroke-width stroke-opacity stroke-linecap
	stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity paint-order color display visibility
	overflow stop-color stop-opacity flood-color flood-opacity color-interpolation color-interpolation-filters
	color-rendering shape-rendering text-rendering image-rendering vector-effect solid-color solid-opacity
	enable-background marker marker-start marker-mid marker-end
	font font-family font-size font-size-adjust font-style font-weight font-stretch font-variant font-variant-ligatures
	font-variant-position font-variant-caps font-variant-numeric font-variant-alternates font-variant-east-asian
	font-feature-settings font-variation-settings font-kerning text-anchor text-align text-indent text-transform
	text-decoration text-decoration-line text-decoration-style text-decoration-color text-orientation line-height
	letter-spacing word-spacing white-space writing-mode direction unicode-bidi dominant-baseline alignment-baseline
	baseline-shift shape-padding shape-margin`)

// elementProperties are those that a style and an attribute can have, and a style sheet cannot.
var elementProperties = setOf(`filter mask clip-path mix-blend-mode isolation mask-type`)

// colourFunctions are the functions that a value of a property can call, next to url.
var colourFunctions = setOf(`rgb rgba hsl hsla`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// isForeign reports whether browsers draw nothing for an element of this namespace, such as those of Inkscape.
func isForeign(space string) bool {
	return space != "" && space != svgSpace && space != htmlSpace && space != mathMLSpace
}

// isInert reports whether an attribute changes nothing that is drawn. Scripts do not run in an image.
func isInert(name string) bool {
	return strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-") || strings.HasPrefix(name, "on")
}

// notAllowed refuses a part of a drawing.
func notAllowed(what string) error {
	return invalid("", "an svg with %.60s: that is not allowed; remove it, or save the drawing as png", what)
}
