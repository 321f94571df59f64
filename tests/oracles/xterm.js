// Reads cases as JSON, plays them to xterm.js, and answers with what it shows.
"use strict";
// The addon reads its table at offset 0 of the buffer's memory. Node puts small buffers into a shared pool, at
// another offset, and every character beyond the BMP would count as narrow.
Buffer.poolSize = 0;
const { Terminal } = require("@xterm/headless");
const { UnicodeGraphemesAddon } = require("@xterm/addon-unicode-graphemes");

const color = (value, isRGB, isPalette) =>
  isRGB ? [(value >> 16) & 255, (value >> 8) & 255, value & 255] : isPalette ? value : null;

// The style of the line under a cell is not in the public API, but the cell has it.
const underlineColor = (cell) =>
  cell.hasExtendedAttrs() && ~cell.extended.underlineColor
    ? color(cell.getUnderlineColor(), cell.isUnderlineColorRGB(), cell.isUnderlineColorPalette())
    : null;

const style = (cell) => ({
  fg: color(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette()),
  bg: color(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette()),
  underline_color: underlineColor(cell),
  bold: !!cell.isBold(),
  faint: !!cell.isDim(),
  italic: !!cell.isItalic(),
  underline: cell.isUnderline() ? cell.getUnderlineStyle() : 0,
  blink: !!cell.isBlink(),
  inverse: !!cell.isInverse(),
  invisible: !!cell.isInvisible(),
  strikethrough: !!cell.isStrikethrough(),
  overline: !!cell.isOverline(),
});

function row(terminal, y) {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + y);
  const cells = [];
  for (let x = 0; x < terminal.cols; x++) {
    const cell = line.getCell(x);
    cells.push({ text: cell.getChars(), width: cell.getWidth(), style: style(cell) });
  }
  return cells;
}

async function play({ cols, rows, steps }) {
  const terminal = new Terminal({ cols, rows, scrollback: 1000, allowProposedApi: true, logLevel: "off" });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.unicode.activeVersion = "15-graphemes";
  let title = "";
  terminal.onTitleChange((to) => (title = to));
  for (const step of steps) {
    if (typeof step === "string") await new Promise((done) => terminal.write(Buffer.from(step, "base64"), done));
    else terminal.resize(...step);
  }
  const { cursorX, cursorY, type } = terminal.buffer.active;
  const cells = Array.from({ length: terminal.rows }, (_, y) => row(terminal, y));
  const answer = { cells, cursor: [cursorY, cursorX], cols: terminal.cols, alternate: type === "alternate", title };
  terminal.dispose();
  return answer;
}

async function main() {
  const answers = [];
  for (const one of JSON.parse(require("fs").readFileSync(0, "utf8"))) answers.push(await play(one));
  process.stdout.write(JSON.stringify(answers));
}

main();
