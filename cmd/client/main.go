// Command client plays in a Hindcast room: in the browser, or headless with a
// bot. Without an address it starts a room of its own in the same process and
// joins it over the real transport.
//
//	client [flags] [ADDR | GAME]
//	client fork DIR [ADDR | GAME]
//	client version
package main

import (
	"context"
	"fmt"

	"github.com/hindcast/hindcast/cmd/host/cli"
)

func main() {
	cli.Main("client", func(ctx context.Context, args []string) error {
		if len(args) > 0 && (args[0] == "version" || args[0] == "-version" || args[0] == "--version") {
			fmt.Println(cli.Version("client"))
			return nil
		}
		if len(args) > 0 && args[0] == "fork" {
			return fork(ctx, args[1:])
		}
		return play(ctx, args)
	})
}
