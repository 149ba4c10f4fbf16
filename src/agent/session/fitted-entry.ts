import type { ConversationMessage } from '#src/core/model.ts';
import { fittingBlocks, isWordless, saysNothing, withoutRepeatedCalls } from './fitting-blocks.ts';
import type { TranscriptEntry } from './transcript-entry.ts';
import type { CorruptionType } from './transcript-repair.ts';

export type Report = (type: CorruptionType, description: string) => void;

/** An entry of a turn that is being repaired, and how to say what was wrong with it. */
export interface FittedEntry {
  readonly entry: TranscriptEntry;
  readonly report: Report;
}

const ABORTED = '[Execution aborted]';

export const withMessage = ({ entry, report }: FittedEntry, message: ConversationMessage): FittedEntry => ({
  entry: { turnId: entry.turnId, at: entry.at, message },
  report,
});

/** A message by itself: what has no place in it is taken out, and it is left out where nothing remains. */
export const fit = (entry: TranscriptEntry, report: Report): readonly FittedEntry[] => {
  const { message } = entry;
  const fitting = fittingBlocks(message);
  const content = withoutRepeatedCalls(fitting);
  if (fitting.length < message.content.length)
    report('invalid-role-sequence', `A message of the ${message.role} holds what it may not`);
  if (content.length < fitting.length) report('duplicate-entry', 'A call is there twice');
  if (!saysNothing(content)) return [{ entry: { ...entry, message: { ...message, content } }, report }];
  report('invalid-role-sequence', 'The message says nothing');
  return [];
};

/**
 * A result without words that nobody went on from is what an abort left of it. A tool that had nothing to say is
 * another matter: the model read that and went on, and must not be told that nothing was done.
 */
export const nameAborted = (turn: readonly FittedEntry[]): readonly FittedEntry[] => {
  let goesOn = false;
  const named = turn.toReversed().map((fitted): FittedEntry => {
    const { message } = fitted.entry;
    goesOn ||= message.role === 'assistant' && !message.isNote;
    const content = message.content.map((block) => {
      if (!isWordless(block) || (goesOn && !block.isError)) return block;
      fitted.report('missing-tool-result', `The result of ${block.toolUseId} is empty`);
      return { ...block, content: ABORTED, isError: true };
    });
    return withMessage(fitted, { ...message, content });
  });
  return named.toReversed();
};

const aMomentLater = (at: string): string => {
  const timeMs = Date.parse(at);
  return Temporal.Instant.fromEpochMilliseconds(Number.isNaN(timeMs) ? 0 : timeMs + 1).toString();
};

/** Behind two messages of the same time the same may have been put in: that must not look like one entry written twice. */
export const distinct = (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
  const seen = new Set<string>();
  return entries.map((entry) => {
    const text = JSON.stringify(entry.message);
    let { at } = entry;
    while (seen.has(`${at} ${text}`)) at = aMomentLater(at);
    seen.add(`${at} ${text}`);
    return at === entry.at ? entry : { ...entry, at };
  });
};
