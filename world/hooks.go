package world

// Args is what a hook is given besides its object.
type Args struct {
	Input   Input    // ApplyInput: the InputCmd of this tick. Think: where the answer goes
	Player  PlayerID // OnJoin, OnLeave
	Other   ObjectID // OnContact, OnContactEnd, OnTrigger: who was met
	Contact Contact  // the same hooks; the normal points from the object to Other
}

// Source is one script file of a bundle. Name is relative to the game's
// folder, with forward slashes.
type Source struct {
	Name string `json:"name"`
	Text string `json:"text"`
}
