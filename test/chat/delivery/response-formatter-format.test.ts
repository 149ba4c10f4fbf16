import * as fc from 'fast-check';
import * as formatter from '#src/chat/delivery/response-formatter.ts';
import { describe, expect, it } from 'vitest';
import { type FormatOptions, formatResponse } from '#src/chat/delivery/response-formatter.ts';
import { withVisibleLinks } from '#src/platform/text/visible-links.ts';
import { everyRow } from '#test/support/every-row.ts';
import { documents } from './markdown/documents.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';

const limitLength = (text: string, length: number): string => atOnce(formatter.limitLength(text, length));

const MARKDOWN: FormatOptions = {
  maxLength: 2_000,
  supportsMarkdown: true,
  supportsTables: false,
};
const PLAIN: FormatOptions = { ...MARKDOWN, supportsMarkdown: false };

const format = (content: string, options: FormatOptions): string =>
  formatResponse(content, options).join('\n⸻\n');

const TABLE = [
  '| 종목 | 가격 | 변동 | 상 |',
  '|---|---|---|---|',
  '| 삼성전자 | ₩71,900 | +1.27% | **A** |',
  '| Apple | $3,097.45 | -0.3% | 👨‍👩‍👧‍👦 |',
  '| - | N/A | | `x` |',
].join('\n');
const ALIGNED = [
  '종목           가격    변동  상',
  '--------  ---------  ------  --',
  '삼성전자    ₩71,900  +1.27%  A',
  'Apple     $3,097.45   -0.3%  👨‍👩‍👧‍👦',
  '-               N/A          x',
].join('\n');

describe('formatResponse', () => {
  it('leaves every byte alone that the platform can show, but for links that hide where they lead', () => {
    fc.assert(
      fc.property(documents, (content) => {
        const options = { ...MARKDOWN, supportsTables: true, maxLength: 1_000_000 };
        expect(format(content, options)).toBe(withVisibleLinks(content));
      }),
      { numRuns: 40 },
    );
  });

  it.each(['PER <15 and ROE> 20', 'a | b', '2 * 3 * 4 = 24', '첫째\n\n\n둘째', '  indented', 'x\n---\ny'])(
    'takes %j for no table',
    (content) => {
      expect(format(content, MARKDOWN)).toBe(content);
    },
  );

  it('takes control characters out and makes line ends of one kind', () => {
    expect(format('a\u0000b\u001b[31mc\r\nd\re\tf', MARKDOWN)).toBe('ab[31mc\nd\ne\tf');
  });

  it('leaves at most two blank lines, but every line of code', () => {
    expect(format('a\n\n\n\n\nb\n\n\nc', MARKDOWN)).toBe('a\n\n\nb\n\n\nc');
    const code = '```\na\n\n\n\n\nb\n```';
    expect(format(`x\n\n \n\n\n${code}`, MARKDOWN)).toBe(`x\n\n\n${code}`);
  });
});

const tableOf = (value: string): string => `| 종목 | 값 |\n|---|---|\n| 삼성전자 | ${value} |`;

