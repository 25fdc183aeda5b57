package socket

import "syscall/js"

// missing reports whether there are no WebSockets, as in old versions of Node.js. To open one would be a panic.
func missing() bool { return js.Global().Get("WebSocket").Type() != js.TypeFunction }
