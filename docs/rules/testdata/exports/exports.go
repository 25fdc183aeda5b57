// Package exports uses names of an internal package.
package exports

import "github.com/hindcast/hindcast/docs/rules/testdata/exports/internal/inner"

func sum(u inner.Used) int {
	_, r := inner.Make()
	return u.N + r.N
}
