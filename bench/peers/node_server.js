// node-pty + @xterm/headless behind JSON lines on stdin and stdout: the least server one would write around them.
"use strict";
const path = require("node:path");
const readline = require("node:readline");
const modules = process.env.NODE_MODULES;
const pty = require(path.join(modules, "@lydell/node-pty"));
const { Terminal } = require(path.join(modules, "@xterm/headless"));

const [cols, rows] = [200, 50];
const [file, ...args] = process.argv.slice(2);
const terminal = new Terminal({ cols, rows, allowProposedApi: true });
const child = pty.spawn(file, args, { cols, rows, encoding: null, env: process.env });
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// Flow control as xterm.js documents it; without it a flood ends in discarded data.
const [high, low] = [1 << 20, 1 << 18];
let pending = 0;
let streaming = "none"; // "raw": as read, "seen": once the screen shows it
child.onData((data) => {
  pending += data.length;
  if (pending > high) child.pause();
  if (streaming === "raw") say({ type: "output", data: data.toString("base64") });
  terminal.write(data, () => {
    const was = pending;
    pending -= data.length;
    if (was > low && pending <= low) child.resume();
    if (streaming === "seen") say({ type: "output", data: data.toString("base64") });
  });
});
child.onExit(() => process.exit(0));

function text() {
  const buffer = terminal.buffer.active;
  const lines = [];
  for (let row = 0; row < rows; row++) {
    lines.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "");
  }
  return lines.join("\n");
}

// Keystrokes typed and seen without leaving this process, in milliseconds.
async function keystrokes(count, pause) {
  const taken = [];
  for (let i = 0; i < count; i++) {
    const before = process.hrtime.bigint();
    const { cursorX: x, cursorY: y } = terminal.buffer.active;
    const seen = new Promise((resolve) => {
      const listener = terminal.onWriteParsed(() => {
        const { cursorX, cursorY } = terminal.buffer.active;
        if (cursorX === x && cursorY === y) return;
        listener.dispose();
        resolve();
      });
    });
    child.write("x");
    await seen;
    taken.push(Number(process.hrtime.bigint() - before) / 1e6);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return taken;
}

readline.createInterface({ input: process.stdin }).on("line", async (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "text": say({ type: "text", text: text() }); break;
    case "input": child.write(message.text); break;
    case "stream": streaming = message.of; break;
    case "keystrokes": say({ type: "keystrokes", taken: await keystrokes(message.count, message.pause) }); break;
  }
}).on("close", () => process.exit(0));
