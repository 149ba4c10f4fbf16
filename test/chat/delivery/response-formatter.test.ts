import * as fc from 'fast-check';
import * as formatter from '#src/chat/delivery/response-formatter.ts';
import { describe, expect, it } from 'vitest';
import { splitMessage } from '#src/chat/delivery/response-formatter.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';

const limitLength = (text: string, length: number): string => atOnce(formatter.limitLength(text, length));

const FENCE_LINE = /^(```+|~~~+)(\S*)$/;

interface TaggedLine {
  readonly text: string;
  /** The opening line of the fence it stands in; empty outside of fences. */
  readonly fence: string;
}

/** Reads a text as a platform would: its lines with the fence they stand in, and whether one stayed open. */
const read = (text: string): { readonly lines: readonly TaggedLine[]; readonly openFence: string } => {
  const lines: TaggedLine[] = [];
  let openFence = '';
  for (const line of text.split('\n')) {
    const [, marker, language = ''] = FENCE_LINE.exec(line) ?? [];
    if (marker === undefined) lines.push({ text: line, fence: openFence });
    else if (openFence === '') openFence = line;
    else if (language === '' && marker.startsWith(openFence.replace(/[^`~].*$/, ''))) openFence = '';
    else lines.push({ text: line, fence: openFence });
  }
  return { lines, openFence };
};

/** Every character with the fence it stands in, without whitespace: what splitting must not change. */
const essence = (texts: readonly string[]): string =>
  texts
    .flatMap((text) => read(text).lines)
    .flatMap(({ text, fence }) => Array.from(text.replace(/\s/g, ''), (character) => `${fence}${character}`))
    .join('\n');

const word = fc.oneof(
  fc.constantFrom('삼성전자', '시세는', '어제보다', '올랐습니다.', '가'),
  fc.constantFrom('Apple', 'rose', '3.2%', '**bold**', '`code`', 'a', '|', '-'),
  fc.constantFrom('👍🏽', '👨‍👩‍👧‍👦', '🇰🇷', '📈', '𝒳'),
);
const spaced = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(' '));
const unbroken = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(''));
const indented = fc.tuple(fc.constantFrom('', '  ', '\t', '      '), spaced(8)).map((pair) => pair.join(''));

const block = fc.oneof(
  { weight: 4, arbitrary: fc.array(spaced(30), { maxLength: 6 }).map((lines) => lines.join('\n')) },
  { weight: 2, arbitrary: spaced(400) },
  { weight: 2, arbitrary: unbroken(400) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('```', '~~~', '`````'),
        fc.constantFrom('', 'ts', 'python', 'c++'),
        fc.array(fc.oneof({ weight: 5, arbitrary: indented }, { weight: 1, arbitrary: unbroken(200) }), {
          maxLength: 40,
        }),
      )
      .map(([marker, language, lines]) => [marker + language, ...lines, marker].join('\n')),
  },
);
const answer = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'));
const limit = fc.integer({ min: 200, max: 4_000 });

const forAnyAnswer = (check: (content: string, maxLength: number, parts: readonly string[]) => void): void =>
  fc.assert(
    fc.property(answer, limit, (content, maxLength) =>
      check(content, maxLength, splitMessage(content, maxLength)),
    ),
    { numRuns: 300 },
  );

describe('splitMessage, for any answer and limit', () => {
  it('makes no part longer than the limit', () => {
    forAnyAnswer((_content, maxLength, parts) => {
      expect(Math.max(0, ...parts.map((part) => part.length))).toBeLessThanOrEqual(maxLength);
    });
  });

  it('makes no blank part of an answer that is none', () => {
    forAnyAnswer((content, _maxLength, parts) => {
      fc.pre(content.trim() !== '');
      expect(parts.filter((part) => part.trim() === '')).toEqual([]);
      expect(parts.length).toBeGreaterThan(0);
    });
  });

  it('never cuts through a character', () => {
    forAnyAnswer((_content, _maxLength, parts) => {
      expect(parts.filter((part) => !part.isWellFormed())).toEqual([]);
    });
  });

  it('closes every code fence in the part that opened it', () => {
    forAnyAnswer((_content, _maxLength, parts) => {
      expect(parts.filter((part) => read(part).openFence !== '')).toEqual([]);
    });
  });

  it('loses nothing, adds nothing, and leaves code in its fence and text outside', () => {
    forAnyAnswer((content, _maxLength, parts) => {
      expect(essence(parts)).toBe(essence([content]));
    });
  });

  it('keeps every line that is not too long whole, with its indentation, in order', () => {
    forAnyAnswer((content, maxLength, parts) => {
      const made = parts.flatMap((part) => read(part).lines.map(({ text }) => text));
      let from = 0;
      for (const { text } of read(content).lines) {
        if (text.trim() === '' || text.length > maxLength / 2) continue;
        const found = made.indexOf(text, from);
        expect(found, text).toBeGreaterThanOrEqual(from);
        from = found + 1;
      }
    });
  });
});

/** Code behind, or before, text of such a length that its fence comes near the end of a part. */
const codeBehind = (length: number): readonly string[] => [
  'x'.repeat(90),
  'y'.repeat(length),
  '```ts',
  'a'.repeat(90),
  '```',
];
const codeBefore = (length: number): readonly string[] => [
  '```ts',
  'a'.repeat(90),
  'b'.repeat(length),
  '```',
  'x'.repeat(90),
  'y'.repeat(90),
];

