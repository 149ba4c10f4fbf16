import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import { readDelimited } from '#src/features/portfolio/import/files/read-delimited.ts';
import { createReadWorkbook, isBoundedZip } from '#src/features/portfolio/import/files/read-workbook.ts';
import { SHEET_LIMITS } from '#src/features/portfolio/import/sheet.ts';
import { readSource } from '#src/features/portfolio/import/files/read-source.ts';
import { numberIn, timeIn } from '#src/features/portfolio/import/columns/cells.ts';
import { csvLine, unmarked } from '#src/features/portfolio/csv.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const { signal } = new AbortController();
const deps = (bytes: Uint8Array = new Uint8Array()) => ({
  readMedia: async () => bytes,
  readWorkbook: createReadWorkbook(new ManualClock()),
  logger: recordingLogger().logger,
});
const place = { channelId: asId<ChannelId>('discord'), owner: 'owner' };

const shown = (source: Awaited<ReturnType<typeof readSource>>) => {
  if (source.status === 'ok')
    return source.sheets.flatMap(({ rows }) => rows.map(({ line, cells }) => [line, ...cells]));
  return source.status === 'picture' ? source.mimeType : source.problem.kind;
};

const pasted = async (text: string) => shown(await readSource({ text, files: [] }, place, deps(), signal));
const attached = async (bytes: Uint8Array | string) => {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  const files = [{ kind: 'file', mimeType: 'application/octet-stream', name: 'a', url: 'a' }] as const;
  return shown(await readSource({ text: '', files }, place, deps(data), signal));
};

const markdown = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const HEAD = ['날짜', '구분', '종목', '수량', '단가'];
const ROW = ['2026-03-02', '매수', '삼성전자', '10', '71,000'];

/** A zip of one part, with the given sizes in its directory and header. */
const zipOf = (
  content: Uint8Array,
  { told = content.length, header = told }: { told?: number; header?: number } = {},
) => {
  const packed = deflateRawSync(content);
  const local = new DataView(new ArrayBuffer(31));
  local.setUint32(0, 0x04034b50, true);
  local.setUint16(8, 8, true);
  local.setUint32(18, packed.length, true);
  local.setUint32(22, header, true);
  local.setUint16(26, 1, true);
  local.setUint8(30, 0x61);
  const entry = new DataView(new ArrayBuffer(47));
  entry.setUint32(0, 0x02014b50, true);
  entry.setUint16(10, 8, true);
  entry.setUint32(20, packed.length, true);
  entry.setUint32(24, told, true);
  entry.setUint16(28, 1, true);
  entry.setUint8(46, 0x61);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, 1, true);
  end.setUint16(10, 1, true);
  end.setUint32(12, 47, true);
  end.setUint32(16, 31 + packed.length, true);
  return new Uint8Array(
    Buffer.concat(
      [local, packed, entry, end].map((part) =>
        part instanceof DataView ? new Uint8Array(part.buffer) : part,
      ),
    ),
  );
};

