import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateMiddle } from '#src/agent/tools/truncate-middle.ts';
import { everyRow } from '#test/support/every-row.ts';

const NOTE = /\n\[truncated: ([\d,]+) of ([\d,]+) characters left out here([^\]]*)\]\n/;
const FAMILY = '👨‍👩‍👧';

const piecesOf = (text: string): { readonly head: string; readonly tail: string; readonly gone: number } => {
  const [, gone = ''] = NOTE.exec(text) ?? [];
  const [head = '', , , , tail = ''] = text.split(NOTE);
  return { head, tail, gone: Number(gone.replaceAll(',', '')) };
};

describe('truncateMiddle', () => {
  it('leaves a text that fits as it is', () => {
    expect(truncateMiddle('a'.repeat(200), 200)).toBe('a'.repeat(200));
  });

  it('keeps beginning and end, more of the beginning, and says how much is gone', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ');
    const { head, tail, gone } = piecesOf(truncateMiddle(text, 1_000));
    expect(text.startsWith(`${head} `)).toBe(true);
    expect(text.endsWith(` ${tail}`)).toBe(true);
    expect(head.length + gone + tail.length).toBe(text.length);
    expect(head.length / (head.length + tail.length)).toBeCloseTo(0.7, 1);
    expect(head.length + tail.length).toBeGreaterThan(800);
  });

  it('cuts between lines where one ends near', () => {
    const text = Array.from({ length: 500 }, (_, index) => `| row ${index} | 71,900 |`).join('\n');
    const { head, tail } = piecesOf(truncateMiddle(text, 2_000));
    expect(head).toMatch(/\| 71,900 \|$/);
    expect(tail).toMatch(/^\| row \d+ \| 71,900 \|\n/);
  });

  it('adds a remark to the note', () => {
    expect(truncateMiddle('a'.repeat(500), 300, '; on purpose')).toContain('left out here; on purpose]');
  });

  everyRow([200, 201, 202, 203, 204, 205, 206, 207])('cuts no emoji of many parts in two (%i)', (max) => {
    const { head, tail } = piecesOf(truncateMiddle(FAMILY.repeat(200), max));
    expect(head.length % FAMILY.length).toBe(0);
    expect(tail.length % FAMILY.length).toBe(0);
  });

  it('is never longer than asked, and never half a character', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '한', '🙂', FAMILY, 'e\u0301'),
      minLength: 100,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 600 }), (each, max) => {
        const short = truncateMiddle(each, max);
        expect(short.length).toBeLessThanOrEqual(max);
        expect(short.isWellFormed()).toBe(true);
        if (each.length > max && max >= 200) expect(short).toMatch(NOTE);
      }),
    );
  });

  it('finds a place also in a letter without end', () => {
    const short = truncateMiddle(`a${'\u0301'.repeat(5_000)}`, 500);
    expect(short.length).toBeGreaterThan(400);
    expect(short.length).toBeLessThanOrEqual(500);
  });
});
