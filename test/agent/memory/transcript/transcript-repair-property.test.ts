import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUnreadable, type TranscriptLine } from '#src/agent/memory/transcript/transcript-entry.ts';
import { repairTranscript } from '#src/agent/memory/transcript/transcript-repair.ts';
import type { TranscriptEntry } from '#src/agent/memory/transcript/transcript-store.ts';
import type { TurnId } from '#src/kernel/ids.ts';
import type { ContentBlock } from '#src/kernel/agent/model.ts';
import { mutilatedTranscript, wholeTranscript } from './mutilated-transcripts.ts';
import { apiProblem, brokenRules, messagesOf, turn } from './support.ts';

const NONE: ReadonlySet<TurnId> = new Set();

const repair = (lines: readonly TranscriptLine[], liveTurns = NONE): readonly TranscriptEntry[] =>
  repairTranscript(lines, liveTurns).entries;

const blocksIn = (entries: readonly TranscriptEntry[]): readonly ContentBlock[] =>
  entries.flatMap(({ message }) => message.content);

const readable = (lines: readonly TranscriptLine[]): readonly TranscriptEntry[] =>
  lines.flatMap((line) => (isUnreadable(line) ? [] : [line]));

const wordsIn = (entries: readonly TranscriptEntry[], role: string): ReadonlySet<string> =>
  new Set(
    entries
      .filter(({ message }) => message.role === role)
      .flatMap(({ message }) =>
        message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])),
      ),
  );

const byTurn = (entries: readonly TranscriptEntry[]) => Object.groupBy(entries, ({ turnId }) => turnId);

const ofFirstTurn = (entries: readonly TranscriptEntry[]): readonly string[] =>
  entries.filter(({ turnId }) => turnId === turn(0)).map((entry) => JSON.stringify(entry));

describe('repairTranscript', () => {
  it('finds nothing in a transcript that nothing happened to, and changes nothing', () => {
    fc.assert(
      fc.property(wholeTranscript, (entries) => {
        expect(repairTranscript(entries, NONE).corruptions).toEqual([]);
        expect(repair(entries)).toEqual(entries);
        expect(brokenRules(messagesOf(entries))).toEqual([]);
      }),
    );
  });

  it('makes of whatever happened to a transcript one that every provider takes', () => {
    fc.assert(
      fc.property(mutilatedTranscript, (lines) => {
        const entries = repair(lines);
        expect(brokenRules(messagesOf(entries))).toEqual([]);
        if (entries.length > 0) expect(entries.at(-1)?.message.role).toBe('assistant');
        // That no id is used twice is a rule of one provider, for calls that it made itself.
        const ids = blocksIn(entries).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
        if (entries.length > 0 && new Set(ids).size === ids.length)
          expect(apiProblem(entries)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('has nothing to do with what it made', () => {
    fc.assert(
      fc.property(mutilatedTranscript, fc.boolean(), (lines, hasLive) => {
        const liveTurns = hasLive ? new Set([turn(1)]) : NONE;
        const entries = repair(lines, liveTurns);
        expect(repairTranscript(entries, liveTurns).corruptions).toEqual([]);
        expect(repair(entries, liveTurns)).toEqual(entries);
      }),
      { numRuns: 300 },
    );
  });

  it('reports what it changes: without a report the turns are as they were', () => {
    fc.assert(
      fc.property(mutilatedTranscript, (lines) => {
        if (repairTranscript(lines, NONE).corruptions.length > 0) return;
        expect(byTurn(repair(lines))).toEqual(byTurn(readable(lines)));
      }),
    );
  });

  it('keeps all words that can be read and stand in a message of their side', () => {
    fc.assert(
      fc.property(mutilatedTranscript, (lines) => {
        const entries = repair(lines);
        for (const role of ['user', 'assistant']) {
          const lost = wordsIn(readable(lines), role).difference(wordsIn(entries, role));
          expect([...lost]).toEqual([]);
        }
      }),
    );
  });

  it('leaves a live turn as it is, but for what cannot be read or is there twice', () => {
    fc.assert(
      fc.property(mutilatedTranscript, (lines) => {
        expect(ofFirstTurn(repair(lines, new Set([turn(0)])))).toEqual([
          ...new Set(ofFirstTurn(readable(lines))),
        ]);
      }),
    );
  });
});
