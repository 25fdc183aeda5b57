package world_test

// goldenWorld is the hash that TestGoldenWorld ends with, on every CPU.
const goldenWorld = 0xea44af08e9670cf4
