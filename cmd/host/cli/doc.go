// Package cli has the parts that the programs host and client have in common: flags
// that may stand before or after the other words, or in the environment; logs for
// people on a terminal, and for machines elsewhere; exit codes and interrupts;
// addresses to listen at; and the files that -report and -hashes write.
//
//	func main() { cli.Main("host", run) }
//
//	func run(ctx context.Context, args []string) error {
//		fs := cli.NewFlags("host run", "[flags] [GAME]")
//		listen := fs.String("listen", "127.0.0.1:7777", "UDP `ADDR` to listen on")
//		words, err := fs.Parse(args)
//		...
//		return cli.Fail(cli.Network, err)
//	}
package cli
