package luabind

import (
	"math"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// directive is one %... of string.format.
type directive struct {
	minus, plus, space, alternate, zero bool
	width, precision                    int // precision -1: none given
	verb                                byte
}

// stringFormat implements string.format as in C and Lua 5.1, without %p. Numbers beyond
// 2^53 do not count as whole numbers.
func stringFormat(L call) int {
	format := L.text(1, "string.format: the format")
	L.charge(len(format) / 2)
	var out strings.Builder
	arg := 1
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			out.WriteByte(format[i])
			continue
		}
		if i+1 < len(format) && format[i+1] == '%' {
			out.WriteByte('%')
			i++
			continue
		}
		d, used := parseDirective(format[i+1:])
		if used == 0 {
			L.RaiseError(
				"string.format: %q is not a directive; there are %%d %%i %%u %%s %%q %%x %%X %%o %%c %%f %%e %%E "+
					"%%g %%G %%%%",
				format[i:min(i+8, len(format))])
		}
		i += used
		arg++
		if arg > L.GetTop() {
			L.RaiseError("string.format: the format needs more than %d values", L.GetTop()-1)
		}
		L.charge(d.cost(L.Get(arg)))
		out.WriteString(d.value(L, arg))
		if out.Len() > syntax.MaxStringBytes {
			break // pushText says why
		}
	}
	return L.pushText(out.String())
}

// parseDirective reads what follows a %, and returns how many bytes that is.
func parseDirective(s string) (d directive, used int) {
	d.precision = -1
	for used < len(s) && strings.IndexByte("-+ #0", s[used]) >= 0 {
		switch s[used] {
		case '-':
			d.minus = true
		case '+':
			d.plus = true
		case ' ':
			d.space = true
		case '#':
			d.alternate = true
		case '0':
			d.zero = true
		}
		used++
	}
	digits := func() (n int) {
		for from := used; used < len(s) && used < from+2 && s[used] >= '0' && s[used] <= '9'; used++ {
			n = n*10 + int(s[used]-'0')
		}
		return n
	}
	d.width = digits()
	if used < len(s) && s[used] == '.' {
		used++
		d.precision = digits()
	}
	if used == len(s) || strings.IndexByte("diusqxXocfeEgG", s[used]) < 0 {
		return d, 0
	}
	d.verb = s[used]
	return d, used + 1
}

// cost is the price of a directive with a value, in instructions. What is written with many digits takes long.
func (d directive) cost(v lua.LValue) int {
	if strings.IndexByte("feEgG", d.verb) < 0 {
		return 12 + d.width/8
	}
	digits := max(d.precision, 6)
	if n, ok := v.(lua.LNumber); ok && d.verb == 'f' {
		digits += max(exponentOf(float64(n)), 0) / 3
	} else if d.verb == 'f' { // a text
		digits += 300
	}
	if digits > 17 {
		digits += 100 // exact arithmetic with many digits
	}
	return 20 + d.width/8 + digits
}

func (d directive) value(L call, arg int) string {
	switch d.verb {
	case 's':
		s := L.shown(L.Get(arg))
		if d.precision >= 0 && d.precision < len(s) {
			s = s[:d.precision]
		}
		return d.pad("", s)
	case 'q':
		s := L.text(arg, "string.format: the value for %q")
		L.charge(len(s) / 4)
		return quote(s)
	case 'c':
		return d.pad("", string([]byte{byte(L.integer(arg, "string.format: the value for %c"))}))
	}
	v := d.operand(L, arg)
	if strings.IndexByte("diuxXo", d.verb) >= 0 {
		return d.whole(L, v)
	}
	return d.float(v)
}

// operand returns the number for a directive. A string that reads as a number
// is accepted.
func (d directive) operand(L call, arg int) float64 {
	switch v := L.Get(arg).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		L.charge(max(len(v)-syntax.ShortString, 0) / 4)
		if n, ok := L.parse(string(v)); ok {
			return n
		}
	}
	L.RaiseError("string.format: the value for %%%c must be a number, not %s", d.verb, aTypeName(L.Get(arg)))
	return 0
}

// whole returns %d %i %u %x %X %o.
func (d directive) whole(L call, v float64) string {
	if !(math.Abs(v) <= 1<<53) {
		L.RaiseError("string.format: %s is not a whole number, which %%%c needs", formatNumber(v), d.verb)
	}
	n := int64(v)
	base := map[byte]int{'x': 16, 'X': 16, 'o': 8}[d.verb]
	if base == 0 {
		base = 10
	}
	sign := ""
	var digits string
	switch {
	case base != 10 || d.verb == 'u':
		digits = strconv.FormatUint(uint64(n), base) // below 0: two's complement, as C has it
	case n < 0:
		sign, digits = "-", strconv.FormatInt(-n, 10)
	default:
		sign, digits = d.sign(), strconv.FormatInt(n, 10)
	}
	if d.precision >= 0 {
		if d.precision == 0 && n == 0 && !(d.alternate && base == 8) {
			digits = "" // as C has it
		}
		digits = strings.Repeat("0", max(d.precision-len(digits), 0)) + digits
		d.zero = false
	}
	if d.alternate && n != 0 {
		sign += map[byte]string{'x': "0x", 'X': "0x", 'o': "0"}[d.verb]
	}
	if d.verb == 'X' {
		sign, digits = strings.ToUpper(sign), strings.ToUpper(digits)
	}
	return d.pad(sign, digits)
}

func (d directive) sign() string {
	switch {
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

// float returns %f %e %E %g %G.
func (d directive) float(v float64) string {
	sign := d.sign()
	if math.Float64bits(v)>>63 != 0 && v == v {
		sign, v = "-", -v
	}
	if v != v || math.IsInf(v, 0) {
		d.zero = false
		return d.pad(sign, formatNumber(v))
	}
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	lower := d.verb | 0x20
	if lower == 'g' && precision == 0 {
		precision = 1
	}
	s := strconv.FormatFloat(v, lower, precision, 64)
	if d.alternate {
		s = withPoint(s, lower == 'g', precision)
	}
	if d.verb < 'a' {
		s = strings.ToUpper(s)
	}
	return d.pad(sign, s)
}

// withPoint returns the flag #: the number has a point and, for %g, all its digits.
func withPoint(s string, all bool, digits int) string {
	mantissa, exponent, has := strings.Cut(s, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if all {
		shown := len(strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0"))
		if shown == 0 {
			shown = 1 // the 0 before the point
		}
		mantissa += strings.Repeat("0", max(digits-shown, 0))
	}
	if has {
		mantissa += "e" + exponent
	}
	return mantissa
}

// pad fills sign and digits up to the width.
func (d directive) pad(sign, digits string) string {
	fill := max(d.width-len(sign)-len(digits), 0)
	switch {
	case d.minus:
		return sign + digits + strings.Repeat(" ", fill)
	case d.zero && d.verb != 's' && d.verb != 'c':
		return sign + strings.Repeat("0", fill) + digits
	}
	return strings.Repeat(" ", fill) + sign + digits
}

// quote returns %q: text that Lua reads back as the same string.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '\n':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r':
			b.WriteString(`\r`)
		case 0:
			b.WriteString(`\000`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
