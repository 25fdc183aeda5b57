package rules

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/keyname"
	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/luabind/reference"
	"github.com/hindcast/hindcast/net/clocksync"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/linkmux"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/streamlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/replay/zstd"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// An exported function of a public package.
type function struct {
	name string
	f    any
}

// publicFunctions are all exported functions of the public packages, but for generic
// ones and those of packages for tests.
var publicFunctions = map[string][]function{
	"world/goscript": {
		{"At", goscript.At}, {"Compile", goscript.Compile}, {"CueBool", goscript.CueBool}, {"CueNumber", goscript.CueNumber},
		{"CueText", goscript.CueText}, {"Tell", goscript.Tell}, {"Dynamic", goscript.Dynamic}, {"Facing", goscript.Facing}, {"Hinge", goscript.Hinge},
		{"Kinematic", goscript.Kinematic}, {"Moving", goscript.Moving}, {"NewGame", goscript.NewGame}, {"OwnedBy", goscript.OwnedBy},
		{"Rod", goscript.Rod}, {"Rope", goscript.Rope}, {"Slider", goscript.Slider}, {"Spring", goscript.Spring}, {"Static", goscript.Static},
		{"Turning", goscript.Turning}, {"Weld", goscript.Weld}, {"Wheel", goscript.Wheel},
		{"LineupOf", goscript.LineupOf},
	},
	"luabind": {
		{"Compile", luabind.Compile}, {"ConstantChanges", luabind.ConstantChanges}, {"LookShapes", luabind.LookShapes}, {"NewBot", luabind.NewBot},
		{"NewProgram", luabind.NewProgram}, {"NewTests", luabind.NewTests}, {"NewView", luabind.NewView}, {"Ring", luabind.Ring},
	},
	"luabind/keyname": {
		{"Aliases", keyname.Aliases}, {"All", keyname.All}, {"Canonical", keyname.Canonical}, {"Flows", keyname.Flows}, {"Groups", keyname.Groups},
		{"Known", keyname.Known}, {"Sticks", keyname.Sticks},
	},
	"luabind/lint": {
		{"At", lint.At}, {"Check", lint.Check}, {"CheckBot", lint.CheckBot}, {"CheckTests", lint.CheckTests}, {"Sort", lint.Sort},
	},
	"luabind/reference": {
		{"ClassDefinitions", reference.ClassDefinitions}, {"Definitions", reference.Definitions}, {"Page", reference.Page},
	},
	"net/clocksync": {
		{"New", clocksync.New},
	},
	"net/kcplink": {
		{"Dial", kcplink.Dial}, {"Listen", kcplink.Listen},
	},
	"net/link": {
		{"CleanReason", link.CleanReason},
	},
	"net/linkmux": {
		{"Join", linkmux.Join}, {"New", linkmux.New},
	},
	"net/memlink": {
		{"Average", memlink.Average}, {"Awful", memlink.Awful}, {"Bad", memlink.Bad}, {"Burst", memlink.Burst}, {"LAN", memlink.LAN}, {"New", memlink.New},
		{"NewShaper", memlink.NewShaper}, {"Off", memlink.Off}, {"ParseProfile", memlink.ParseProfile},
	},
	"net/streamlink": {
		{"Dial", streamlink.Dial}, {"Listen", streamlink.Listen}, {"NewHost", streamlink.NewHost},
	},
	"net/wire": {
		{"AppendAnnounce", wire.AppendAnnounce}, {"AppendAssetPart", wire.AppendAssetPart}, {"AppendAssetWant", wire.AppendAssetWant}, {"AppendAssets", wire.AppendAssets}, {"AppendBundle", wire.AppendBundle}, {"AppendBundleWant", wire.AppendBundleWant},
		{"AppendChat", wire.AppendChat}, {"AppendCorrection", wire.AppendCorrection}, {"AppendCues", wire.AppendCues}, {"AppendEvent", wire.AppendEvent},
		{"AppendHello", wire.AppendHello}, {"AppendHostPacket", wire.AppendHostPacket}, {"AppendInputPacket", wire.AppendInputPacket},
		{"AppendEnd", wire.AppendEnd}, {"AppendEnter", wire.AppendEnter}, {"AppendKeyframe", wire.AppendKeyframe}, {"AppendMotion", wire.AppendMotion}, {"AppendNotice", wire.AppendNotice}, {"AppendPing", wire.AppendPing},
		{"AppendPong", wire.AppendPong}, {"AppendReady", wire.AppendReady}, {"AppendRefuse", wire.AppendRefuse}, {"AppendRoster", wire.AppendRoster},
		{"AppendRow", wire.AppendRow}, {"AppendSnapshot", wire.AppendSnapshot}, {"AppendStateReply", wire.AppendStateReply}, {"AppendStateWant", wire.AppendStateWant},
		{"AppendWelcome", wire.AppendWelcome}, {"ChangeBytes", wire.ChangeBytes}, {"InputPacketSeq", wire.InputPacketSeq}, {"KindOf", wire.KindOf},
		{"NewSnapshotLayout", wire.NewSnapshotLayout}, {"ParseAnnounce", wire.ParseAnnounce}, {"ParseAssetPart", wire.ParseAssetPart}, {"ParseAssetWant", wire.ParseAssetWant}, {"ParseAssets", wire.ParseAssets}, {"ParseBundle", wire.ParseBundle},
		{"ParseBundleWant", wire.ParseBundleWant}, {"ParseChat", wire.ParseChat}, {"ParseCorrection", wire.ParseCorrection}, {"ParseCues", wire.ParseCues},
		{"ParseHello", wire.ParseHello}, {"ParseHostPacket", wire.ParseHostPacket}, {"ParseInputPacket", wire.ParseInputPacket},
		{"ParseEnd", wire.ParseEnd}, {"ParseEnter", wire.ParseEnter}, {"ParseKeyframe", wire.ParseKeyframe}, {"ParseMotion", wire.ParseMotion}, {"ParseNotice", wire.ParseNotice}, {"ParsePing", wire.ParsePing},
		{"ParsePong", wire.ParsePong}, {"ParseReady", wire.ParseReady}, {"ParseRefuse", wire.ParseRefuse}, {"ParseRoster", wire.ParseRoster}, {"ParseRow", wire.ParseRow},
		{"ParseSnapshot", wire.ParseSnapshot}, {"ParseStateReply", wire.ParseStateReply}, {"ParseStateWant", wire.ParseStateWant},
		{"ParseWelcome", wire.ParseWelcome}, {"ReadEvent", wire.ReadEvent}, {"SnapshotHead", wire.SnapshotHead}, {"UsesChannel", wire.UsesChannel},
	},
	"runtime": {
		{"NewClient", runtime.NewClient}, {"NewDriver", runtime.NewDriver}, {"NewHost", runtime.NewHost}, {"ViewReplay", runtime.ViewReplay},
	},
	"runtime/asset": {
		{"HashOf", asset.HashOf}, {"Inspect", asset.Inspect}, {"KindOf", asset.KindOf}, {"NewSet", asset.NewSet},
		{"ParseManifest", asset.ParseManifest},
	},
	"runtime/bundle": {
		{"ChangedFiles", bundle.ChangedFiles}, {"DefaultRules", bundle.DefaultRules}, {"DefaultSetup", bundle.DefaultSetup},
		{"FixedChange", bundle.FixedChange}, {"HashOf", bundle.HashOf}, {"New", bundle.New}, {"Parse", bundle.Parse}, {"SameSimulation", bundle.SameSimulation},
	},
	"runtime/replay": {
		{"Append", replay.Append}, {"Is", replay.Is}, {"NewPlayer", replay.NewPlayer}, {"NewRecorder", replay.NewRecorder},
		{"NewWriter", replay.NewWriter}, {"Next", replay.Next}, {"Open", replay.Open},
	},
	"runtime/replay/zstd": {
		{"New", zstd.New},
	},
	"runtime/simtest": {
		{"Bot", simtest.Bot}, {"Game", simtest.Game}, {"New", simtest.New},
	},
	"runtime/stats": {
		{"Round", stats.Round},
	},
	"runtime/timeline": {
		{"Outcomes", timeline.Outcomes}, {"FirstUnlike", timeline.FirstUnlike}, {"New", timeline.New}, {"NewSharedRun", timeline.NewSharedRun},
	},
	"scripts": {
		{"MissingAssets", scripts.MissingAssets}, {"Bot", scripts.Bot}, {"Bots", scripts.Bots}, {"Builtin", scripts.Builtin}, {"Files", scripts.Files}, {"Games", scripts.Games}, {"Load", scripts.Load},
		{"LoadDir", scripts.LoadDir}, {"Sources", scripts.Sources},
	},
	"world": {
		{"AppendList", world.AppendList}, {"AppendObjects", world.AppendObjects}, {"AppendPatch", world.AppendPatch}, {"AppendCuePatch", world.AppendCuePatch}, {"ApplyCuePatch", world.ApplyCuePatch},
		{"AppendPoseHistory", world.AppendPoseHistory}, {"AppendState", world.AppendState}, {"ApplyPatch", world.ApplyPatch},
		{"BoolValue", world.BoolValue}, {"BuiltIn", world.BuiltIn}, {"BundleOf", world.BundleOf}, {"Changes", world.Changes}, {"HoldsState", world.HoldsState},
		{"CueFor", world.CueFor}, {"CheckInput", world.CheckInput}, {"Conform", world.Conform}, {"Diff", world.Diff}, {"EdgesOf", world.EdgesOf}, {"FollowEdges", world.FollowEdges}, {"FindInput", world.FindInput},
		{"HoldOf", world.HoldOf},
		{"InFolder", world.InFolder}, {"LastFrame", world.LastFrame}, {"LastRefusal", world.LastRefusal}, {"LookField", world.LookField}, {"Listed", world.Listed},
		{"MergeNamed", world.MergeNamed}, {"MergeNames", world.MergeNames}, {"New", world.New}, {"NewFieldReader", world.NewFieldReader}, {"NewRow", world.NewRow},
		{"NewPartialRerun", world.NewPartialRerun}, {"NewSchema", world.NewSchema}, {"NumberBits", world.NumberBits}, {"NumberValue", world.NumberValue}, {"TimersOf", world.TimersOf}, {"LevelsOf", world.LevelsOf}, {"LineupOf", world.LineupOf}, {"LevelIn", world.LevelIn}, {"BodyDef", world.BodyDef},
		{"OwnerPoseOf", world.OwnerPoseOf}, {"PackWords", world.PackWords}, {"ParsePoseHistory", world.ParsePoseHistory}, {"ParseState", world.ParseState},
		{"PutString", world.PutString}, {"RefValue", world.RefValue}, {"Room", world.Room}, {"RemapInput", world.RemapInput}, {"Retyped", world.Retyped},
		{"SightPose", world.SightPose}, {"HoldDiffers", world.HoldDiffers}, {"StringField", world.StringField}, {"TextValue", world.TextValue},
	},
	"world/detmath": {
		{"Acos", detmath.Acos}, {"Asin", detmath.Asin}, {"Atan", detmath.Atan}, {"Atan2", detmath.Atan2}, {"Cos", detmath.Cos}, {"Exp", detmath.Exp},
		{"Hypot", detmath.Hypot}, {"Log", detmath.Log}, {"Log10", detmath.Log10}, {"Log2", detmath.Log2}, {"Pow", detmath.Pow}, {"Sin", detmath.Sin},
		{"Sincos", detmath.Sincos}, {"Sqrt", detmath.Sqrt}, {"Tan", detmath.Tan}, {"Wrap", detmath.Wrap},
	},
	"world/physics": {
		{"AddContactOf", physics.AddContactOf}, {"AddJointOf", physics.AddJointOf}, {"AppendBody", physics.AppendBody},
		{"AppendBodyWords", physics.AppendBodyWords}, {"AppendContact", physics.AppendContact}, {"AppendContactWords", physics.AppendContactWords},
		{"AppendJoint", physics.AppendJoint}, {"AppendJointWords", physics.AppendJointWords}, {"Blocked", physics.Blocked}, {"BodyOf", physics.BodyOf},
		{"BoxAt", physics.BoxAt}, {"BoxShape", physics.BoxShape}, {"CapsuleShape", physics.CapsuleShape}, {"ChainShapes", physics.ChainShapes},
		{"Changed", physics.Changed}, {"Check", physics.Check}, {"CheckBody", physics.CheckBody}, {"CheckDef", physics.CheckDef},
		{"CheckJoint", physics.CheckJoint}, {"CheckParams", physics.CheckParams}, {"CircleAt", physics.CircleAt}, {"CircleShape", physics.CircleShape}, {"ContactPoints", physics.ContactPoints},
		{"DiffBody", physics.DiffBody}, {"DiffContacts", physics.DiffContacts}, {"DiffJoints", physics.DiffJoints}, {"Nearest", physics.Nearest},
		{"NewBody", physics.NewBody}, {"NewDef", physics.NewDef}, {"NewDistance", physics.NewDistance}, {"NewJoint", physics.NewJoint},
		{"NewParams", physics.NewParams}, {"OverlapBox", physics.OverlapBox}, {"OverlapCircle", physics.OverlapCircle},
		{"OverlapShape", physics.OverlapShape}, {"ParseBody", physics.ParseBody}, {"ParseContact", physics.ParseContact},
		{"ParseJoint", physics.ParseJoint}, {"PolygonShape", physics.PolygonShape}, {"Raycast", physics.Raycast}, {"RaycastAll", physics.RaycastAll},
		{"SegmentShape", physics.SegmentShape}, {"ShapeCast", physics.ShapeCast},
	},
	"world/physics/space": {
		{"Load", space.Load}, {"New", space.New},
	},
}

