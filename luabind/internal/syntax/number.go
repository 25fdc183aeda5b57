package syntax

import (
	"math"
	"strconv"
	"strings"
)

// maxNumberBytes bounds the time that reading a number takes.
const maxNumberBytes = 128

// ParseNumber reads a number as Lua 5.1 does: decimal, or hexadecimal digits
// after 0x. Infinity and NaN have no literal form.
func ParseNumber(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || len(s) > maxNumberBytes || strings.ContainsAny(digits, "_ipnIPN") {
		return 0, false
	}
	if hex, ok := strings.CutPrefix(strings.ToLower(digits), "0x"); ok {
		n, err := strconv.ParseUint(hex, 16, 64)
		v := float64(n)
		if s[0] == '-' {
			v = -v
		}
		return v, err == nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) { // out of range is infinity, as in C
		return 0, false
	}
	return v, true
}
