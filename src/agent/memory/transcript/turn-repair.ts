import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { blocksIn, type ToolResultBlock as Result, type ToolUseBlock as Call } from '../../content-blocks.ts';
import { closingMessages } from './closing-messages.ts';
import { aMomentLater, type TranscriptEntry } from './transcript-entry.ts';

const BLOCKS_OF: Readonly<Record<ConversationMessage['role'], ReadonlySet<ContentBlock['type']>>> = {
  user: new Set(['text', 'image']),
  assistant: new Set(['text', 'thinking', 'tool_use']),
  tool: new Set(['tool_result']),
};

const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME_CHARS = 64;
const NAMED = [
  /^(?:The tool|There is no tool|Invalid input for) "?([a-zA-Z0-9_-]{1,64})(?![\w.-])/,
  /"tool(?:Name|_name)?"\s*:\s*"([a-zA-Z0-9_-]{1,64})"/,
];

/** The tool of a result, if its text names it. */
const toolNameIn = (content: string): string =>
  NAMED.map((pattern) => pattern.exec(content)?.[1]).find((name) => name !== undefined) ?? 'unknown_tool';

export const hasLegalName = ({ name }: { readonly name: string }): boolean => LEGAL_NAME.test(name);

/** The name of a removed tool is kept as history; one that providers reject is replaced. */
const withLegalName = (block: ContentBlock): ContentBlock => {
  if (block.type !== 'tool_use' || hasLegalName(block)) return block;
  const name = block.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_CHARS);
  return { ...block, name: /[a-zA-Z0-9]/.test(name) ? name : 'unknown_tool' };
};

export const fitsRole = ({ type }: ContentBlock, role: ConversationMessage['role']): boolean =>
  BLOCKS_OF[role].has(type);

/** The valid blocks for the message's role, each a separate object. */
const validBlocks = ({ role, content }: ConversationMessage): readonly ContentBlock[] =>
  content.flatMap((block) => (fitsRole(block, role) ? [{ ...withLegalName(block) }] : []));

/** Drops calls with a duplicate id, because a result could not be matched to them. */
const withoutRepeatedCalls = (blocks: readonly ContentBlock[]): readonly ContentBlock[] => {
  const ids = new Set<string>();
  return blocks.filter((block) => {
    if (block.type !== 'tool_use') return true;
    const isNew = !ids.has(block.id);
    ids.add(block.id);
    return isNew;
  });
};

/** Whether a message has no content. It is never sent to a provider. */
export const saysNothing = (blocks: readonly ContentBlock[]): boolean =>
  blocks.every((block) => block.type === 'text' && block.text.trim() === '');

const isWordless = (block: ContentBlock): block is Result =>
  block.type === 'tool_result' && block.content.trim() === '';

export type CorruptionType =
  | 'truncated-json'
  | 'duplicate-entry'
  | 'orphan-tool-result'
  | 'missing-tool-result'
  | 'invalid-role-sequence';

type Report = (type: CorruptionType, description: string) => void;

/** An entry under repair, with a function to report what was wrong. */
interface RepairEntry {
  readonly entry: TranscriptEntry;
  readonly report: Report;
}

const ABORTED = '[Execution aborted]';

const withMessage = ({ entry, report }: RepairEntry, message: ConversationMessage): RepairEntry => ({
  entry: { turnId: entry.turnId, at: entry.at, message },
  report,
});

/** Removes blocks that are invalid for the role, and the message if none remains. */
const sanitize = (entry: TranscriptEntry, report: Report): readonly RepairEntry[] => {
  const { message } = entry;
  const valid = validBlocks(message);
  const content = withoutRepeatedCalls(valid);
  if (valid.length < message.content.length)
    report('invalid-role-sequence', `A message of the ${message.role} has invalid blocks`);
  if (content.length < valid.length) report('duplicate-entry', 'A call is duplicated');
  if (!saysNothing(content)) return [{ entry: { ...entry, message: { ...message, content } }, report }];
  report('invalid-role-sequence', 'The message is empty');
  return [];
};

/**
 * An empty result that no answer followed was left by an abort. An empty result that the model answered came from a
 * tool with nothing to say, and must not be marked as aborted.
 */
const markAborted = (turn: readonly RepairEntry[]): readonly RepairEntry[] => {
  let goesOn = false;
  const named = turn.toReversed().map((sanitized): RepairEntry => {
    const { message } = sanitized.entry;
    goesOn ||= message.role === 'assistant' && !message.isNote;
    const content = message.content.map((block) => {
      if (!isWordless(block) || (goesOn && !block.isError)) return block;
      sanitized.report('missing-tool-result', `The result of ${block.toolUseId} is empty`);
      return { ...block, content: ABORTED, isError: true };
    });
    return withMessage(sanitized, { ...message, content });
  });
  return named.toReversed();
};

/** Repair may insert equal messages at equal times. Distinct times keep them from looking like duplicates. */
const withDistinctTimes = (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] => {
  const seen = new Set<string>();
  return entries.map((entry) => {
    const text = JSON.stringify(entry.message);
    let { at } = entry;
    while (seen.has(`${at} ${text}`)) at = aMomentLater(at);
    seen.add(`${at} ${text}`);
    return at === entry.at ? entry : { ...entry, at };
  });
};

