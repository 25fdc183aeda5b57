// The assets of the game: images as textures, sounds and fonts. The client says which files have arrived;
// the address of a file changes with its content, so a file that was edited is loaded again.

const MOST = 4096; // pixels of a side
const DECODED = 64 * 2 ** 20; // bytes of all images together, with 4 bytes a pixel

export class Assets {
  // undecoded(list) is told which files the browser cannot decode.
  constructor(undecoded = () => {}) {
    this.undecoded = undecoded;
    this.broken = new Map(); // by name: the address of the content that it cannot decode
    this.files = new Map(); // by name: its address
    this.images = new Map(); // by name: { url, image, texture, generation }
    this.fonts = new Map(); // by name: { url, face }
  }

  // take gets the files that are there.
  take(list) {
    this.files = new Map(list.map((f) => [f.name, f.url]));
    for (const [name, url] of this.files) if (name.endsWith('.woff2')) this.load(name, url);
    for (const [name, { face }] of this.fonts) if (!this.files.has(name)) { document.fonts.delete(face); this.fonts.delete(name); }
    for (const name of this.images.keys()) if (!this.files.has(name)) this.forget(name);
    const broken = this.broken.size;
    for (const [name, url] of this.broken) if (this.files.get(name) !== url) this.broken.delete(name);
    if (this.broken.size !== broken) this.tell();
  }

  // fails notes that the browser cannot decode the content of a file, if that is there: the client may have ended.
  fails(name, url) {
    fetch(url, { method: 'HEAD' }).then(({ ok }) => {
      if (!ok || this.files.get(name) !== url || this.broken.get(name) === url) return;
      this.broken.set(name, url);
      this.tell();
    }).catch(() => {});
  }

  tell() {
    this.undecoded([...this.broken.keys()].map((name) => ({
      place: `assets/${name}`, message: 'the browser cannot decode it; save it again from another program',
    })));
  }

  // forget drops an image that is not there any more: its placeholder is shown again.
  forget(name) {
    this.images.get(name)?.drop?.();
    this.images.delete(name);
  }

  // load loads a font under the family that family returns.
  load(name, url) {
    const before = this.fonts.get(name);
    if (before?.url === url) return;
    const face = new FontFace(family(name), `url("${url}")`);
    this.fonts.set(name, { url, face });
    face.load().then(() => {
      if (this.fonts.get(name)?.face !== face) return;
      document.fonts.add(face);
      if (before) document.fonts.delete(before.face);
    }).catch(() => this.fails(name, url)); // texts keep their usual font
  }

  // url returns the address of a file; undefined: it is not there.
  url(name) { return this.files.get(name); }

  // image returns what is shown of an image: the newest content that has been decoded; null: none yet.
  image(name) {
    const url = this.files.get(name), shown = this.images.get(name);
    if (url && shown?.wanted !== url) this.decode(name, url);
    return this.images.get(name)?.image ?? null;
  }

  decode(name, url) {
    const entry = this.images.get(name) ?? {};
    entry.wanted = url;
    this.images.set(name, entry);
    const image = new Image();
    image.src = url;
    image.decode().then(() => {
      if (this.images.get(name) !== entry || entry.wanted !== url) return; // newer content, or none, has come meanwhile
      this.show(entry, image, name);
    }).catch(() => { // the placeholder is shown
      if (this.images.get(name) === entry && entry.wanted === url) Object.assign(entry, { bytes: 0, fresh: true, image: null });
      this.fails(name, url);
    });
  }

  // show shows an image, if it and the others are not too large. The client has read the sizes of the files; here
  // they are those that the browser has found.
  show(entry, image, name) {
    const width = image.naturalWidth || 256, height = image.naturalHeight || 256;
    entry.bytes = 0;
    entry.fresh = true;
    entry.image = null;
    if (width > MOST || height > MOST || this.bytes() + 4 * width * height > DECODED) {
      console.warn(`${name}: ${width} x ${height} pixels are too many, alone or with the other images`);
      return;
    }
    entry.bytes = 4 * width * height;
    entry.image = pixelsOf(image, name, width, height);
  }

  // bytes returns what the images take that are shown.
  bytes() { return [...this.images.values()].reduce((sum, { bytes = 0 }) => sum + bytes, 0); }

  // texture returns the texture of an image for a context; null: it is not there yet.
  texture(gl, name) {
    const image = this.image(name), entry = this.images.get(name);
    if (!image) return null;
    if (entry.fresh || entry.gl !== gl) {
      entry.drop?.();
      entry.fresh = false;
      entry.gl = gl;
      entry.texture = upload(gl, image);
      entry.drop = () => gl.deleteTexture(entry.texture);
    }
    return entry.texture && { texture: entry.texture, width: image.width, height: image.height };
  }
}

// family is the name of a font for CSS.
export function family(name) { return `asset ${name.replace(/[^a-zA-Z0-9]/g, ' ')}`; }

// pixelsOf returns the pixels of an image. Those of a drawing (svg) have the size that it says.
function pixelsOf(image, name, width, height) {
  if (!name.endsWith('.svg')) return Object.assign(image, { width, height });
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d').drawImage(image, 0, 0, width, height);
  return canvas;
}

// upload returns a texture with the pixels of an image; null: the browser does not hand them out.
function upload(gl, image) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
  try {
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
  } catch {
    gl.deleteTexture(texture);
    return null;
  }
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}
