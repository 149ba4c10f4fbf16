import type { ContentBlock } from '#src/core/model.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

export type Call = Extract<ContentBlock, { type: 'tool_use' }>;
export type Result = Extract<ContentBlock, { type: 'tool_result' }>;

export const callsIn = ({ message }: TranscriptEntry): readonly Call[] =>
  message.content.filter((block) => block.type === 'tool_use');

export const resultsIn = ({ message }: TranscriptEntry): readonly Result[] =>
  message.content.filter((block) => block.type === 'tool_result');

/** Which result of a turn answers which call. */
export interface ToolAnswers {
  /** Results that stand where they belong: behind the message with their call, before any that is no result. */
  readonly inPlace: ReadonlySet<Result>;
  /** Results that answer a call from elsewhere in the turn. */
  readonly displaced: ReadonlySet<Result>;
  /** The result of each call that has one, wherever it stands. */
  readonly answers: ReadonlyMap<Call, Result>;
  /** Results whose call is nowhere in the turn; of several for the same call, the first. */
  readonly orphans: ReadonlySet<Result>;
}

/** Blocks are told apart as objects: no two of the entries may share one. */
export const matchAnswers = (entries: readonly TranscriptEntry[]): ToolAnswers => {
  const inPlace = new Set<Result>();
  const displaced = new Set<Result>();
  const answers = new Map<Call, Result>();
  const strays = new Map<string, Result>();
  const calls: Call[] = [];
  let open = new Map<string, Call>();
  for (const entry of entries) {
    if (entry.message.role !== 'tool') {
      const asked = callsIn(entry);
      open = new Map(asked.map((call) => [call.id, call]));
      calls.push(...asked);
      continue;
    }
    for (const result of resultsIn(entry)) {
      const call = open.get(result.toolUseId);
      open.delete(result.toolUseId);
      if (call) {
        inPlace.add(result);
        answers.set(call, result);
      } else if (!strays.has(result.toolUseId)) strays.set(result.toolUseId, result);
    }
  }
  const known = new Set(calls.map(({ id }) => id));
  const orphans = new Set(strays.values().filter(({ toolUseId }) => !known.has(toolUseId)));
  for (const call of calls) {
    const stray = strays.get(call.id);
    if (!stray || answers.has(call)) continue;
    answers.set(call, stray);
    displaced.add(stray);
    strays.delete(call.id);
  }
  return { inPlace, displaced, answers, orphans };
};
