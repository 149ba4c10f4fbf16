import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { displayWidth } from '#src/platform/text/display-width.ts';

// Draws the terminal of the README from a real chat on sample data. Needs `script` of util-linux, which gives a terminal.

const IMAGE = join(import.meta.dirname, '..', 'docs', 'images', 'terminal.svg');
const COLUMNS = 80;
const ROWS = 60;
const TYPED = ['삼성전자 얼마야?', 'How is Apple doing today?', '/fx 100 usd krw', '/alert AAPL'];
const START_MS = 6_000;
const ANSWER_MS = 2_500;

const CELL_WIDTH = 9;
const LINE_HEIGHT = 21;
const MARGIN = 18;
const HEAD = 44;
const FONTS =
  'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Noto Sans Mono CJK KR","Noto Sans CJK KR",monospace';

interface Style {
  readonly colour?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
}

interface Cell {
  readonly text: string;
  readonly style: Style;
}

const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff6b6b',
  '32': '#69db7c',
  '36': '#56b6c2',
  '94': '#74a9ff',
};

const styled = (style: Style, code: string): Style => {
  if (code === '1') return { ...style, isBold: true };
  if (code === '2') return { ...style, isDim: true };
  if (code === '3') return { ...style, isItalic: true };
  if (code === '22') return { ...style, isBold: false, isDim: false };
  if (code === '23') return { ...style, isItalic: false };
  const colour = COLOURS[code];
  if (colour !== undefined) return { ...style, colour };
  const { colour: _none, ...plain } = style;
  return code === '39' ? plain : style;
};

/** A character, or an escape sequence by which a program controls a terminal. */
const PIECES =
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
  /\u001b\[\??(?<numbers>[\d;]*)(?<code>[A-Za-z])|\u001b[\]_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^\u001b]/gsu;

/** What the terminal shows at the end. */
const screenOf = (output: string): readonly (readonly Cell[])[] => {
  const lines: Cell[][] = [[]];
  let row = 0;
  let column = 0;
  let style: Style = {};
  const draw = (text: string): void => {
    const width = displayWidth(text);
    if (width === 0) return;
    const line = (lines[row] ??= []);
    while (line.length < column) line.push({ text: ' ', style: {} });
    line[column] = { text, style };
    if (width === 2) line[column + 1] = { text: '', style };
    column += width;
  };
  for (const { 0: piece, groups = {} } of output.matchAll(PIECES)) {
    const { code, numbers = '' } = groups;
    if (code === 'm') style = numbers.split(';').reduce(styled, style);
    else if (code === 'A') row -= Number(numbers || 1);
    else if (code === 'G') column = Number(numbers || 1) - 1;
    else if (code === 'J') {
      lines.length = row + 1;
      lines[row]?.splice(column);
    } else if (piece === '\r') column = 0;
    else if (piece === '\n') {
      row += 1;
      column = 0;
      lines[row] ??= [];
    } else if (code === undefined && !piece.startsWith('\u001b')) draw(piece);
  }
  return lines.slice(0, lines.findLastIndex((line) => line.some(({ text }) => text.trim() !== '')) + 1);
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const isSame = (a: Style, b: Style): boolean => JSON.stringify(a) === JSON.stringify(b);

const attributesOf = ({ colour, isBold, isDim, isItalic }: Style): string =>
  [
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(isBold ? ['font-weight="700"'] : []),
    ...(isDim ? ['opacity="0.55"'] : []),
    ...(isItalic ? ['font-style="italic"'] : []),
  ].join(' ');

interface Run {
  readonly start: number;
  readonly columns: number;
  readonly text: string;
  readonly style: Style;
  readonly isWide: boolean;
}

/**
 * Words of one style, each drawn at its own column: fonts disagree about the width of Hangul, and browsers about spaces at
 * the ends of a text.
 */
const lineSvg = (line: readonly Cell[], index: number): string => {
  const y = HEAD + LINE_HEIGHT * (index + 1) - 6;
  const runs: Run[] = [];
  for (const [start, { text, style }] of line.entries()) {
    const columns = displayWidth(text);
    const last = runs.at(-1);
    if (text.trim() === '') continue;
    const isNext = last && last.start + last.columns === start;
    // A wide character stands alone.
    if (isNext && columns === 1 && !last.isWide && isSame(last.style, style))
      runs[runs.length - 1] = { ...last, columns: last.columns + 1, text: last.text + text };
    else runs.push({ start, columns, text, style, isWide: columns === 2 });
  }
  return runs
    .map(({ start, columns, text, style }) => {
      const x = MARGIN + start * CELL_WIDTH;
      const length = columns * CELL_WIDTH;
      const attributes = attributesOf(style);
      return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${attributes}>${escapeXml(text)}</text>`;
    })
    .join('');
};

const svgOf = (lines: readonly (readonly Cell[])[]): string => {
  const width = MARGIN * 2 + COLUMNS * CELL_WIDTH;
  const height = HEAD + LINE_HEIGHT * lines.length + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A chat with FinClaw in a terminal, in Korean and English: prices in colour with a line of their recent closes, an exchange rate, and numbered choices for an alert. All prices are marked as sample data.">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#1e222a"/><rect width="${width}" height="34" rx="10" fill="#2b303b"/><rect y="20" width="${width}" height="14" fill="#2b303b"/>`,
    '<circle cx="20" cy="17" r="6" fill="#e06c75"/><circle cx="40" cy="17" r="6" fill="#e5c07b"/><circle cx="60" cy="17" r="6" fill="#98c379"/>',
    `<g font-family='${FONTS}' font-size="15" fill="#d7dae0">`,
    ...lines.map(lineSvg).filter((line) => line !== ''),
    '</g></svg>',
    '',
  ].join('\n');
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const dataDir = await mkdtemp(join(tmpdir(), 'finclaw-terminal-'));
const chat = spawn(
  'script',
  ['-qfec', `stty cols ${COLUMNS} rows ${ROWS}; npm start --silent`, '/dev/null'],
  {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...process.env,
      LANG: 'en_US.UTF-8',
      TZ: 'Asia/Seoul',
      TERM: 'xterm-256color',
      FINCLAW_MARKET: 'sample',
      FINCLAW_DATA_DIR: dataDir,
    },
  },
);
try {
  let output = '';
  chat.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await pause(START_MS);
  for (const line of TYPED) {
    chat.stdin.write(`${line}\r`);
    await pause(ANSWER_MS);
  }
  chat.stdin.write('/port\t');
  await pause(ANSWER_MS);
  await writeFile(IMAGE, svgOf(screenOf(output)));
  console.log(`Wrote ${IMAGE}`);
} finally {
  chat.kill();
  await rm(dataDir, { recursive: true, force: true });
}
