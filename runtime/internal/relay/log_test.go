package relay

import (
	"math/rand/v2"
	"testing"

	"github.com/hindcast/hindcast/world"
)

func TestChannelsAreReusedOnlyWhenAllAreUsed(t *testing.T) {
	l := NewLog(true)
	for id := world.ObjectID(1); id <= 1<<16; id++ {
		l.channel(id)
		if id%1000 == 0 {
			l.ReleaseChannels(func(other world.ObjectID) bool { return other > id-10 })
		}
	}
	if len(l.objects) != 1<<16 {
		t.Fatalf("%d channels after 65,536 objects", len(l.objects))
	}
	n := l.channel(1 << 20)
	if l.objects[n] != 1<<20 || n != 0 {
		t.Errorf("the next object has channel %d: want the one that was released first", n)
	}
}

func TestLogForgetsRecordsThatAllHave(t *testing.T) {
	l := NewLog(true)
	for tick := world.Tick(1); tick <= 5000; tick++ {
		l.Append(world.Event{Tick: tick, Kind: world.JoinEvent, Player: 1}, nil)
	}
	l.Forget(4000, 3000)
	if l.first != 3001 || l.At(3001).Event.Tick != 3001 {
		t.Errorf("the log begins at %d", l.first)
	}
	if !l.HasNews(4990, 5000) || l.HasNews(5001, 5000) || l.HasNews(4990, 4000) || !l.HasNews(5, 10) {
		t.Error("newsFor")
	}
}

// TestReusedObjectGetsANewChannel: an object whose channel was released gets another
// one when it is used again. No two objects in use have the same channel, also when all
// numbers have been used.
func TestReusedObjectGetsANewChannel(t *testing.T) {
	log := NewLog(true)
	luck := rand.New(rand.NewPCG(1, 2))
	for turn := range 2000 {
		live := map[world.ObjectID]bool{}
		names := map[uint16]world.ObjectID{}
		for id := world.ObjectID(1); id <= 300; id++ {
			if live[id] = luck.IntN(5) > 0; !live[id] { // it is not in use
				continue
			}
			n := log.channel(id)
			if other, taken := names[n]; taken || log.objects[n] != id {
				t.Fatalf("turn %d, after %d channels: %d is the channel of %v and %v, and stands for %v", turn, len(log.objects), n, id, other, log.objects[n])
			}
			names[n] = id
		}
		log.ReleaseChannels(func(id world.ObjectID) bool { return live[id] })
	}
	if len(log.objects) < 1<<16 {
		t.Errorf("only %d channels were used", len(log.objects))
	}
}

// TestWholeSights appends events of whose sights clients get a part: the host has the whole until the tick is committed.
func TestWholeSights(t *testing.T) {
	l := NewLog(true)
	whole := world.Sight{{ID: 1}, {ID: 2}, {ID: 3}}
	for tick := world.Tick(1); tick <= 3; tick++ {
		l.Append(world.Event{Tick: tick, Kind: world.InputEvent, Player: 1, Object: 9, Bundle: 1, Sight: whole}, whole[:tick])
	}
	for seq := uint32(1); seq <= 3; seq++ {
		if got, all := len(l.At(seq).Event.Sight), len(l.Whole(seq).Sight); got != int(seq) || all != 3 {
			t.Errorf("record %d: %d poses are relayed, the host has %d", seq, got, all)
		}
	}
	l.Commit(1, 0)
	if n := len(l.whole); n != 1 {
		t.Errorf("%d whole sights are kept, expected that of tick 2", n)
	}
}
