package asset_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/asset"
)

// TestInspectRefusesHeavyDrawings: whatever hides work or a size from the count is refused by its name.
func TestInspectRefusesHeavyDrawings(t *testing.T) {
	t.Parallel()
	heavy := strings.Repeat("<path/>", 5000)
	for _, c := range []struct{ what, content, err string }{
		{"comment in data:", `<style>rect{fill:url(da<!-- -->ta:image/png)}</style>`, "a file in it"},
		{"CDATA in filter", `<style>rect{fil<![CDATA[ter]]>:blur(9px)}</style>`, "filter in <style>"},
		{"comment in width", `<style>svg{wi<!-- -->dth:4096px}</style>`, "width in a style"},
		{"element in a style sheet", `<style>rect{fil<g/>ter:a}</style>`, "an element in <style>"},
		{"id of another namespace", `<g xmlns:x="http://example.com/" x:id="a"/><g id="a">` + heavy + `</g>` + strings.Repeat(`<use href="#a"/>`, 4), "more than 20000 elements"},
		{"foreign element with the id", `<x:g xmlns:x="http://example.com/" id="a"/><g id="a">` + heavy + `</g>` + strings.Repeat(`<use href="#a"/>`, 4), "more than 20000 elements"},
		{"xml:id", `<g xml:id="a"/>`, "xml:id: that is not allowed"},
		{"escape in href", `<use href="#%61"/>`, `a reference "#%61"`},
		{"tab in href", `<use href="#&#9;a"/>`, `a reference "#\ta"`},
		{"tab before #", `<use href="&#9;#a"/><g id="a">` + strings.Repeat("<g/>", 19_999) + `</g>`, "more than 20000 elements"},
		{"address before #", `<use href="a.svg#a"/>`, `a reference "a.svg#a"`},
		{"escape in url", `<g fill="url(#%61)"/>`, `a reference "#%61"`},
		{"bracket in url", `<g fill="url('#a)b')"/>`, `a reference`},
		{"inline-size in a style sheet", `<style>svg{inline-size:4096px}</style>`, "inline-size in a style"},
		{"block-size in a style", `<g style="block-size:9px"/>`, "block-size in a style"},
		{"escape in a property", `<g style="w\69dth:9px"/>`, `w\69dth in a style`},
		{"escape in a style sheet", `<style>svg{w\69dth:9px}</style>`, `w\69dth in a style`},
		{"-webkit-filter", `<g style="-webkit-filter:url(#f)"/>`, "-webkit-filter in a style"},
		{"backdrop-filter", `<g style="BACKDROP-filter:url(#f)"/>`, "backdrop-filter in a style"},
		{"comment before a property", `<g style="/**/filter:url(#f)"/>`, "/**/filter in a style"},
		{"comment in a value", `<g style="filter:blur(1px) /*;*/ blur(1px)"/>`, "filter with a comment"},
		{"variable", `<g style="--f:blur(1px);filter:var(--f)"/>`, "--f in a style"},
		{"variable in a paint", `<g fill="var(--f)"/>`, "fill with var("},
		{"all:inherit", `<g style="all:inherit"/>`, "all in a style"},
		{"mask:inherit", `<style>g{mask:inherit}</style>`, "mask in <style>"},
		{"filter:inherit", `<g style="filter:Inherit"/>`, "filter=inherit"},
		{"marker in the middle", `<path marker-mid="url(#m)" d="M0 0L1 1"/>`, "marker-mid: that is not allowed"},
		{"markers in a style sheet", `<style>path{marker:url(#m)}</style>`, "marker: that is not allowed"},
		{"nested rules", `<style>g{g{fill:red}}</style>`, "g{fill in a style"},
		{"rules with relations", `<style>g ~ g:has(g){fill:red}</style>`, "only rules such as"},
		{"many rules", `<style>` + strings.Repeat("a{}", 1001) + `</style>`, "more than 1000 rules"},
		{"html", `<foreignObject/>`, "<foreignObject>: that is not allowed"},
		{"html without foreignObject", `<div xmlns="http://www.w3.org/1999/xhtml"/>`, "<div>: that is not allowed"},
		{"mask that inherits a pattern", `<g fill="url(#p)"><mask id="m"/></g>`, "move it to <defs>"},
		{"octaves", `<feTurbulence numOctaves="99"/>`, "numOctaves=99: that is not allowed"},
		{"long path again and again", `<path id="a" d="` + strings.Repeat("M0 0", 20_000) + `"/>` + strings.Repeat(`<use href="#a"/>`, 100), "long paths"},
		{"long text again and again", `<text id="a">` + strings.Repeat("text", 20_000) + `</text>` + strings.Repeat(`<use href="#a"/>`, 100), "long paths"},
		{"many dashes", `<g stroke-dasharray=".001">` + strings.Repeat("<path/>", 1001) + `</g>`, "dashed lines"},
		{"layers in layers", strings.Repeat(`<g opacity=".5">`, 17) + strings.Repeat(`</g>`, 17), "more than 16 elements with an opacity"},
		{"layers of a style sheet", `<style>g{opacity:.5}</style>` + strings.Repeat(`<g>`, 17) + strings.Repeat(`</g>`, 17), "more than 16 elements with an opacity"},
	} {
		_, err := asset.Inspect(asset.SVG, inSVG(c.content))
		if !errors.Is(err, asset.ErrInvalid) || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v; want an error with %q", c.what, err, c.err)
		}
	}
}

