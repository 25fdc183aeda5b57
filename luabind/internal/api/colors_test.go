package api

import "testing"

// TestIsColor tests the colours of CSS that scripts may write, and some that are none.
func TestIsColor(t *testing.T) {
	for _, text := range []string{"", "#f90", "#F90c", "#ff9900", "#ff9900cc", "orange", "Orange", "rgb(255, 153, 0)", "rgb(255 153 0)",
		"RGBA(255, 153, 0, .5)", "rgb(100% 60% 0% / 50%)", "hsl(36deg 100% 50%)", "hsl(-36, 100%, 50%)", "oklch(0.7 0.1 none)", "{team}"} {
		if !IsColor(text) {
			t.Errorf("%q is a colour of CSS", text)
		}
	}
	for _, text := range []string{"#f9", "#ff990", "#gg9900", "oragne", "255,153,0", "rgb(255, 153)", "rgb(255, 153, 0", "rgb(1, 2, 3, 4, 5)",
		"rgb(a, b, c)", "rgb()", "paint(1, 2, 3)", "url(x)", "(1, 2, 3)"} {
		if IsColor(text) {
			t.Errorf("%q is no colour of CSS", text)
		}
	}
}
