import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateTools, withShortResults } from '#src/agent/memory/window/cut.ts';
import type { ConversationMessage } from '#src/kernel/model.ts';
import { count, entriesOf, factOf, resulted, said, tokens } from './support.ts';

const contentOf = ({ content }: ConversationMessage): string =>
  content.map((block) => (block.type === 'tool_result' ? block.content : '')).join('|');

const LONG = Array.from({ length: 100 }, (_, i) => `line ${i} of the result`).join('\n');

describe('withShortResults', () => {
  it('leaves the first lines of a long result and says how much is gone', () => {
    const short = contentOf(withShortResults(resulted(LONG, 'a')));
    const [head = '', note] = short.split('\n[');
    expect(LONG.startsWith(`${head}\n`)).toBe(true);
    expect(head).toMatch(/^line 0 of the result\nline 1 /);
    expect(note).toBe(`… ${LONG.length - head.length} characters removed to save space]`);
  });

  it('keeps the facts, the ids and the errors', () => {
    const facts = [factOf('AAPL')];
    const message: ConversationMessage = {
      role: 'tool',
      content: [
        { type: 'tool_result', toolUseId: 'a', content: LONG, isError: false, facts },
        { type: 'tool_result', toolUseId: 'b', content: LONG, isError: true },
        { type: 'tool_result', toolUseId: 'c', content: 'short', isError: false },
      ],
    };
    const short = withShortResults(message);
    expect(short.content[0]).toMatchObject({ toolUseId: 'a', facts, isError: false });
    expect(short.content[1]).toBe(message.content[1]);
    expect(short.content[2]).toBe(message.content[2]);
  });

  it('leaves messages without a long result as they are', () => {
    for (const message of [resulted('short', 'a'), said(LONG)])
      expect(withShortResults(message)).toBe(message);
  });

  it('does not leave the end of a fence away', () => {
    const fenced = `<untrusted source="news">\n${LONG}\n</untrusted>`;
    expect(contentOf(withShortResults(resulted(fenced, 'a')))).toMatch(/to save space\]\n<\/untrusted>$/);
    const code = `\`\`\`json\n${LONG}\n\`\`\`\n`;
    expect(contentOf(withShortResults(resulted(code, 'a')))).toMatch(/to save space\]\n```\n$/);
  });

  it('is shorter than before, whole characters only, and not shortened again', () => {
    const content = fc.oneof(
      fc.string({ minLength: 580, maxLength: 700 }),
      fc.integer({ min: 0, max: 3 }).map((shift) => `${'x'.repeat(shift)}${'📈'.repeat(400)}`),
    );
    fc.assert(
      fc.property(content, (words) => {
        const message = resulted(words, 'a');
        const short = withShortResults(message);
        expect(withShortResults(short)).toBe(short);
        if (short === message) return;
        expect(contentOf(short).length).toBeLessThan(words.length);
        expect(contentOf(short).isWellFormed()).toBe(words.isWellFormed());
      }),
    );
  });
});

describe('truncateTools', () => {
  const messages = [
    said('a'),
    resulted(LONG, '1'),
    resulted(LONG, '2'),
    resulted(LONG, '3'),
    resulted(LONG, '4'),
  ];
  const entries = entriesOf(messages);
  const whole = tokens(messages);
  const changed = (end: number, maxTokens: number): readonly number[] =>
    truncateTools(entries, end, maxTokens, count).flatMap((entry, i) => (entry === entries[i] ? [] : [i]));

  it('shortens the oldest first, and no more than it must', () => {
    expect(changed(5, whole)).toEqual([]);
    expect(changed(5, whole - 1)).toEqual([1]);
    expect(changed(5, whole - 700)).toEqual([1, 2]);
  });

  it('shortens all that it may where that is not enough', () => {
    expect(changed(5, 0)).toEqual([1, 2, 3, 4]);
    expect(changed(3, 0)).toEqual([1, 2]);
    expect(changed(-1, 0)).toEqual([]);
  });

  it('keeps what else an entry carries', () => {
    expect(truncateTools(entries, 5, 0, count).map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  });
});
