import { readFileSync } from 'node:fs';
import { type Evidence, evidenceIn } from '#src/agent/grounding/facts/evidence.ts';
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ToolResultBlock } from '#src/agent/content-blocks.ts';
import type { ConversationMessage } from '#src/kernel/agent/model.ts';
import type { ChangeReceipt } from '#src/kernel/chat/receipt.ts';
import type { Fact } from '#src/kernel/market/fact.ts';

type Details = Partial<Pick<Fact, 'names' | 'label' | 'day' | 'period' | 'parameter' | 'operands' | 'asOf'>>;

/** Facts about one subject at one moment. */
export interface FactGroup {
  readonly of: string;
  readonly names?: readonly string[];
  readonly asOf: string;
  readonly rows: readonly (readonly [metric: MetricId, value: string, unit: string, details?: Details])[];
}

interface RecordedCall {
  readonly tool: string;
  readonly text?: string;
  readonly facts?: readonly FactGroup[];
  readonly isError?: boolean;
  readonly isUntrusted?: boolean;
  /** What the call changed. */
  readonly effect?: ChangeReceipt['effect'];
}

interface RecordedTurn {
  readonly own: string;
  /** What the program put behind the person's words. */
  readonly blocks?: readonly string[];
  readonly calls: readonly RecordedCall[];
  /** None in the last turn. */
  readonly answer?: string;
}

/** What stands before an answer. */
export interface Conversation {
  readonly id: string;
  readonly locale?: Locale;
  /** ISO date. */
  readonly today: string;
  readonly turns: readonly RecordedTurn[];
}

/** An answer to the end of a conversation. */
export interface RecordedAnswer {
  /** The conversation. */
  readonly id: string;
  readonly answer: string;
  /** The person's question, where that of the conversation is not it. */
  readonly own?: string;
  /** A page that was read for it. */
  readonly read?: string;
  /** What is wrong about it. Undefined if all is right. */
  readonly kind?: string;
  /** The parts of the answer that are wrong. */
  readonly wrong?: readonly string[];
}

/** The facts of a group. Only the first one has the names, as in the results of tools. */
export const factsOf = ({ of, names, asOf, rows }: FactGroup): readonly Fact[] =>
  rows.map(([metric, value, unit, details], nth) => ({
    entity: of,
    ...(names && nth === 0 && { names }),
    metric,
    value,
    unit,
    asOf,
    source: 'Yahoo Finance',
    isSample: false,
    ...details,
  }));

const resultOf = (
  { text = '', facts, isError = false, isUntrusted, effect }: RecordedCall,
  toolUseId: string,
): ToolResultBlock => ({
  type: 'tool_result',
  toolUseId,
  content: text,
  isError,
  facts: (facts ?? []).flatMap(factsOf),
  ...(isUntrusted && { isUntrusted }),
  ...(effect && { receipt: { effect, text: '' } }),
});

const said = (role: 'user' | 'assistant', texts: readonly string[]): ConversationMessage => ({
  role,
  content: texts.map((text) => ({ type: 'text', text })),
});

/** A conversation up to the answer. */
const messagesOf = (
  { turns }: Conversation,
  { own, read }: Pick<RecordedAnswer, 'own' | 'read'> = {},
): readonly ConversationMessage[] =>
  turns.flatMap((turn, nth) => {
    const isLast = nth === turns.length - 1;
    const page: readonly RecordedCall[] =
      isLast && read !== undefined ? [{ tool: 'fetch_url', text: read, isUntrusted: true }] : [];
    const calls = [...turn.calls, ...page];
    const idOf = (at: number): string => `${nth}-${at}`;
    return [
      said('user', [(isLast ? own : undefined) ?? turn.own, ...(turn.blocks ?? [])]),
      ...(calls.length === 0
        ? []
        : [
            {
              role: 'assistant' as const,
              content: calls.map(({ tool }, at) => ({
                type: 'tool_use' as const,
                id: idOf(at),
                name: tool,
                input: {},
              })),
            },
            { role: 'tool' as const, content: calls.map((call, at) => resultOf(call, idOf(at))) },
          ]),
      ...(turn.answer === undefined ? [] : [said('assistant', [turn.answer])]),
    ];
  });

/** What an answer may rest on. */
export const evidenceFor = (
  conversation: Conversation,
  answer?: Pick<RecordedAnswer, 'own' | 'read'>,
): Evidence => evidenceIn(messagesOf(conversation, answer), Temporal.PlainDate.from(conversation.today));

const linesOf = (path: string): readonly unknown[] =>
  readFileSync(new URL(path, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

/** Recorded conversations by id, and answers to them. */
export interface Recorded {
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly answers: readonly RecordedAnswer[];
}

const recordedIn = (folder: string): Recorded => ({
  conversations: new Map(
    (linesOf(`${folder}/conversations.jsonl`) as readonly Conversation[]).map((each) => [each.id, each]),
  ),
  answers: linesOf(`${folder}/answers.jsonl`) as readonly RecordedAnswer[],
});

/** Right answers that were written while the first checks were made, and used to improve them. */
export const HAND_WRITTEN = recordedIn('hand-written');
/** Answers by people who had not read the check, to what the tools answered. */
export const UNSEEN = recordedIn('unseen');

export const conversationOf = ({ conversations }: Recorded, id: string): Conversation => {
  const found = conversations.get(id);
  if (!found) throw new Error(`There is no conversation ${id}`);
  return found;
};
