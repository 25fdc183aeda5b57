package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/newgame"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/scripts"
)

const forkUsage = `[flags] DIR [ADDR | GAME]

Writes the scripts, settings and assets of a game into a folder, which must be
empty or not exist yet, to change them and to host them as a game of one's own.
Without ADDR and GAME it is the game that this machine joined last, with those
of its assets that come with this program. Examples:

  client fork mygame
  client fork mygame 192.168.1.20:7777
  client fork mygame soccer`

// fork writes the files of a game into a new folder.
func fork(ctx context.Context, args []string) error {
	flags := cli.NewFlags("client fork", forkUsage)
	token := flags.String("token", "", "`FILE` with a token to join with, if the host asks for one")
	words, err := flags.Parse(args)
	if err != nil {
		return err
	}
	if len(words) == 0 || len(words) > 2 {
		return cli.Fail(cli.Usage, errors.New("want a folder for the copy, and after it the game or the host's "+
			"address, if it is not the game that was joined last"))
	}
	log := cli.NewLogger(slog.LevelWarn)
	var files []newgame.File
	if len(words) == 1 {
		files, err = lastGame(log)
	} else {
		files, err = gameOf(ctx, words[1], *token, log)
	}
	if err != nil {
		return err
	}
	if err := newgame.Write(words[0], files); err != nil {
		return err
	}
	fmt.Print(newgame.Next(words[0]))
	return nil
}

// lastGame returns the files of the game that was joined last.
func lastGame(log *slog.Logger) ([]newgame.File, error) {
	kept, ok := openBundles(log).(bundleFiles)
	if !ok {
		return nil, cli.Fail(cli.Config,
			errors.New("no games are kept, because there is no folder for caches: name the host's address after "+
				"the folder"))
	}
	data := kept.newest()
	if data == nil {
		return nil, cli.Fail(cli.Config,
			errors.New("no game was joined yet: name the host's address, or a built-in game, after the folder"))
	}
	b, err := bundle.Parse(data)
	if err != nil {
		return nil, err
	}
	return filesOf(b, nil)
}

// gameOf returns the files of a built-in game, or of the game in the room at an address.
func gameOf(ctx context.Context, word, token string, log *slog.Logger) ([]newgame.File, error) {
	addr, game, err := where(word)
	if err != nil {
		return nil, err
	}
	if game != "" {
		fsys, _ := scripts.Builtin(game)
		return newgame.Read(fsys)
	}
	assets := newGallery(func([]pageAsset) {}, log)
	cfg := client.Config{
		Kind:    client.Spectator,
		Name:    "fork",
		Compile: luabind.Compile,
		Cache:   openBundles(log),
		Assets:  assets,
		Log:     log,
	}
	if token != "" {
		if cfg.Token, err = scripts.ReadFile(token, wire.MaxToken); err != nil {
			return nil, cli.Fail(cli.Usage, fmt.Errorf("-token: %w", err))
		}
	}
	b, err := bundleAt(ctx, addr, cfg)
	if err != nil {
		return nil, err
	}
	return filesOf(b, assets)
}

// assetTime is how long it may take to fetch the assets of a game. A host sends the most that there can be in
// less than two minutes.
const assetTime = 5 * time.Minute

// bundleAt joins the room at an address, and leaves it when it knows the game's bundle and cfg.Assets has the assets.
func bundleAt(ctx context.Context, addr string, cfg client.Config) (*bundle.Bundle, error) {
	link, err := kcplink.Dial(addr, kcplink.Options{Protocol: wire.Version})
	if err != nil {
		return nil, cli.Fail(cli.Network, err)
	}
	driver := room.NewDriver()
	cfg.Link, cfg.Stopwatch, cfg.Stop = link, driver.Now, driver.Stopping
	client := client.New(cfg)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- driver.Run(ctx, client) }()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			if err == nil {
				err = cli.Fail(cli.Network, fmt.Errorf("%s: the copy was interrupted", addr))
			}
			return nil, err
		case <-look.C:
		}
		var b *bundle.Bundle
		err := driver.Do(ctx, func(_ context.Context, now time.Duration) (err error) {
			b, err = arrived(client, now)
			return err
		})
		switch {
		case errors.Is(err, room.ErrDriverDone) || ctx.Err() != nil: // ended says why
		case err != nil:
			return nil, cli.Fail(cli.Network, fmt.Errorf("%s: %w", addr, err))
		case b != nil:
			stop()
			<-ended
			return b, nil
		}
	}
}

// answerTime is how long a host may take to send its scripts.
const answerTime = 15 * time.Second

// arrived returns the bundle of a client's game when all assets are there, nil before that. A host that announces
// none within answerTime has none. The error says that it takes too long.
func arrived(client *client.Client, now time.Duration) (*bundle.Bundle, error) {
	b, assets := client.Bundle(), client.Report(now).Assets
	known := assets.Fetched+assets.Cached+assets.Refused > 0 || now > answerTime
	switch {
	case b != nil && known && assets.Awaited == 0:
		return b, nil
	case b == nil && now > answerTime:
		return nil, fmt.Errorf("no answer in %v", answerTime)
	case now > assetTime:
		return nil, fmt.Errorf("%d assets have not arrived in %v", assets.Awaited, assetTime)
	}
	return nil, nil
}

// filesOf returns the files of a bundle's game: those of a built-in game as they were written, with comments and
// tests. The assets are those of the host; nil: those of the built-in game.
func filesOf(b *bundle.Bundle, assets *gallery) (files []newgame.File, err error) {
	hash := bundle.HashOf(b.Encode())
	for _, name := range scripts.Games() {
		fsys, _ := scripts.Builtin(name)
		if game, err := scripts.Load(fsys, name); err == nil && bundle.HashOf(game.Bundle.Encode()) == hash {
			if files, err = newgame.Read(fsys); err != nil || assets == nil {
				return files, err
			}
			files = slices.DeleteFunc(files,
				func(f newgame.File) bool { return strings.HasPrefix(f.Path, scripts.AssetFolder+"/") })
			return append(files, assets.folder()...), nil
		}
	}
	sources, err := scripts.Files(b)
	if err != nil {
		return nil, err
	}
	for _, s := range sources {
		files = append(files, newgame.File{Path: s.Name, Data: []byte(s.Text)})
	}
	if assets != nil {
		files = append(files, assets.folder()...)
	}
	return files, nil
}
