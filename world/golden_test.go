package world_test

// goldenWorld is the hash that TestGoldenWorld ends with, on every CPU.
const goldenWorld = 0x30d24730a064093d
