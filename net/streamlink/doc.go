// Package streamlink implements link.Link over connections that carry a sequence of bytes in
// order, such as TCP, a Unix socket or WebSocket. It builds for js/wasm, so a client can run
// in a browser, where there is no UDP.
//
// A host and a client on TCP:
//
//	ln, err := net.Listen("tcp", ":7777")
//	// ...
//	host := streamlink.Listen(ln, streamlink.Options{Protocol: wire.Version})
//
//	client := streamlink.Dial(func(ctx context.Context) (io.ReadWriteCloser, error) {
//		var d net.Dialer
//		return d.DialContext(ctx, "tcp", "192.0.2.1:7777")
//	}, streamlink.Options{Protocol: wire.Version})
//
// Other connections are given to [NewHost] with [Link.Add]; the tests have one over
// WebSocket, with github.com/coder/websocket.
//
// # What is lost without datagrams
//
// A connection of this kind delivers in order. A packet that the network loses holds up
// everything behind it until it has been sent again, for a round trip or more, where UDP
// loses one datagram and delivers the next. Datagrams of this package arrive once, in
// order and late, but seldom not at all. A host rewinds for inputs that are late, so a
// match stays correct; on a line that loses packets, the lead of the client grows, and
// other players move in jumps. Use kcplink wherever there is UDP.
//
// At most 64 KB of datagrams wait to be sent, so that a slow line does not deliver old
// ones. If there are more, those that wait are dropped and the newest one is kept.
// Datagrams in the buffers of the system cannot be dropped.
//
// # The streams
//
// Control goes before Bulk. Both are cut into segments of at most 4 KB, and of each stream
// only a window of bytes may be sent and not yet taken by a poll of the other end: 256 KB of
// Control, 64 KB of Bulk. So a large message delays others only a little, an end that does
// not poll stops the other end after a window, and memory is bounded at both ends.
//
// # Concurrency
//
// A Link belongs to one goroutine; only Ready and Add may be called from others. One
// goroutine reads a connection and another one writes to it. The calls of a Link wait
// for neither; only Shutdown waits for up to 200 ms until the goodbyes were read.
//
// # The bytes
//
// Both ends first send a hello, then any frames. Numbers are little-endian.
//
//	1 hello     magic "HCST", link version u8, protocol u32
//	2 ping      nothing: the sender is there
//	3 datagram  length u16, 1 to 1,100 bytes
//	4 segment   stream u8, last u8 (1: it ends its message), length u16, 1 to 4,096 bytes
//	5 credit    stream u8, bytes u32: so many more of the stream may be sent
//	6 bye       length u8, reason: the last frame; its receiver closes the connection
//
// A frame that does not parse, a segment without credit and a message that is too large end
// the connection.
//
// # Not in this package
//
// Encryption: use TLS, or wss. Who a peer is (package host). Reconnecting.
package streamlink
