package world_test

// goldenWorld is the hash that TestGoldenWorld ends with, on every CPU.
const goldenWorld = 0x51632ade50530809