// panicsSaying are the functions without an error result that cannot do without what
// they are not given here, and what they panic with.
var panicsSaying = map[string]string{
	"world/goscript.Hinge": "this is no object", "world/goscript.Rod": "this is no object", "world/goscript.Rope": "this is no object", "world/goscript.Slider": "this is no object",
	"world/goscript.Spring": "this is no object", "world/goscript.Weld": "this is no object", "world/goscript.Wheel": "this is no object",
	"net/linkmux.Join":      "linkmux: Join needs the link of a client",
	"net/linkmux.New":       "linkmux: New needs the link of a host",
	"net/streamlink.Dial":   "streamlink: Dial needs a function that makes the connection",
	"net/streamlink.Listen": "streamlink: Listen needs a net.Listener",
	"runtime/timeline.New":  "timeline: New needs a script: what a world.Compile makes of a bundle",
}

// zeroIsNoUse are the functions that take something of which the zero value is of no
// use, because only another function makes it.
var zeroIsNoUse = map[string]string{
	"luabind.ConstantChanges":     "VMs, which Program.NewVM makes",
	"runtime.ViewReplay":          "a Player, which replay.NewPlayer makes",
	"runtime/simtest.Bot":         "a testing.TB",
	"runtime/simtest.Game":        "a testing.TB",
	"runtime/simtest.New":         "a testing.TB",
	"world/goscript.Tell":         "an Actor, which a hook gets",
	"world.PutString":             "a row that has the field",
	"world.StringField":           "a row that has the field",
	"world/physics.AppendContact": "the index of a contact that is there",
	"world/physics.AppendJoint":   "the index of a joint that is there",
}

