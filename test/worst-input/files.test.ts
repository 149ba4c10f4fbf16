import { expect, it } from 'vitest';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { pdfBomb, pdfOf } from '#test/support/pdf.ts';
import { type WorkbookCell, workbookOf } from '#test/support/workbooks.ts';
import { createBlocks } from './longest-block.ts';
import { type OfflineApp, startOfflineApp } from './offline-app.ts';
import { FEW_SHAPES, LONG_SHAPES } from './shapes.ts';

const PATIENCE = { timeout: 300_000 };

const attach = (
  { files }: OfflineApp,
  name: string,
  mimeType: string,
  bytes: Uint8Array,
): MediaAttachment => {
  const url = `file-${Object.keys(files).length}`;
  files[url] = bytes;
  return { kind: 'file', mimeType, name, url, sizeBytes: bytes.length };
};

const HEADING = 'Date,Action,Symbol,Quantity,Price,Fees,Amount\n';
/** As many lines as are read, and no more bytes than that. */
const [MAX_LINES, MAX_CSV_BYTES] = [5_000, 1_000_000];

/** A block is as long in a shorter file: the longest are sent once for each kind of line. */
const SHORTER_LINES = 600;

const csvOf = (line: (index: number) => string, maxLines = MAX_LINES): Uint8Array => {
  const encoder = new TextEncoder();
  const lines: string[] = [HEADING.trimEnd()];
  for (let size = HEADING.length; lines.length < maxLines;) {
    const next = line(lines.length).replaceAll(/[\n\r]/g, ' ');
    size += encoder.encode(next).length + 1;
    if (size > MAX_CSV_BYTES) break;
    lines.push(next);
  }
  return encoder.encode(lines.join('\n'));
};

/** A sound file is imported, confirmed and shown on top of the largest ledger, among the ledgers. */
it('no CSV file stalls the bot, and each is read or refused in words', PATIENCE, async () => {
  const app = await startOfflineApp();
  const blocks = createBlocks('CSV');
  const send = async (what: string, bytes: Uint8Array): Promise<void> => {
    const media = [attach(app, 'trades.csv', 'text/csv', bytes)];
    await blocks.of(what, () => app.ask('/portfolio import', { media }));
  };
  for (const [index, { name, of }] of FEW_SHAPES.entries()) {
    // As long as a cell is looked at.
    const cell = of(58).replaceAll(/[",]/g, ';');
    const LINES = [
      (line: number) => ['2026-01-05', cell, cell, line, cell, cell, cell],
      () => [cell, 'Buy', 'AAPL', 1, 2, 3, 4],
      (line: number) => ['2026-01-05', 'Buy', `${cell.slice(0, 30)} ${line}`, 1, 2, 0, 2],
    ];
    const line = LINES[index % LINES.length];
    if (line)
      await send(
        `cells: ${name}`,
        csvOf((count) => line(count).join(), index < LINES.length ? MAX_LINES : SHORTER_LINES),
      );
    if (index % 4 === 0) await send(`all of it: ${name}`, new TextEncoder().encode(of(MAX_CSV_BYTES / 3)));
  }
  blocks.expectNone();
});

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TITLES = HEADING.trimEnd().split(',');
const grid = (rows: number, columns: number, cell: WorkbookCell): readonly (readonly WorkbookCell[])[] =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => cell));
const trades = (line: readonly WorkbookCell[]) => [TITLES, ...Array.from({ length: MAX_LINES }, () => line)];

/** Too large, without titles, or too slow to read on a machine that others use too. */
const REFUSED = /4MB|열/;

/** Far more text than bytes: cells share one text, and a sheet of equal cells shrinks to a hundredth. */
const WORKBOOKS: readonly (readonly [string, () => Uint8Array, RegExp])[] = [
  [
    'one text of 2,000 letters in every cell',
    () => workbookOf([grid(MAX_LINES, 110, { s: 0 })], ['x'.repeat(2_000)]),
    REFUSED,
  ],
  [
    'one text of 50 letters in every cell',
    () => workbookOf([grid(MAX_LINES, 110, { s: 0 })], ['가'.repeat(50)]),
    REFUSED,
  ],
  [
    'one text of two letters in every cell',
    () => workbookOf([grid(MAX_LINES, 110, { s: 0 })], ['xx']),
    REFUSED,
  ],
  [
    'many sheets of one text',
    () =>
      workbookOf(
        Array.from({ length: 100 }, () => grid(150, 100, { s: 0 })),
        ['x'.repeat(2_000)],
      ),
    REFUSED,
  ],
  ['equal numbers', () => workbookOf([grid(MAX_LINES, 120, { n: 0.1 })]), REFUSED],
  [
    'lines of long names',
    () =>
      workbookOf(
        [trades([{ n: 46_000 }, 'Buy', { s: 0 }, { n: 1 }, { n: 2 }, { n: 0 }, { n: 2 }])],
        ['가'.repeat(200)],
      ),
    /./,
  ],
];

it('no workbook stalls the bot, and each is read or refused in words', PATIENCE, async () => {
  const app = await startOfflineApp();
  const blocks = createBlocks('workbook');
  for (const [name, made, told] of WORKBOOKS) {
    const media = [attach(app, 'trades.xlsx', XLSX, made())];
    await blocks.of(name, async () => {
      expect(await app.ask('/포트폴리오 가져오기', { media })).toMatch(told);
    });
  }
  blocks.expectNone();
});

it('no text file stalls the bot, and each is answered', PATIENCE, async () => {
  const app = await startOfflineApp();
  const blocks = createBlocks('text file');
  const encoder = new TextEncoder();
  for (const { name, of } of LONG_SHAPES.filter((_, index) => index % 2 === 0)) {
    const bytes = encoder.encode(of(20_000));
    const media = Array.from({ length: 8 }, (_, index) => attach(app, `${index}.txt`, 'text/plain', bytes));
    await blocks.of(`eight of ${name}`, () => app.ask('what is in them?', { media }));
  }
  for (const { name, of } of FEW_SHAPES.slice(0, 6)) {
    const media = [attach(app, 'long.txt', 'text/plain', encoder.encode(of(3_300_000)))];
    await blocks.of(`long: ${name}`, () => app.ask('what is in it?', { media }));
  }
  blocks.expectNone();
});

it('no PDF stalls the bot, and each is answered', PATIENCE, async () => {
  const app = await startOfflineApp();
  const blocks = createBlocks('PDF');
  const ascii = LONG_SHAPES.filter(({ of }) => /^[\x20-\x7e]*$/.test(of(50))).slice(0, 4);
  const documents: readonly (readonly [string, Uint8Array])[] = [
    ...ascii.map(({ name, of }) => [name, pdfOf([of(70_000)])] as const),
    ['many pages', pdfOf(Array.from({ length: 2_000 }, () => 'page'))],
    ['a bomb', pdfBomb(100_000_000)],
    ['no PDF', new TextEncoder().encode(`%PDF-1.4\n${'1 0 obj\n'.repeat(100_000)}`)],
  ];
  for (const [name, bytes] of documents) {
    const media = [attach(app, 'report.pdf', 'application/pdf', bytes)];
    await blocks.of(name, async () => {
      expect(await app.ask('what is in it?', { media })).not.toBe('');
    });
  }
  blocks.expectNone();
});
