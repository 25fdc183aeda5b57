// What is drawn with WebGL: programs that draw many equal things at once (instances), each of which is
// a few numbers in a buffer.

// Instances are things that are drawn with one program. Their numbers are set frame by frame.
export class Instances {
  // attributes are [name, numbers] of one instance, shape those of a corner, and corners the corners of
  // the shape that all instances have; null: draw gets a shape.
  constructor(gl, vertex, fragment, shape, attributes, corners = null) {
    this.gl = gl;
    this.program = link(gl, vertex, fragment);
    this.shape = layout(gl, this.program, shape);
    this.each = layout(gl, this.program, attributes);
    this.buffer = gl.createBuffer();
    this.numbers = new Float32Array(64 * this.each.numbers);
    this.count = 0;
    this.corners = corners && upload(gl, corners);
    this.uniforms = new Map();
  }

  clear() { this.count = 0; }

  // add returns where the numbers of one more instance begin in this.numbers.
  add() {
    const at = this.count++ * this.each.numbers;
    if (at === this.numbers.length) {
      const more = new Float32Array(2 * at);
      more.set(this.numbers);
      this.numbers = more;
    }
    return at;
  }

  // reserve makes room for so many instances, whose order the caller decides.
  reserve(count) {
    while (this.numbers.length < count * this.each.numbers) this.numbers = new Float32Array(2 * this.numbers.length);
    this.count = count;
  }

  uniform(name, ...values) {
    if (!this.uniforms.has(name)) this.uniforms.set(name, this.gl.getUniformLocation(this.program, name));
    this.gl[`uniform${values.length}f`](this.uniforms.get(name), ...values);
  }

  use() {
    this.gl.useProgram(this.program);
    return this;
  }

  // send sends the numbers of all instances.
  send() {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.numbers.subarray(0, this.count * this.each.numbers), gl.STREAM_DRAW);
  }

  // draw draws the instances from one on, each as a shape.
  draw(first = 0, count = this.count, shape = this.corners) {
    if (count === 0) return;
    const { gl } = this;
    point(gl, shape.buffer, this.shape, 0, 0);
    point(gl, this.buffer, this.each, first * this.each.numbers, 1);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, shape.length / this.shape.numbers, count);
  }
}

// upload keeps the corners of a shape in a buffer.
export function upload(gl, numbers) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
  return { buffer, length: numbers.length, free: () => gl.deleteBuffer(buffer) };
}

function layout(gl, program, attributes) {
  let numbers = 0;
  const at = attributes.map(([name, size]) => {
    const place = { location: gl.getAttribLocation(program, name), size, offset: numbers };
    numbers += size;
    return place;
  });
  return { at, numbers };
}

function point(gl, buffer, { at, numbers }, first, divisor) {
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  for (const { location, size, offset } of at) {
    if (location < 0) continue; // the program does not use it
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * numbers, 4 * (first + offset));
    gl.vertexAttribDivisor(location, divisor);
  }
}

function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${text}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}