// errsSaying are functions that refuse zero values with an error, and part of it.
var errsSaying = map[string]string{
	"runtime.NewHost":           "HostConfig.Bundle is not set",
	"runtime/bundle.Parse":      "bad bundle",
	"runtime/replay.NewPlayer":  "",
	"runtime/replay.Open":       "no io.ReaderAt to read from",
	"scripts.Files":             "bad bundle",
	"scripts.Load":              "no fs.FS to load a game from",
	"scripts.LoadDir":           "there is no such folder",
	"luabind.Compile":           "tick_rate = 0",
	"luabind.NewBot":            "a name has 1 to 128 bytes",
	"world.NewSchema":           "tick_rate = 0",
	"world/physics.BodyOf":      "0 words: a body takes 13",
	"world/physics.AddJointOf":  "0 words: a joint takes",
	"world/physics/space.New":   "DT = 0",
	"net/kcplink.Dial":          "needs a port",
	"net/memlink.ParseProfile":  "bad network profile",
	"world/physics.ChainShapes": "a chain of 0 points",
}

// TestZeroArguments calls every exported function of the public packages with zero
// values, and a pointer to a zero value for each pointer. It returns, or refuses them with
// an error; it does not trip over what is missing.
func TestZeroArguments(t *testing.T) {
	for dir, list := range publicFunctions {
		for _, f := range list {
			name := dir + "." + f.name
			got, err := callWithZeros(f.f)
			says, expected := panicsSaying[name]
			switch _, noUse := zeroIsNoUse[name]; {
			case noUse != (got != nil && !expected):
				t.Errorf("%s: panic %v, listed as needing more than zero values: %v", name, got, noUse)
			case expected && fmt.Sprint(got) != says:
				t.Errorf("%s: panic %v, want %q", name, got, says)
			}
			if want, ok := errsSaying[name]; ok && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: error %v, want one that says %q", name, err, want)
			}
		}
	}
}