/** Matches the results of a turn to its calls. */
interface ToolAnswers {
  /** Results in place: after the message with their call, before any message that is no result. */
  readonly inPlace: ReadonlySet<Result>;
  /** Results that answer a call from elsewhere in the turn. */
  readonly displaced: ReadonlySet<Result>;
  /** The result of each answered call, wherever it is. */
  readonly answers: ReadonlyMap<Call, Result>;
  /** Results without a call in the turn; of several for the same call, the first. */
  readonly orphans: ReadonlySet<Result>;
}

/** Blocks are compared by identity, so entries must not share one. */
const matchAnswers = (entries: readonly TranscriptEntry[]): ToolAnswers => {
  const inPlace = new Set<Result>();
  const displaced = new Set<Result>();
  const answers = new Map<Call, Result>();
  const strays = new Map<string, Result>();
  const calls: Call[] = [];
  let open = new Map<string, Call>();
  for (const entry of entries) {
    if (entry.message.role !== 'tool') {
      const asked = blocksIn([entry.message], 'tool_use');
      open = new Map(asked.map((call) => [call.id, call]));
      calls.push(...asked);
      continue;
    }
    for (const result of blocksIn([entry.message], 'tool_result')) {
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

const UNAVAILABLE = '[Tool result unavailable]';

const LOST_MESSAGE: ConversationMessage = {
  role: 'user',
  content: [{ type: 'text', text: '[A message is missing here.]' }],
  isNote: true,
};

/** Repairs one finished turn, message by message. */
class TurnRepair {
  readonly repaired: RepairEntry[] = [];
  readonly #answers: ToolAnswers;
  readonly #mayContinue: boolean;
  /** The message whose calls are being answered, with those that lack a result. */
  #asking: { readonly index: number; readonly missing: readonly Call[] } | undefined;

  constructor(answers: ToolAnswers, mayContinue: boolean) {
    this.#answers = answers;
    this.#mayContinue = mayContinue;
  }

  add(sanitized: RepairEntry): void {
    const { role } = sanitized.entry.message;
    if (role === 'tool') {
      this.#addResults(sanitized);
      return;
    }
    this.#settle();
    if (role === 'user') {
      this.repaired.push(sanitized);
      return;
    }
    const { answers, inPlace } = this.#answers;
    const missing = blocksIn([sanitized.entry.message], 'tool_use').filter((call) => {
      const result = answers.get(call);
      return !result || !inPlace.has(result);
    });
    this.#addAnswer(sanitized, missing);
  }

  /** Completes the turn: every call has its result, and the assistant speaks last. */
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

  #addAnswer(sanitized: RepairEntry, missing: readonly Call[]): void {
    const before = this.repaired.at(-1)?.entry.message;
    const isLost = before ? before.role === 'assistant' && !before.isPaused : !this.#mayContinue;
    if (isLost) {
      sanitized.report('invalid-role-sequence', 'The answer follows no message');
      this.#insert(LOST_MESSAGE, sanitized);
    }
    this.repaired.push(sanitized);
    this.#asking = { index: this.repaired.length - 1, missing };
  }

  #addResults(sanitized: RepairEntry): void {
    const { entry, report } = sanitized;
    const { inPlace, orphans, displaced } = this.#answers;
    const content = blocksIn([entry.message], 'tool_result').filter((result) => {
      if (inPlace.has(result) || orphans.has(result)) return true;
      if (displaced.has(result)) report('orphan-tool-result', `${result.toolUseId} does not follow its call`);
      else report('duplicate-entry', `${result.toolUseId} already has a result`);
      return false;
    });
    const withoutCall = content.filter((result) => orphans.has(result));
    if (withoutCall.length > 0) this.#inventCalls(withoutCall, sanitized);
    if (content.length > 0) this.repaired.push(withMessage(sanitized, { ...entry.message, content }));
  }

  /** Results are kept even if their calls are lost. */
  #inventCalls(results: readonly Result[], sanitized: RepairEntry): void {
    const calls = results.map(({ toolUseId, content }): Call => {
      sanitized.report('orphan-tool-result', `${toolUseId} has no call`);
      return { type: 'tool_use', id: toolUseId, name: toolNameIn(content), input: {} };
    });
    const asking = this.#asking && this.repaired[this.#asking.index];
    if (!this.#asking || !asking) {
      this.#addAnswer(withMessage(sanitized, { role: 'assistant', content: calls }), []);
      return;
    }
    const { message } = asking.entry;
    const content = [...message.content, ...calls];
    this.repaired[this.#asking.index] = withMessage(asking, { ...message, content });
  }

  /** Missing results must precede any other message. */
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

/** `mayContinue`: a summary precedes the turn and may include its beginning. */
export const repairTurn = (
  turn: readonly TranscriptEntry[],
  mayContinue: boolean,
  report: (entry: TranscriptEntry, ...what: Parameters<Report>) => void,
): readonly TranscriptEntry[] => {
  const sanitized = turn.flatMap((entry) => sanitize(entry, (...what) => report(entry, ...what)));
  const repair = new TurnRepair(matchAnswers(sanitized.map(({ entry }) => entry)), mayContinue);
  for (const entry of sanitized) repair.add(entry);
  repair.finish();
  return withDistinctTimes(markAborted(repair.repaired).map(({ entry }) => entry));
};
