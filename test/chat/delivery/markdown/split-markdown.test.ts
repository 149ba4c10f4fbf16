import { describe, expect, it } from 'vitest';
import { splitMessage } from '#src/chat/delivery/response-formatter.ts';
import { everyRow } from '#test/support/every-row.ts';

const words = (count: number, word = 'word'): string => Array<string>(count).fill(word).join(' ');
const LINK = '[the filing of the third quarter](https://example.com/filings/2026/q3?lang=en)';
const item = (name: string): string => `- ${name} ${words(6)}\n  ${words(6)}`;

describe('splitMessage, where it breaks', () => {
  it('breaks between blocks before it breaks inside of one', () => {
    const first = `${words(20)}.\n${words(8)}.`;
    const second = `${words(10)}.\n${words(10)}.`;
    expect(splitMessage(`${first}\n\n${second}`, 200)).toEqual([first, second]);
  });

  it('breaks between the items of a list, and leaves an item with its lines', () => {
    const parts = splitMessage(['a', 'b', 'c', 'd', 'e'].map(item).join('\n'), 160);
    expect(parts).toEqual([`${item('a')}\n${item('b')}`, `${item('c')}\n${item('d')}`, item('e')]);
  });

  it('leaves a heading with what it is about', () => {
    const parts = splitMessage(`${words(30)}\n\n## Heading\n\n${words(20)}`, 180);
    expect(parts).toEqual([words(30), `## Heading\n\n${words(20)}`]);
  });

  it('breaks a long line behind a sentence, else at a space', () => {
    const [first, second] = splitMessage(`${words(25)}. ${words(30)}`, 200);
    expect(first).toBe(`${words(25)}.`);
    expect(second).toBe(words(30));
    expect(splitMessage(words(60), 200)[0]).toBe(words(40));
  });

  it('begins with a long line in the part before, rather than to leave a few words alone', () => {
    const [first = ''] = splitMessage(`Well:\n\n${words(100)}`, 200);
    expect(first.length).toBeGreaterThan(150);
  });

  it('breaks before a list rather than between its items', () => {
    const list = [words(8), words(8), words(8)].map((text) => `- ${text}`).join('\n\n');
    expect(splitMessage(`${words(24)}\n\n${list}`, 200)).toEqual([words(24), list]);
  });

  it('begins no part with what would become a list, a heading or a quote there', () => {
    for (let limit = 180; limit < 210; limit += 1) {
      const parts = splitMessage(words(60, 'up - 3 # 4 > 5 x'), limit);
      expect(parts.filter((part) => /^(?:[-#>]|\d\.)/.test(part))).toEqual([]);
    }
  });

  it('begins no part with backticks of the text, which would open a fence there', () => {
    for (let length = 180; length < 205; length += 1) {
      const spaced = splitMessage(
        `${'x'.repeat(10)} ${'x'.repeat(length - 11)} \`\`\` y ~~~ ${words(20)}`,
        200,
      );
      const unbroken = splitMessage(`${'x'.repeat(length)}\`\`\`${'y'.repeat(100)}`, 200);
      expect([...spaced, ...unbroken].filter((part) => /^\s*(?:```|~~~)/.test(part))).toEqual([]);
    }
    expect(splitMessage(`x${'`'.repeat(500)}`, 200).filter((part) => part.startsWith('`'))).toEqual([]);
  });
});

describe('splitMessage, what it keeps whole', () => {
  it.each([
    ['a link', LINK],
    ['an image', `!${LINK}`],
    ['an address', 'https://example.com/a/very/long/path/to/a/document?with=a&query=too#part'],
    ['an address in angle brackets', '<https://example.com/a/very/long/path/to/a/document>'],
    ['code in a line', '`const total = prices.reduce((sum, price) => sum + price, 0)`'],
    ['a few emphasized words', '**revenue and operating profit of the year**'],
    ['a link over two lines', '[the filing of\nthe third quarter](https://example.com/filings/q3)'],
  ])('%s', (_what, whole) => {
    for (let before = 20; before < 45; before += 1) {
      const parts = splitMessage(`${words(before)} ${whole} ${words(40)}`, 200);
      expect(parts.filter((part) => part.includes(whole))).toHaveLength(1);
    }
  });

  it('cuts a link that alone is longer than a part', () => {
    const content = `see [x](https://example.com/${'a'.repeat(600)}) there`;
    const parts = splitMessage(content, 200);
    expect(parts.join('').replaceAll(/\s/g, '')).toBe(content.replaceAll(/\s/g, ''));
    expect(parts.filter((part) => part.length > 200)).toEqual([]);
  });

  it.each(['👨‍👩‍👧‍👦', '🇰🇷', '각', 'e\u0301', '👍🏽', '𝒳'])('the character %s in a row of them', (character) => {
    const parts = splitMessage(`a${character.repeat(200)}`, 199);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('')).toBe(`a${character.repeat(200)}`);
    for (const part of parts.slice(1)) expect(part.replaceAll(character, '')).toBe('');
  });
});

describe('splitMessage, blocks that must break', () => {
  const code = Array.from({ length: 30 }, (_, index) => `line ${index} of code`);

  it.each([
    ['a quote', '> ', '> '],
    ['a list', '- ', '  '],
    ['a list in a quote', '> 1. ', '>    '],
  ])('closes and opens a fence in %s with the same marks', (_what, first, rest) => {
    const content = [`${first}\`\`\`ts`, ...code.map((line) => rest + line), `${rest}\`\`\``].join('\n');
    const parts = splitMessage(content, 200);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts.slice(1)) expect(part.startsWith(`${rest}\`\`\`ts\n${rest}line`)).toBe(true);
    for (const part of parts) expect(part.endsWith(`\n${rest}\`\`\``)).toBe(true);
    const lines = parts.flatMap((part) => part.split('\n')).filter((line) => line.includes('of code'));
    expect(lines).toEqual(code.map((line) => rest + line));
  });

  it('cuts a line of code that is too long, inside of its fence', () => {
    const parts = splitMessage(`> ~~~js\n> ${'x'.repeat(500)}\n> ~~~`, 200);
    for (const part of parts) expect(part).toMatch(/^> ~~~js\n> x+\n> ~~~$/);
    expect(parts.join('').match(/x/g)).toHaveLength(500);
  });

  it('gives a fence a shorter marker that would fill half of every part', () => {
    const code = Array.from({ length: 9 }, (_, index) => `${index} ${'c'.repeat(60)}`);
    const parts = splitMessage(['`'.repeat(90), ...code, '`'.repeat(90)].join('\n'), 200);
    for (const part of parts) expect(part).toMatch(/^```\n[^`]+\n```$/);
    expect(parts.flatMap((part) => part.split('\n')).filter((line) => line.includes('c'))).toEqual(code);
  });

  it.each([
    ['alone', '', ''],
    ['in a quote', '> ', '> '],
    ['in a list', '* ', '  '],
  ])('repeats the head of a table %s', (_what, first, rest) => {
    const rows = Array.from({ length: 20 }, (_, index) => `${rest}| 종목 ${index} | ${index},000 |`);
    const parts = splitMessage([`${first}| name | price |`, `${rest}|---|--:|`, ...rows].join('\n'), 200);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts.slice(1))
      expect(part.split('\n').slice(0, 2)).toEqual([`${rest}| name | price |`, `${rest}|---|--:|`]);
    expect(parts.flatMap((part) => part.split('\n')).filter((line) => line.includes('종목'))).toEqual(rows);
  });

  it('goes on with a quote whose line is longer than a part', () => {
    const parts = splitMessage(`> ${words(100)}`, 200);
    expect(parts.filter((part) => !part.startsWith('> word'))).toEqual([]);
  });

  it('closes a fence that its list left open, where the part ends', () => {
    const [first = ''] = splitMessage(`- \`\`\`\n  ${words(30)}\n\n${words(30)}`, 200);
    expect(first.endsWith('\n  ```')).toBe(true);
  });
});

describe('splitMessage, for text that was made to hurt', () => {
  everyRow([
    '[',
    '*',
    '_',
    '`',
    '~',
    '|',
    '>',
    '> ',
    '- ',
    '1. ',
    '![',
    '<',
    '\\',
    ' ',
    '\n',
    '```\n',
    '| a\n|-\n',
  ])('goes on: %j over and over', (piece) => {
    const content = piece.repeat(20_000 / piece.length);
    const parts = splitMessage(content, 200);
    expect(parts.filter((part) => part.length > 200 || part.trim() === '')).toEqual([]);
  });
});
