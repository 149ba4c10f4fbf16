import { expect } from 'vitest';
import type { TranscriptLine } from '#src/agent/memory/transcript/transcript-entry.ts';
import { repairTranscript } from '#src/agent/memory/transcript/transcript-repair.ts';
import type { TurnId } from '#src/kernel/ids.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import { entriesOf, messagesOf } from './support.ts';

export const NONE: ReadonlySet<TurnId> = new Set();

/** What is found, and what comes of it; repaired once more, nothing is found and nothing changes. */
export const repaired = (lines: readonly TranscriptLine[], liveTurns = NONE) => {
  const report = repairTranscript(lines, liveTurns);
  const { entries } = report;
  const again = repairTranscript(entries, liveTurns);
  expect(again.corruptions).toEqual([]);
  expect(again.entries).toEqual(entries);
  return {
    entries,
    messages: messagesOf(entries),
    types: report.corruptions.map(({ type }) => type),
    report,
  };
};

export const oneTurn = (...messages: readonly ConversationMessage[]) => repaired(entriesOf(1, messages));

/** What is put in where something is gone. */
export const MISSING = { role: 'user', isNote: true, content: [{ text: '[A message is missing here.]' }] };
export const CLOSING = {
  role: 'assistant',
  isNote: true,
  content: [{ text: '[No answer: it was interrupted.]' }],
};
export const UNAVAILABLE = { content: '[Tool result unavailable]', isError: true };