// inkscape is a drawing as Inkscape writes it.
const inkscape = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="64" height="32" viewBox="0 0 64 32" version="1.1" id="svg5" inkscape:version="1.2" sodipodi:docname="ship.svg"
   xml:space="preserve" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:xlink="http://www.w3.org/1999/xlink"
   xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" bordercolor="#666666" showgrid="false" inkscape:zoom="4.7"><inkscape:grid type="xygrid" id="grid9"/></sodipodi:namedview>
  <metadata id="m"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format><dc:title/></cc:Work></rdf:RDF></metadata>
  <defs id="defs2"><inkscape:perspective sodipodi:type="inkscape:persp3d" id="perspective160"/>
    <linearGradient inkscape:collect="always" id="lg1"><stop style="stop-color:#ff0000;stop-opacity:1;" offset="0" id="s1"/></linearGradient>
    <linearGradient xlink:href="#lg1" id="lg2" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="9" y2="9"/>
    <filter inkscape:label="Blur" style="color-interpolation-filters:sRGB" id="f1" x="-0.1" width="1.2"><feGaussianBlur stdDeviation="0.5" id="b"/></filter></defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" transform="translate(-1,2)" style="display:inline">
    <path sodipodi:nodetypes="ccc" inkscape:connector-curvature="0" id="p1" d="m 1,1 2,2 z"
      style="opacity:0.8;mix-blend-mode:normal;fill:url(#lg2);fill-rule:evenodd;stroke:#000000;stroke-width:0.26;stroke-linecap:butt;stroke-dasharray:none;marker:none;filter:url(#f1)"/>
    <text xml:space="preserve" style="font-size:10px;line-height:1.25;font-family:sans-serif;-inkscape-font-specification:'sans-serif, Normal';fill:rgb(0, 0, 0)" x="1" y="2" id="t"><tspan sodipodi:role="line" id="ts">7</tspan></text>
    <use x="0" y="0" xlink:href="#p1" id="use1" transform="rotate(45)" width="100%" height="100%"/>
  </g>
</svg>`

// TestInspectTakesDrawingsOfPrograms: what programs write that draw is taken, and what browsers ignore is skipped.
func TestInspectTakesDrawingsOfPrograms(t *testing.T) {
	t.Parallel()
	for what, data := range map[string][]byte{
		"inkscape":     []byte(inkscape),
		"style sheets": inSVG(`<defs><style type="text/css">.cls-1, .cls-2 {fill:#fff;opacity:.5} #a{stroke-width:2px}</style></defs><rect class="cls-1"/>`),
		"dashes":       inSVG(`<path stroke-dasharray="4 2" d="M0 0h9"/>`),
		"clips":        inSVG(`<defs><clipPath id="c"><rect/></clipPath></defs><g clip-path="url(#c)" style="isolation:isolate"><path fill='url("#p")'/></g>`),
		"inert parts":  inSVG(`<script>1</script><image href="/a.png"/><g onclick="a()" data-name="b" aria-label="c"/>`),
	} {
		if _, err := asset.Inspect(asset.SVG, data); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
