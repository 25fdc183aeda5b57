// A WebSocket for versions of Node.js that have none. It does what a client with binary
// messages needs, and no more.
"use strict";
const http = require("http");
const crypto = require("crypto");

globalThis.WebSocket ??= class extends EventTarget {
	constructor(url) {
		super();
		this.protocol = "";
		this.unread = Buffer.alloc(0); // bytes that are no whole frame yet
		this.parts = []; // of the present message
		const request = http.request(url.replace(/^ws/, "http"), {
			headers: {
				Connection: "Upgrade",
				Upgrade: "websocket",
				"Sec-WebSocket-Version": "13",
				"Sec-WebSocket-Key": crypto.randomBytes(16).toString("base64"),
			},
		});
		request.on("upgrade", (_, socket, head) => this.open(socket, head));
		request.on("response", () => this.end(1006));
		request.on("error", () => this.end(1006));
		request.end();
	}

	open(socket, head) {
		this.socket = socket;
		socket.setNoDelay(true);
		this.dispatchEvent(new Event("open"));
		socket.on("data", (bytes) => this.take(bytes));
		socket.on("error", () => this.end(1006));
		socket.on("close", () => this.end(1006));
		this.take(head);
	}

	// take handles the whole frames among the bytes that have come.
	take(bytes) {
		this.unread = Buffer.concat([this.unread, bytes]);
		for (;;) {
			const b = this.unread;
			if (b.length < 2) return;
			let size = b[1] & 127, head = 2;
			if (size === 126) {
				if (b.length < 4) return;
				size = b.readUInt16BE(2);
				head = 4;
			} else if (size === 127) {
				if (b.length < 10) return;
				size = Number(b.readBigUInt64BE(2));
				head = 10;
			}
			if (b.length < head + size) return;
			this.unread = b.subarray(head + size);
			this.frame(b[0] & 15, (b[0] & 128) !== 0, b.subarray(head, head + size));
		}
	}

	frame(opcode, last, data) {
		if (opcode === 8) {
			this.write(8, data);
			this.end(data.length >= 2 ? data.readUInt16BE(0) : 1005, true);
		} else if (opcode === 9) {
			this.write(10, data);
		} else if (opcode < 3) {
			this.parts.push(data);
			if (!last) return;
			const message = new Event("message");
			message.data = Uint8Array.from(Buffer.concat(this.parts)).buffer;
			this.parts = [];
			this.dispatchEvent(message);
		}
	}

	write(opcode, data) {
		const mask = crypto.randomBytes(4);
		const head = data.length < 126 ? Buffer.from([128 | opcode, 128 | data.length]) : Buffer.alloc(4);
		if (data.length >= 126) {
			head[0] = 128 | opcode;
			head[1] = 128 | 126;
			head.writeUInt16BE(data.length, 2); // streamlink writes less than 64 KB at once
		}
		this.socket.write(Buffer.concat([head, mask, Buffer.from(data).map((byte, i) => byte ^ mask[i & 3])]));
	}

	send(data) {
		this.write(2, data);
	}

	close(code) {
		const data = Buffer.alloc(2);
		data.writeUInt16BE(code);
		if (this.socket) this.write(8, data);
		this.end(code, true);
	}

	end(code, clean) {
		if (this.ended) return;
		this.ended = true;
		if (this.socket) this.socket.end();
		const close = new Event("close");
		Object.assign(close, { code, reason: "", wasClean: clean === true });
		setImmediate(() => this.dispatchEvent(close));
	}
};
