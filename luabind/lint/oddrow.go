package lint

import (
	"regexp"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/yuin/gopher-lua/ast"
)

// fewestRows is of how many rows a table must be for its rows to show what a row has.
const fewestRows = 3

// oddRows checks a table of rows, such as { { hp = 1 }, { hp = 2 }, { Hp = 3 } }: one row has a name that no file mentions
// besides, in the place of a similar one that all other rows have.
func (w *walker) oddRows(t *ast.TableExpr) {
	if len(t.Fields) < fewestRows {
		return
	}
	var rows []map[string]int
	having := map[string]int{} // in how many rows a key is
	for _, f := range t.Fields {
		keys, whole := tableKeys(f.Value)
		if !whole || len(keys) == 0 {
			return
		}
		rows = append(rows, keys)
		// order: each is counted alone
		for key := range keys {
			having[key]++
		}
	}
	for _, row := range rows {
		var missing []string
		for _, key := range ident.Keys(having) {
			if _, has := row[key]; !has && having[key] == len(rows)-1 {
				missing = append(missing, key)
			}
		}
		for _, key := range ident.Keys(row) {
			near := ident.Nearest(key, missing)
			if having[key] == 1 && len(near) > 0 && w.mentions(key) == 1 {
				w.report.say(row[key], key, "did you mean "+near[0]+"?", "no file reads %s, and only this of %d rows has no %s", key, len(rows), near[0])
			}
		}
	}
}

// mentions returns how often a word is in the files, at most 3 in each.
func (w *walker) mentions(word string) (n int) {
	rx := regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`)
	for _, f := range w.report.files {
		n += len(rx.FindAllString(f.Text, 3))
	}
	return n
}
