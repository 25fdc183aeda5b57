package gamepage

import (
	"embed"
	"io/fs"
)

//go:embed *.html *.css *.js *.svg
var files embed.FS

// Files returns the files of the page. index.html is that of client.
func Files() fs.FS { return files }
