// Package replicate brings clients the objects that they do not simulate: in
// snapshots of their poses, velocities and fields, over datagrams that may be lost.
//
// On the host, one [Filter] per room knows the ranges and the relevancy hook of the
// scripts. Each client has a [Sender] and a [Set]; all senders have one [Workspace]. In each tick:
//
//	filter.NextTick()
//	candidates.Update(state, schema)
//	for each client whose sender.Due(tick, every) {
//		slots := set.Select(filter, world, player, candidates.Unsimulated())
//		send(sender.Snapshot(state, schema, slots, player, maxBytes))
//	}
//
// The Set decides which objects are relevant to a player. The Sender decides which of
// these fit into the snapshot, and encodes them as changes from the newest snapshot
// that the client has acknowledged, the baseline:
//
//	bounds.Acknowledge(sender.Acknowledge(packet.Snapshot))
//
// [ViewBounds] holds the range of moments that the client's screen can have shown.
// The host checks view times of inputs against it.
//
// A client owns one [Receiver], which decodes snapshots and keeps the baselines:
//
//	m, err := receiver.Read(datagram, schemaOf)
//	for each entity e of m {
//		update := receiver.Update(m, e)                           // for the interpolation buffer
//		update = receiver.UpdateNow(m, e, limit)                  // for a proxy in the client's world,
//		same := receiver.Refine(&update, m, e, state, slot)       // unless it agrees with the snapshot
//	}
//
// Nothing is drawn or simulated here: the interpolation buffer is in
// runtime/internal/view, and proxies are applied by the timeline.
package replicate
