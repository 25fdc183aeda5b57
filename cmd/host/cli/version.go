package cli

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/hindcast/hindcast/net/wire"
)

// release is the version of a release, as in v0.1.0: .ci/release sets it.
var release string

// Version returns the line that `host version` and `client version` print.
func Version(program string) string {
	version := release
	if info, ok := debug.ReadBuildInfo(); ok {
		version = cmp.Or(version, info.Main.Version)
	}
	return fmt.Sprintf("hindcast %s %s, protocol %d", program, cmp.Or(version, "(devel)"), wire.Version)
}
