// Package relay brings the applied-input log of a host to its clients over
// datagrams that may be lost, duplicated and reordered.
//
// The host owns one [Log] per room. It appends an event when it applies one, the
// authoritative patch of a tick, and a commit mark when a tick can no longer
// change. Every record has a sequence number, which counts from 1.
//
// The host owns one [Sender] per client. In each tick:
//
//	sender.Acknowledge(now, packet.Ack)              // from the client's newest input packet
//	send(sender.Packet(now, tick, inputAck))         // every host packet carries new records first
//	if sender.Behind() { send(sender.Packet(...)) }  // they did not all fit
//
// A client owns one [Receiver]:
//
//	fresh, _ := receiver.Packet(p.Seq)      // false: seen before
//	for each channel of p { receiver.Define(channel) }
//	for each record of p {
//		if receiver.Take(record.Seq) { ... }  // true once for each record
//	}
//	reply(receiver.Ack())
//
// A sender repeats a new record in the next packets, more often on a line that
// loses more. It sends a record again when the packet that carried it first is
// considered lost. Acknowledgements name packets, not records.
//
// Nothing here knows what a record means, and nothing is simulated. The package
// has no clock: now is a parameter.
package relay
