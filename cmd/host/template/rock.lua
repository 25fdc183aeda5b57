-- A rock to bump into.
Rock = object "Rock" {
  body = { shape = { circle = 0.7 }, density = 0.6, restitution = 0.5, linear_damping = 0.5, angular_damping = 0.5 },
  look = { shape = "circle", color = "#8a9" },
}
