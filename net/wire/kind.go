package wire

import "fmt"

// KindOf returns the kind of a message by its first byte, 0 if it has no bytes.
func KindOf(b []byte) Kind {
	if len(b) == 0 {
		return 0
	}
	return Kind(b[0])
}

// String returns the name of the message, or "kind(N)".
func (k Kind) String() string {
	names := [...]string{
		KindPing:        "Ping",
		KindPong:        "Pong",
		KindInputPacket: "InputPacket",
		KindHostPacket:  "HostPacket",
		KindCorrection:  "Correction",
		KindHello:       "Hello",
		KindWelcome:     "Welcome",
		KindRefuse:      "Refuse",
		KindBundleWant:  "BundleWant",
		KindBundle:      "Bundle",
		KindReady:       "Ready",
		KindKeyframe:    "Keyframe",
		KindAnnounce:    "Announce",
		KindNotice:      "Notice",
		KindChat:        "Chat",
		KindRoster:      "Roster",
		KindStateWant:   "StateWant",
		KindStateReply:  "StateReply",
		KindSnapshot:    "Snapshot",
		KindCues:        "Cues",
		KindMotion:      "Motion",
		KindRow:         "Row",
		KindEnd:         "End",
		KindAssets:      "Assets",
		KindAssetWant:   "AssetWant",
		KindAssetPart:   "AssetPart",
		KindEnter:       "Enter",
		KindProblems:    "Problems",
	}
	if k == 0 || int(k) >= len(names) {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return names[k]
}