describe('splitMessage', () => {
  it.each([`${'a'.repeat(99)}\n${'b'.repeat(100)}`, 'a'.repeat(200), '```\n'.repeat(50)])(
    'leaves an answer of exactly the limit alone: %j',
    (content) => {
      expect(content).toHaveLength(200);
      expect(splitMessage(content, 200)).toEqual([content]);
    },
  );

  it('breaks an answer that is one character over, at the line end', () => {
    const lines = ['a'.repeat(100), 'b'.repeat(100)];
    expect(splitMessage(lines.join('\n'), 200)).toEqual(lines);
  });

  it('fills a part up to the very limit', () => {
    const lines = ['a'.repeat(100), 'b'.repeat(99), 'c'];
    expect(splitMessage(lines.join('\n'), 200)).toEqual([`${lines[0]}\n${lines[1]}`, 'c']);
  });

  it('breaks a line that is longer than a message at a space', () => {
    const content = Array(100).fill('dividend').join(' ');
    const parts = splitMessage(content, 200);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap((part) => part.trim().split(/\s+/)).filter((piece) => piece !== 'dividend')).toEqual(
      [],
    );
  });

  it('breaks between emoji in a line without any space', () => {
    for (const shift of ['', 'x']) {
      const content = shift + '📈'.repeat(300);
      const parts = splitMessage(content, 201);
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
      expect(parts.join('').replaceAll('\n', '')).toBe(content);
    }
  });

  it('closes a fence that must break, and opens it again with its language', () => {
    const code = Array.from({ length: 12 }, (_, index) => `  const value${index} = ${index} + ${index};`);
    const parts = splitMessage(['Look:', '```ts', ...code, '```', 'Done.'].join('\n'), 200);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0]).toMatch(/^Look:\n```ts\n[^]*\n```$/);
    for (const part of parts.slice(1, -1)) expect(part).toMatch(/^```ts\n[^]*\n```$/);
    expect(parts.at(-1)).toMatch(/\n```\nDone\.$/);
    expect(parts.flatMap((part) => part.split('\n')).filter((line) => line.startsWith('  '))).toEqual(code);
  });

  it('does not take a shorter fence inside a longer one for its end', () => {
    const inner = ['````md', '```ts', ...Array<string>(10).fill('const a = 1;  // a comment'), '```', '````'];
    const parts = splitMessage([...inner, 'after the code'].join('\n'), 200);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts.slice(0, -1)) expect(part).toMatch(/^````md\n[^]*\n````$/);
    expect(parts.at(-1)?.split('\n').slice(-2)).toEqual(['````', 'after the code']);
  });

  it('closes a fence in the last part that the answer itself left open', () => {
    const parts = splitMessage(['```', ...Array<string>(30).fill('some code')].join('\n'), 200);
    expect(parts.map((part) => part.endsWith('\n```'))).toEqual(parts.map(() => true));
  });

  it.each([
    ['a line of words', 'word '.repeat(300).trim()],
    ['an address', `https://example.com/${'a'.repeat(1_200)}`],
    ['a row of a table', `| ${'Apple | '.repeat(150)}|`],
  ])('does not break %s that fits into a message by itself', (_what, line) => {
    expect(line.length).toBeGreaterThan(1_100);
    expect(splitMessage(`${line}\n${'b'.repeat(900)}`, 2_000)[0]).toBe(line);
  });

  it('begins no part with the space at which a line was broken', () => {
    const parts = splitMessage(Array(100).fill('word').join(' '), 200);
    expect(parts.filter((part) => part !== part.trim())).toEqual([]);
  });

  it.each([
    ['of ninety backticks', '`'.repeat(90)],
    ['with a language of a hundred letters', `\`\`\`${'x'.repeat(97)}`],
  ])('keeps to the limit with a fence %s', (_what, open) => {
    const marker = /^`+/.exec(open)?.[0] ?? '';
    const code = [open, ...Array<string>(6).fill('c'.repeat(100)), marker].join('\n');
    expect(splitMessage(code, 200).filter((part) => part.length > 200)).toEqual([]);
  });

  it('does not take three backticks around words in a line for a fence', () => {
    const content = ['```AAPL``` is up.', ...Array<string>(20).fill('Some plain text of a line.')].join('\n');
    expect(splitMessage(content, 200).join('\n')).toBe(content);
  });

  it('makes no empty code block, wherever a fence meets the end of a part', () => {
    const answers = Array.from({ length: 60 }, (_, index) => [
      codeBehind(45 + index),
      codeBefore(45 + index),
    ]).flat();
    const parts = answers.flatMap((lines) => splitMessage(lines.join('\n'), 200));
    expect(parts.filter((part) => part.includes('```ts\n```'))).toEqual([]);
  });

  it('splits a list with a quote in it on which the parser fails', () => {
    const parts = splitMessage('* a\n  >- \nb and more words than fit', 20);
    expect(parts.join('\n').split(/\s+/)).toEqual('* a >- b and more words than fit'.split(' '));
  });

  it('makes no parts of blank lines between', () => {
    const parts = splitMessage(`${'a'.repeat(90)}${'\n'.repeat(500)}${'b'.repeat(90)}`, 200);
    expect(parts.map((part) => part.trim()[0])).toEqual(['a', 'b']);
  });
});

describe('limitLength', () => {
  it.each([9, 10])('leaves a text of %i characters alone under a limit of 10', (length) => {
    expect(limitLength('x'.repeat(length), 10)).toBe('x'.repeat(length));
  });

  it.each(['', 'x'])('does not cut through a character (%j before it)', (shift) => {
    const cut = limitLength(shift + '📈'.repeat(20), 20);
    expect(cut.isWellFormed()).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(20);
    expect(cut).toMatch(/📈\n\n\[…\]$/u);
  });

  it.each([11, 5_000])('cuts a text of %i characters to the limit, with a mark', (length) => {
    const cut = limitLength('x'.repeat(length), 10);
    expect(cut).toBe('xxxxx\n\n[…]');
    expect(cut).toHaveLength(10);
  });
});
