import { FailoverError } from '#src/agent/errors.ts';
import { ContextKeeper, type TurnRequest } from '#src/agent/loop/context-keeper.ts';
import { TurnHistory } from '#src/agent/loop/turn-history.ts';
import type { ConversationMessage, StreamChunk } from '#src/kernel/agent/model.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { setUpStore } from '#test/agent/memory/transcript/store-support.ts';
import { entriesOf, messagesOf, turn } from '#test/agent/memory/transcript/support.ts';
import { COMPACTION, done, modelOf, says, ScriptedProvider, SESSION, testTool } from '#test/agent/support.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { callerOn } from './caller-support.ts';
import { assistant, results, text, use, user } from './runner-support.ts';

export const WINDOW = 32_768;
export const RESERVE = 4_000;
export const MODEL = modelOf('small', { contextWindow: WINDOW });
export const OTHER = modelOf('other', { contextWindow: WINDOW });
export const OFFLINE = modelOf('offline', { provider: 'offline', contextWindow: WINDOW });
export const NOW = 'now';
export const QUESTION = user('And what about tomorrow?');
export const SUMMARY: readonly StreamChunk[] = [...says('- They talked about the market.'), done()];

/** A thousand tokens of talk without a name or a number that a summary would have to keep. */
const talk = (count: number): readonly ConversationMessage[] =>
  Array.from({ length: count }, () => [
    user('how is the market? '.repeat(79).trimEnd()),
    assistant(text('a quiet day again. '.repeat(79).trimEnd())),
  ]).flat();

const lookedUp = (facts: readonly Fact[]): readonly ConversationMessage[] => [
  user('And Apple?'),
  assistant(use('c0', 'lookup')),
  results({ type: 'tool_result', toolUseId: 'c0', content: 'found', isError: false, facts }),
  assistant(text('So much.')),
];

export const failing = async function* (): AsyncGenerator<StreamChunk> {
  yield* [];
  throw new FailoverError('down', 'server-error');
};

interface SetUp {
  /** In thousands of tokens. */
  readonly said: number;
  /** What a tool found before all that. */
  readonly facts?: readonly Fact[];
  readonly provider?: ScriptedProvider;
  readonly maxContextTokens?: number;
  readonly request?: Partial<TurnRequest>;
}

/** A conversation on disk, a new question behind it, and the window of the turn that is to answer it. */
export const setUpKeeper = async ({
  said,
  facts,
  provider = new ScriptedProvider(SUMMARY),
  maxContextTokens = 1_000_000,
  request: special,
}: SetUp) => {
  const { store, rowsIn } = await setUpStore();
  const caller = callerOn(provider);
  const keeper = new ContextKeeper({
    ...caller,
    maxOutputTokens: RESERVE,
    maxContextTokens,
    compaction: COMPACTION,
  });
  const old = talk(said).flatMap((message, index) =>
    entriesOf(Math.floor(index / 2), [message], `2026-11-13T06:00:${String(index).padStart(2, '0')}Z`),
  );
  await store.replace(SESSION, [...(facts ? entriesOf('first', lookedUp(facts)) : []), ...old]);
  const history = await TurnHistory.open(store, SESSION, turn(NOW), new Set([turn(NOW)]));
  await history.append(QUESTION);
  const request: TurnRequest = {
    models: [MODEL],
    systemPrompt: 'You are a test.',
    tools: [testTool('lookup').definition],
    toolContext: toolContextOf({ sessionKey: SESSION, turnId: turn(NOW) }),
    ...special,
  };
  const window = keeper.forTurn(request, history);
  const controller = new AbortController();
  const keep = (isOverflown = false) => window.keep(isOverflown, controller.signal);
  /** The last request took so many tokens, for all that has been said so far unless told otherwise. */
  const observe = (inputTokens: number, model = MODEL, messageCount = history.messages.length): void =>
    window.observe(
      {
        message: assistant(text('ok')),
        stopReason: 'end_turn',
        usage: { inputTokens: 1, cacheReadTokens: inputTokens - 2, cacheWriteTokens: 1, outputTokens: 9 },
        model,
      },
      messageCount,
    );
  const state = () => keeper.stateOf(request, history.messages, SESSION);
  const stored = async () => messagesOf(await store.load(SESSION));
  return {
    ...caller,
    store,
    keeper,
    provider,
    history,
    request,
    window,
    controller,
    keep,
    observe,
    state,
    stored,
    rowsIn,
  };
};
