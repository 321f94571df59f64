// An independent terminal: reads numbered chunks, draws them with xterm.js, and answers with what is then shown.
"use strict";
const { Terminal } = require("@xterm/headless");
const [cols, rows] = process.argv.slice(2).map(Number);
const terminal = new Terminal({ cols, rows, scrollback: 0, allowProposedApi: true, logLevel: "off" });

function shown() {
  const buffer = terminal.buffer.active;
  return Array.from({ length: rows }, (_, y) => buffer.getLine(buffer.baseY + y)?.translateToString(true) ?? "");
}

let before = "";
require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { at, data } = JSON.parse(line);
    terminal.write(Buffer.from(data, "base64"), () => {
      const lines = shown();
      const text = lines.join("\n");
      if (text === before) return;
      before = text;
      process.stdout.write(JSON.stringify({ at, lines }) + "\n");
    });
  });
