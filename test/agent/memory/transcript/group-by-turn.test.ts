import { describe, expect, it } from 'vitest';
import { groupByTurn } from '#src/agent/memory/transcript/transcript-entry.ts';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import { user } from '#test/agent/providers/request.ts';
import { turn } from './support.ts';

/** `a1` is the first entry of turn a; `s` is a summary. */
const grouped = (order: string): string => {
  const entries = order.split(' ').map((name): TranscriptEntry => {
    const message = user(name);
    return {
      turnId: turn(name[0] ?? ''),
      at: name,
      message: name.startsWith('s') ? { ...message, isSummary: true } : message,
    };
  });
  return groupByTurn(entries)
    .map(({ at }) => at)
    .join(' ');
};

describe('groupByTurn', () => {
  it.each([
    ['leaves turns that follow each other as they are', 'a1 a2 b1 b2 c1', 'a1 a2 b1 b2 c1'],
    ['puts a turn that waited to the place where it ended', 'a1 a2 b1 b2 a3', 'b1 b2 a1 a2 a3'],
    ['keeps the order inside each of several mixed turns', 'a1 b1 a2 c1 b2 a3 c2', 'b1 b2 a1 a2 a3 c1 c2'],
    ['leaves a turn that still waits where it stopped', 'a1 a2 b1 b2', 'a1 a2 b1 b2'],
    ['keeps a summary first', 's0 a1 b1 a2', 's0 b1 a1 a2'],
    ['puts a summary first wherever it was', 'a1 s0 a2 b1', 's0 a1 a2 b1'],
    ['keeps a summary apart from a turn of the same name', 's0 b1 s1 a1', 's0 s1 b1 a1'],
  ])('%s', (_what, order, expected) => {
    expect(grouped(order)).toBe(expected);
    expect(grouped(expected)).toBe(expected);
  });

  it('has nothing to do with nothing', () => {
    expect(groupByTurn([])).toEqual([]);
  });
});
