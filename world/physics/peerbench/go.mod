module github.com/hindcast/hindcast/world/physics/peerbench

go 1.26.0

require (
	github.com/ByteArena/box2d v1.0.2
	github.com/hindcast/hindcast v0.0.0
	github.com/jakecoffman/cp/v2 v2.2.0
)

require github.com/pmezard/go-difflib v1.0.0 // indirect

replace github.com/hindcast/hindcast => ../../..
