import type { ConversationMessage } from '#src/core/model.ts';
import { closingMessages } from '../execution/run-closing.ts';
import { toolNameIn } from './fitting-blocks.ts';
import { distinct, fit, type FittedEntry, nameAborted, type Report, withMessage } from './fitted-entry.ts';
import {
  type Call,
  callsIn,
  matchAnswers,
  type Result,
  resultsIn,
  type ToolAnswers,
} from './tool-answers.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

const UNAVAILABLE = '[Tool result unavailable]';

const LOST_MESSAGE: ConversationMessage = {
  role: 'user',
  content: [{ type: 'text', text: '[A message is missing here.]' }],
  isNote: true,
};

/** One finished turn, taken message by message. */
class TurnRepair {
  readonly repaired: FittedEntry[] = [];
  readonly #answers: ToolAnswers;
  readonly #mayContinue: boolean;
  /** The message whose calls are being answered, and the calls whose results do not follow it. */
  #asking: { readonly index: number; readonly missing: readonly Call[] } | undefined;

  constructor(answers: ToolAnswers, mayContinue: boolean) {
    this.#answers = answers;
    this.#mayContinue = mayContinue;
  }

  take(fitted: FittedEntry): void {
    const { role } = fitted.entry.message;
    if (role === 'tool') {
      this.#takeResults(fitted);
      return;
    }
    this.#settle();
    if (role === 'user') {
      this.repaired.push(fitted);
      return;
    }
    const { answers, inPlace } = this.#answers;
    const missing = callsIn(fitted.entry).filter((call) => {
      const result = answers.get(call);
      return !result || !inPlace.has(result);
    });
    this.#takeAnswer(fitted, missing);
  }

  /** Every call has its result by now, and the last word is the assistant's. */
  finish(): void {
    this.#settle();
    const messages = this.repaired.map(({ entry }) => entry.message);
    for (const message of closingMessages(messages, '', 'it was interrupted')) {
      this.repaired.at(-1)?.report('invalid-role-sequence', 'The turn has no answer');
      this.#insert(message);
    }
  }

  #insert(message: ConversationMessage, like = this.repaired.at(-1)): void {
    if (like) this.repaired.push(withMessage(like, message));
  }

  #takeAnswer(fitted: FittedEntry, missing: readonly Call[]): void {
    const before = this.repaired.at(-1)?.entry.message;
    const isLost = before ? before.role === 'assistant' && !before.isPaused : !this.#mayContinue;
    if (isLost) {
      fitted.report('invalid-role-sequence', 'Nothing stands before the answer that it could be one to');
      this.#insert(LOST_MESSAGE, fitted);
    }
    this.repaired.push(fitted);
    this.#asking = { index: this.repaired.length - 1, missing };
  }

  #takeResults(fitted: FittedEntry): void {
    const { entry, report } = fitted;
    const { inPlace, orphans, displaced } = this.#answers;
    const content = resultsIn(entry).filter((result) => {
      if (inPlace.has(result) || orphans.has(result)) return true;
      if (displaced.has(result))
        report('orphan-tool-result', `${result.toolUseId} stands away from its call`);
      else report('duplicate-entry', `${result.toolUseId} has a result already`);
      return false;
    });
    const withoutCall = content.filter((result) => orphans.has(result));
    if (withoutCall.length > 0) this.#inventCalls(withoutCall, fitted);
    if (content.length > 0) this.repaired.push(withMessage(fitted, { ...entry.message, content }));
  }

  /** Results say something even where nobody knows any more what was asked. */
  #inventCalls(results: readonly Result[], fitted: FittedEntry): void {
    const calls = results.map(({ toolUseId, content }): Call => {
      fitted.report('orphan-tool-result', `${toolUseId} has no call`);
      return { type: 'tool_use', id: toolUseId, name: toolNameIn(content), input: {} };
    });
    const asking = this.#asking && this.repaired[this.#asking.index];
    if (!this.#asking || !asking) {
      this.#takeAnswer(withMessage(fitted, { role: 'assistant', content: calls }), []);
      return;
    }
    const { message } = asking.entry;
    const content = [...message.content, ...calls];
    this.repaired[this.#asking.index] = withMessage(asking, { ...message, content });
  }

  /** No other message may come before the results that are still due. */
  #settle(): void {
    const { missing = [], index = 0 } = this.#asking ?? {};
    this.#asking = undefined;
    if (missing.length === 0) return;
    const content = missing.map((call): Result => {
      const result = this.#answers.answers.get(call);
      if (result) return result;
      this.repaired[index]?.report('missing-tool-result', `${call.id} has no result`);
      return { type: 'tool_result', toolUseId: call.id, content: UNAVAILABLE, isError: true };
    });
    this.#insert({ role: 'tool', content });
  }
}

/** `mayContinue`: a summary stands before it, which may stand for its beginning too. */
export const repairTurn = (
  turn: readonly TranscriptEntry[],
  mayContinue: boolean,
  report: (entry: TranscriptEntry, ...what: Parameters<Report>) => void,
): readonly TranscriptEntry[] => {
  const fitted = turn.flatMap((entry) => fit(entry, (...what) => report(entry, ...what)));
  const repair = new TurnRepair(matchAnswers(fitted.map(({ entry }) => entry)), mayContinue);
  for (const entry of fitted) repair.take(entry);
  repair.finish();
  return distinct(nameAborted(repair.repaired).map(({ entry }) => entry));
};