describe('a table', () => {
  it('may have quotes, line breaks in cells, and any separator', async () => {
    expect(await pasted('a,"b ""x"", c","d\r\ne"\r\n\r\n f ,5" disk,')).toEqual([
      [1, 'a', 'b "x", c', 'd\r\ne'],
      [4, 'f', '5" disk'],
    ]);
    expect(await pasted('a;"1,5";c\nd;e,;f')).toEqual([
      [1, 'a', '1,5', 'c'],
      [2, 'd', 'e,', 'f'],
    ]);
    expect(await pasted('a\tb,c\td')).toEqual([[1, 'a', 'b,c', 'd']]);
  });

  it('that is pasted may have tabs, blanks, Markdown or a code fence', async () => {
    const [head, row] = [HEAD, ROW];
    const texts = [
      [head.join('\t'), row.join('\t')],
      [head.join('   '), row.join('   ')],
      [head.join(' '), row.join(' ')],
      [markdown(head), '|---|:--:|---|---|--:|', markdown(row)],
      ['```', head.join('\t'), row.join('\t'), '```'],
    ].map((lines) => lines.join('\n'));
    for (const rows of await Promise.all(texts.map(pasted)))
      expect(rows).toEqual([
        [1, ...head],
        [expect.any(Number), ...row],
      ]);
  });

  it('of a web page, even a broken one, is read with spans and entities and without scripts', async () => {
    const page = `<html><style>td{}</style><table><tr><th rowspan=2>일자<th colspan="2">매수</tr><tr><td>수량</td><td>단가<br>(원)</td></tr>
      <tr><td>2026&#45;03-02<td>1<td>KT&amp;G<script>alert("x")</script></table>`;
    expect(await attached(page)).toEqual([
      [1, '일자', '매수'],
      [2, '', '수량', '단가 (원)'],
      [3, '2026-03-02', '1', 'KT&G'],
    ]);
    const xml =
      '<?xml version="1.0"?><Workbook><Worksheet><Table><Row><Cell><Data ss:Type="String">a</Data></Cell><Cell ss:Index="3"><Data>b</Data></Cell></Row></Table></Worksheet></Workbook>';
    expect(await attached(xml)).toEqual([[1, 'a', '', 'b']]);
    expect(await attached(`<table>${'<tr><td>x'.repeat(SHEET_LIMITS.rows + 1)}`)).toBe('too-many-rows');
    expect(await attached(`<table>${'<tr>'.repeat(3)}<td colspan=1000000 rowspan=1000000>x`)).toEqual([
      [3, 'x'],
    ]);
    const deep = `<table>${'<b>'.repeat(40_000)}${'</i>'.repeat(40_000)}<tr><td>x`;
    expect(await attached(deep)).toEqual([[1, 'x']]);
  });

  it('that is unreadable or too large is refused', async () => {
    const wide = Array.from({ length: SHEET_LIMITS.columns + 1 }, () => 'x').join(',');
    const wider = ','.repeat(1_000_000);
    const long = 'x'.repeat(SHEET_LIMITS.cellCharacters + 1);
    const many = 'a,b\n'.repeat(SHEET_LIMITS.rows + 1);
    const answers = [
      wide,
      wider,
      long,
      many,
      'a,"b\nc',
      '',
      'x'.repeat(SHEET_LIMITS.bytes + 1),
      '@trades.csv',
    ];
    expect(await Promise.all(answers.map(pasted))).toEqual([
      'too-many-columns',
      'too-many-columns',
      'long-cell',
      'too-many-rows',
      'open-quote',
      'nothing',
      'too-large',
      'named-only',
    ]);
    expect(await attached(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1))).toBe('old-workbook');
    expect(await attached('%PDF-1.7\n%x')).toBe('pdf');
    expect(await attached('a\0,b\u0007')).toEqual([[1, 'a', 'b']]);
  });

  it.each([
    ['doubled quotes', '"'.repeat(30_001)],
    ['line breaks inside of quotes', `"${'\r\n'.repeat(15_000)}`],
    ['text behind closed quotes', '"a"x'.repeat(10_000)],
    ['quotes inside of words', 'a"'.repeat(10_000)],
  ])('that is one line of %s is read in many steps', (_, line) => {
    const steps = readDelimited(`Date,Action\n${line}`);
    let count = 0;
    while (!steps.next().done) count += 1;
    expect(count).toBeGreaterThan(10);
  });

  it('of a workbook that would unpack to too much is not unpacked', async () => {
    const small = new TextEncoder().encode('<x/>');
    expect(isBoundedZip(zipOf(small))).toBe(true);
    const bomb = new Uint8Array(2_000_000);
    const refused = [
      zipOf(bomb),
      zipOf(bomb, { told: 10 }),
      zipOf(bomb, { told: 10, header: 2_000_000 }),
      zipOf(bomb, { told: 0, header: 0 }),
      zipOf(small, { told: 0xff_ff_ff_ff }),
      zipOf(small).subarray(0, 40),
    ];
    // Only the zip with a false size passes; unpacking it fails.
    expect(refused.map(isBoundedZip)).toEqual([false, true, false, false, false, false]);
    expect(await attached(refused[1] ?? small)).toBe('broken-workbook');
  });

  it('that is exported contains no formula for any program', () => {
    expect(csvLine(['=1+1', '+1', '-1', '@x', "'x", 'a,b', 'x'])).toBe("'=1+1,'+1,'-1,'@x,''x,\"a,b\",x\r\n");
    for (const sign of '＝＋－＠﹦﹢﹣﹫') {
      expect(csvLine([`${sign}1+1`])).toBe(`'${sign}1+1\r\n`);
      expect(unmarked(`'${sign}1+1`)).toBe(`${sign}1+1`);
    }
  });

  it('has numbers and times as brokers write them, and refuses everything else', () => {
    const NUMBERS: Readonly<Record<string, string>> = {
      '1,234.50': '1234.5',
      '(1,234.50)': '-1234.5',
      '$1,234.50': '1234.5 USD',
      '-$5': '-5 USD',
      '$-5': '-5 USD',
      '₩71,000': '71000 KRW',
      '71,000원': '71000 KRW',
      '500-': '-500',
      '１０': '10',
      '10주': '10',
      '.5': '0.5',
      '--': 'none',
      '': 'none',
      '1,5': 'wrong',
      '1.234,50': 'wrong',
      '1e9999': 'wrong',
      '=1+1': 'wrong',
      NaN: 'wrong',
      '1 2': 'wrong',
      '5%': 'wrong',
      '--5': 'wrong',
      [`-${' '.repeat(28)}.${' '.repeat(29)}+`]: 'wrong',
    };
    const told = Object.keys(NUMBERS).map((cell) => {
      const number = numberIn(cell);
      if (typeof number === 'string') return [cell, number];
      return [cell, [number.value.toFixed(), number.currency ?? ''].join(' ').trim()];
    });
    expect(Object.fromEntries(told)).toEqual(NUMBERS);
    const times = ['10:30:01', '2026-03-02, 09:05', '오후 3:20', '20260302;103000', '26:00', '71000', ''];
    expect(times.map((cell) => timeIn(cell)?.toString())).toEqual([
      '10:30:01',
      '09:05:00',
      '15:20:00',
      '10:30:00',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
