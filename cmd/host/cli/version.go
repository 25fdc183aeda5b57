package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/hindcast/hindcast/net/wire"
)

// Version is the line that `host version` and `client version` print.
func Version(program string) string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("hindcast %s %s, protocol %d", program, version, wire.Version)
}
