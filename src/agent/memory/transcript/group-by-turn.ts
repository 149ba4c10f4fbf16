import type { TurnId } from '#src/kernel/ids.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

export interface GroupedTranscript {
  readonly summaries: readonly TranscriptEntry[];
  /** In the order in which the turns ended. */
  readonly turns: readonly (readonly TranscriptEntry[])[];
}

export const turnsOf = (entries: readonly TranscriptEntry[]): GroupedTranscript => {
  const summaries: TranscriptEntry[] = [];
  const turns = new Map<TurnId, TranscriptEntry[]>();
  let last: TurnId | undefined;
  for (const entry of entries) {
    if (entry.message.isSummary) {
      summaries.push(entry);
      continue;
    }
    const turn = turns.get(entry.turnId) ?? [];
    turn.push(entry);
    // A map keeps the order in which its keys came: one that comes again goes to the end.
    if (entry.turnId !== last) turns.delete(entry.turnId);
    turns.set(entry.turnId, turn);
    last = entry.turnId;
  }
  return { summaries, turns: [...turns.values()] };
};

/**
 * The entries of one turn together, at the place of its last one: while a turn waited for a decision, another
 * person's may have been written between its parts. A summary stands for what was before, and stays first.
 */
export const groupByTurn = (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
  const { summaries, turns } = turnsOf(entries);
  return [...summaries, ...turns.flat()];
};
