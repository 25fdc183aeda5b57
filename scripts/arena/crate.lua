-- A loose box, heavy enough to be felt, that comes to rest by itself.
Crate = object "Crate" {
  body = { type = "dynamic", shape = { box = { 0.9, 0.9 } }, density = 0.6, friction = 0.5, restitution = 0.1,
           linear_damping = 1, angular_damping = 1 },
  look = { shape = "body", color = "#a85" },
}
