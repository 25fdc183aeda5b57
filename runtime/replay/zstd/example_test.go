package zstd_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/replay/zstd"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// A match is recorded as "host -record match.replay arena" records it. Then the
// file is opened, verified, played, and looked at in the middle.
func Example() {
	name := filepath.Join(os.TempDir(), "hindcast-example.replay")
	defer os.Remove(name)
	if err := recordTo(name); err != nil {
		fmt.Println(err)
		return
	}

	f, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := replay.Open(f, info.Size(), zstd.New())
	if err != nil {
		fmt.Println(err)
		return
	}
	player, err := replay.NewPlayer(file, luabind.Compile)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("game:", player.Bundle().Game, "last tick:", player.Last(), "damage:", player.Damage())

	done, err := player.Verify(player.Last()) // a *replay.Divergence says where it differs
	fmt.Println("ticks verified:", done.Ticks, err)

	err = player.Seek(120)
	recorded, _ := player.Hash()
	fmt.Println("tick 120 has the recorded hash:", player.State().Hash() == recorded.Hash, err)

	var view room.View
	room.ViewReplay(player, &view)
	fmt.Println("tick", view.Tick, "shows objects:", len(view.Bodies) > 0)

	for err = nil; err == nil; { // until io.EOF, the end of the file
		err = player.Step()
	}
	fmt.Println("played to tick", player.Tick(), err == io.EOF)
	// Output:
	// game: arena last tick: 300 damage: <nil>
	// ticks verified: 300 <nil>
	// tick 120 has the recorded hash: true <nil>
	// tick 120 shows objects: true
	// played to tick 300 true
}

// recordTo plays five seconds of the built-in arena and records them in a file.
func recordTo(name string) error {
	folder, _ := scripts.Builtin("arena")
	game, err := scripts.Load(folder, "arena")
	if err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	recorder := replay.NewRecorder(f, zstd.New())
	host, err := host.New(host.Config{Bundle: game.Bundle, Compile: luabind.Compile, Link: memlink.New(1).Host(), Recorder: recorder})
	if err != nil {
		return err
	}
	now := time.Duration(0)
	for ; host.Now() < world.Tick(300); now += host.TickLength() {
		if err := host.Tick(now); err != nil {
			return err
		}
	}
	host.Shutdown(now, "the match is over")
	return recorder.Err()
}