// callWithZeros returns what a call panics with, and the error that it returns.
func callWithZeros(f any) (panicked any, err error) {
	v := reflect.ValueOf(f)
	var args []reflect.Value
	for in := range v.Type().Ins() {
		switch in.Kind() {
		case reflect.Pointer:
			args = append(args, reflect.New(in.Elem()))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	if v.Type().IsVariadic() {
		args = args[:len(args)-1]
	}
	defer func() { panicked = recover() }()
	for _, result := range v.Call(args) {
		if e, ok := result.Interface().(error); ok {
			err = e
		}
		if l, ok := result.Interface().(interface{ Shutdown(string) error }); ok && !result.IsNil() {
			_ = l.Shutdown("") // a link that did open
		}
	}
	return nil, err
}

// TestZeroArgumentsAreComplete: the table has every function.
func TestZeroArgumentsAreComplete(t *testing.T) {
	for _, s := range loadModule(t) {
		if !s.isPublic() || s.pkg.Name() == "main" || within(s.dir, testPackages...) {
			continue
		}
		for _, name := range s.pkg.Scope().Names() {
			f, ok := s.pkg.Scope().Lookup(name).(*types.Func)
			if !ok || !f.Exported() || f.Signature().TypeParams().Len() > 0 {
				continue
			}
			if !slices.ContainsFunc(publicFunctions[s.dir], func(f function) bool { return f.name == name }) {
				t.Errorf("%s.%s is not in publicFunctions", s.dir, name)
			}
		}
	}
}
