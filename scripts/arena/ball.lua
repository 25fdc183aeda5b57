-- A light ball that bounces well and rolls far.
Ball = object "Ball" {
  body = { type = "dynamic", shape = { circle = 0.4 }, density = 0.4, friction = 0.2, restitution = 0.8,
           linear_damping = 0.3, angular_damping = 0.5 },
  look = { shape = "circle", color = "#9cf" },
}