describe('formatResponse, tables', () => {
  it('lines columns up by what the eye sees, numbers to the right', () => {
    expect(format(`앞\n\n${TABLE}\n\n뒤`, MARKDOWN)).toBe(`앞\n\n\`\`\`\n${ALIGNED}\n\`\`\`\n\n뒤`);
  });

  it('needs no fences in plain text', () => {
    expect(format(TABLE, PLAIN)).toBe(ALIGNED);
  });

  it('leaves a table alone where the platform shows tables', () => {
    expect(format(TABLE, { ...MARKDOWN, supportsTables: true })).toBe(TABLE);
  });

  it.each([
    ['a quote', '> ', '> '],
    ['a list', '- ', '  '],
  ])('stays in %s', (_what, first, rest) => {
    const table = `${first}| a | b |\n${rest}|---|--:|\n${rest}| x | 10 |`;
    const aligned = [`${first}\`\`\``, ...['a   b', '-  --', 'x  10', '```'].map((line) => rest + line)];
    expect(format(table, MARKDOWN)).toBe(aligned.join('\n'));
  });

  it.each([
    ['1,234.5', '      b\n-------\n1,234.5'],
    ['1.234,5', 'b\n-------\n1.234,5'],
  ])('aligns %s as Korean and English write numbers', (value, aligned) => {
    expect(format(`| b |\n|---|\n| ${value} |`, PLAIN)).toBe(aligned);
  });

  it('makes a list of a table that is too wide', () => {
    const long = 'a long remark about it '.repeat(4).trim();
    const table = `| name | **remark** | link |\n|---|---|---|\n| A | ${long} | [x](https://example.com/) |\n| B | _short_ | |`;
    expect(format(table, MARKDOWN)).toBe(
      `- **A** — remark: ${long} · link: x (<https://example.com/>)\n- **B** — remark: _short_`,
    );
    expect(format(table, PLAIN)).toContain('link: x (https://example.com/)\n- B — remark: short');
  });

  it.each([
    ['| Bought at the price of | Price today |\n|---|---|', 'Bought at the price of · Price today'],
    ['> | Bought at the price of | Price today |\n> |---|---|', '> Bought at the price of · Price today'],
    [
      '| # | The price today in Seoul in US dollars |\n|---|---|\n| 1 | 200 |',
      '- **1** — The price today in Seoul in US dollars: 200',
    ],
    [
      '- | Bought at the price of | Price today |\n  |---|---|\n  | 100 dollars in May | 200 |',
      '- Bought at the price of:\n  - **100 dollars in May** — Price today: 200',
    ],
    [
      '| **Date** | The price in Seoul in US dollars |\n|---|---|\n| 2 May | 200 |',
      '- **2 May** — The price in Seoul in US dollars: 200',
    ],
  ])('loses no head of a wide table that says something: %j', (table, list) => {
    expect(format(`${table}\n\nafter`, MARKDOWN)).toBe(`${list}\n\nafter`);
  });

  it('is drawn up to 32 columns where phones show it, and up to 100 as plain text', () => {
    const [fits, wide] = ['가'.repeat(11), `${'가'.repeat(11)}x`];
    expect(format(tableOf(fits), MARKDOWN)).toBe(
      `\`\`\`\n종목      값\n--------  ${'-'.repeat(22)}\n삼성전자  ${fits}\n\`\`\``,
    );
    expect(format(tableOf(wide), MARKDOWN)).toBe(`- **삼성전자** — 값: ${wide}`);
    expect(format(tableOf(wide), PLAIN)).toContain(`삼성전자  ${wide}`);
  });
});

describe('formatResponse, plain text', () => {
  everyRow([
    ['**bold**, *soft*, __both__, ~~gone~~', 'bold, soft, both, gone'],
    [
      '[name](https://example.com/a) and <https://example.com>',
      'name (https://example.com/a) and https://example.com',
    ],
    ['https://example.com/a_b_c stays', 'https://example.com/a_b_c stays'],
    ['![chart](https://example.com/c.png)', 'chart (https://example.com/c.png)'],
    ['[name][1]\n\n[1]: https://example.com/a', 'name (https://example.com/a)\n\n[1]: https://example.com/a'],
    ['`code` and ``a ` b``', 'code and a ` b'],
    ['## **Title** ##', 'Title'],
    ['Title\n===\n\ntext', 'Title\n\ntext'],
    ['- **a**\n  - [ ] _b_\n    *c*\n1. d', '- a\n  - [ ] b\n    c\n1. d'],
    ['> **a**\n> *b*', '> a\n> b'],
    ['snake_case_name, 2 * 3 * 4, \\*no\\*', 'snake_case_name, 2 * 3 * 4, *no*'],
    ['PER <15 and ROE> 20', 'PER <15 and ROE> 20'],
    ['```ts\nconst a = **1**;\n```', 'const a = **1**;'],
    ['- ```\n  a\n  b\n  ```', '- a\n  b'],
    ['```\n```', '```\n```'],
  ])('writes %j as %j', (content, plain) => {
    expect(format(content, PLAIN)).toBe(plain);
  });
});

describe('limitLength', () => {
  it.each(['', '> ', '- '])('closes a fence that is open at the cut (%j)', (marks) => {
    const rest = marks.replace('-', ' ');
    const code = Array<string>(50).fill(`${rest}const a = 1;`).join('\n');
    const cut = limitLength(`${marks}\`\`\`ts\n${code}\n${rest}\`\`\``, 120);
    expect(cut.endsWith(`\n${rest}\`\`\`\n\n[…]`)).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(120);
    expect(cut.length).toBeGreaterThan(110);
  });

  it('adds no fence behind one that is closed', () => {
    expect(limitLength(`\`\`\`\na\n\`\`\`\n${'b'.repeat(90)}`, 50)).toMatch(/^```\na\n```\nb+\n\n\[…\]$/);
  });
});
