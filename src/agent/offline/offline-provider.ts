import { detectLocale, type Locale } from '#src/kernel/locale.ts';
import { offlineTexts } from './texts.ts';
import { Decimal } from '#src/kernel/money.ts';
import { type ConversationMessage, NO_USAGE, type StreamChunk } from '#src/kernel/agent/model.ts';
import type {
  EarlierCall,
  ReadSentence,
  SentenceCall,
  SentenceReading,
  SentenceWorth,
} from '#src/kernel/agent/sentence.ts';
import type { ToolResultCode } from '#src/kernel/agent/tool.ts';
import { newErrorId } from '#src/platform/ids.ts';
import { blocksIn, textsIn, type ToolResultBlock as Result } from '../content-blocks.ts';
import { AnswerBuilder } from '../loop/answer-builder.ts';
import type { OfflineRules } from '../loop/only-me.ts';
import { estimateTokens } from '../tokens.ts';
import type { ModelEntry } from '../models/catalog.ts';
import { unfenced } from '../tools/untrusted-text.ts';
import type { ProviderAdapter, ProviderRequest } from '../providers/adapter.ts';

type OfflineMessages = ReturnType<typeof offlineTexts>;

/** Answers if no key is set. It costs nothing, and sees no pictures. */
export const OFFLINE_MODEL: ModelEntry = {
  id: 'offline-rules',
  provider: 'offline',
  displayName: 'Offline rules',
  contextWindow: 32_000,
  maxOutputTokens: 4_000,
  capabilities: {
    vision: false,
    functionCalling: true,
    streaming: true,
    extendedThinking: false,
    temperature: false,
    numericalReasoningTier: 'low',
  },
  pricing: null,
  aliases: ['offline'],
  deprecated: false,
  asOf: '2026-11-14',
};

/** The same where an AI model should have answered. The program says so below the answer. */
const OFFLINE_STAND_IN: ModelEntry = { ...OFFLINE_MODEL, id: 'offline-stand-in', aliases: [] };

const CALL_PREFIX = 'offline_';

/** A message of the program only, such as the step limit. */
const isNote = ({ role, content: [first] }: ConversationMessage): boolean =>
  role === 'user' && first?.type === 'text' && first.text.startsWith('<context>');

const dateIn = (context: string): string | undefined => /^time: (\d{4}-\d{2}-\d{2})T/m.exec(context)?.[1];
/** Who wrote a message is said in shared chats only. */
const writerIn = (quoted: string): string | undefined =>
  /^the message above was written by: (.*)/m.exec(quoted)?.[1];

const NOTES = (['en', 'ko'] as const).map((locale) => offlineTexts(locale).note());

/** Whether an answer of that day to the same person ended with the note. */
const wasNoted = (
  before: readonly ConversationMessage[],
  date: string,
  writer: string | undefined,
): boolean => {
  let isTheirs = false;
  for (const message of before) {
    const texts = textsIn(message);
    if (message.role === 'user' && !isNote(message)) {
      const quoted = texts.find((text) => text.startsWith('<quoted>')) ?? '';
      isTheirs = dateIn(texts.at(-1) ?? '') === date && writerIn(quoted) === writer;
    }
    const isSaid =
      message.role === 'assistant' && texts.some((text) => NOTES.some((note) => text.includes(note)));
    if (isTheirs && isSaid) return true;
  }
  return false;
};

/** The person's text; the block after it is the program's context. */
const questionIn = (messages: readonly ConversationMessage[]) => {
  const at = messages.findLastIndex((message) => message.role === 'user' && !isNote(message));
  const asked = messages[at];
  const [words = '', ...others] = asked ? textsIn(asked) : [];
  const context = others.at(-1) ?? '';
  const quoted = others.find((text) => text.startsWith('<quoted>')) ?? '';
  const told: Locale = /^language: ko$/m.test(context) ? 'ko' : 'en';
  const date = dateIn(context);
  const before = messages.slice(0, Math.max(0, at));
  return {
    words,
    locale: context === '' ? detectLocale(words, undefined, 'auto') : told,
    today: date === undefined ? undefined : Temporal.PlainDate.from(date),
    // The sender is named only in shared chats.
    isAlone: context !== '' && !/^the message above was written by: /m.test(quoted),
    before,
    isNoted: date !== undefined && wasNoted(before, date, writerIn(quoted)),
    since: messages.slice(Math.max(0, at)),
  };
};

function* speak(text: string): Generator<StreamChunk> {
  for (const piece of text.match(/[^\n]+\n?|\n/g) ?? []) yield { type: 'text_delta', text: piece };
  yield { type: 'done', stopReason: 'end_turn' };
}

function* callTools(calls: readonly SentenceCall[]): Generator<StreamChunk> {
  for (const { tool, input } of calls) {
    const id = `${CALL_PREFIX}${newErrorId()}`;
    yield { type: 'tool_use_start', id, name: tool };
    yield { type: 'tool_input_delta', id, delta: JSON.stringify(input) };
    yield { type: 'tool_use_end', id };
  }
  yield { type: 'done', stopReason: 'tool_use' };
}

/** Not offered in shared chats. */
const PERSONAL_TOOLS: ReadonlySet<string> = new Set([
  'analyze_portfolio',
  'get_portfolio',
  'get_tax_report',
  'list_alerts',
  'manage_watchlist',
  'plan_rebalance',
  'record_transaction',
  'remove_alert',
  'set_alert',
  'set_briefing',
  'undo_transaction',
]);

type FailureText = 'failed' | 'refused' | 'notDone' | 'notAsAsked' | 'notAllowed' | 'maybeDone';

const FAILURES: Readonly<Record<ToolResultCode, FailureText>> = {
  'approval-denied': 'refused',
  'approval-expired': 'notDone',
  'approval-given-up': 'notDone',
  'approval-not-asked': 'notDone',
  'approval-mismatch': 'notDone',
  'maybe-done': 'maybeDone',
  'not-allowed': 'notAllowed',
  'invalid-input': 'notAsAsked',
  'unknown-tool': 'failed',
  'tool-failed': 'failed',
  'not-run': 'failed',
};

/** The outcome of a call for a person, because the registry's messages are for models. */
const forPeople = ({ content, brief, code, isUntrusted, receipt }: Result, say: OfflineMessages): string => {
  // The result is in words for models.
  if (receipt && !content.includes(receipt.text)) return receipt.text;
  if (code === undefined) return brief ?? (isUntrusted === true ? unfenced(content) : content);
  return say[FAILURES[code]]();
};

const callsIn = (messages: readonly ConversationMessage[]): readonly EarlierCall[] => {
  const done = new Set(
    blocksIn(messages, 'tool_result').flatMap(({ isError, toolUseId }) => (isError ? [] : [toolUseId])),
  );
  return blocksIn(messages, 'tool_use').map(({ id, name, input }) => ({
    tool: name,
    input: Object(input),
    isDone: done.has(id),
  }));
};

/** All results of the turn in the order of the calls: an approved call ends later, in a message of its own. */
const resultsIn = (messages: readonly ConversationMessage[]): readonly Result[] => {
  const order = new Map(blocksIn(messages, 'tool_use').map(({ id }, index) => [id, index]));
  const placeOf = ({ toolUseId }: Result): number => order.get(toolUseId) ?? order.size;
  return blocksIn(messages, 'tool_result').toSorted((a, b) => placeOf(a) - placeOf(b));
};

const MAX_PRICES = 3;

/** Follow-up calls on quotes: total cost, and its value in another currency. */
const worthCalls = (
  { pieces, currency }: SentenceWorth,
  results: readonly Result[],
): readonly SentenceCall[] =>
  results
    .flatMap(({ facts = [] }) => facts.filter(({ metric, day }) => metric === 'price' && day === undefined))
    .slice(0, MAX_PRICES)
    .flatMap(({ value, unit }) => {
      const amount = new Decimal(value).times(pieces ?? 1).toFixed();
      return [
        ...(pieces === undefined
          ? []
          : [{ tool: 'calculate', input: { expression: `${pieces} * ${value} ${unit}` } }]),
        ...(currency === undefined || currency === unit
          ? []
          : [{ tool: 'convert_currency', input: { amount, from: unit, to: currency } }]),
      ];
    });

const MAX_EXAMPLES = 3;
/** Longer names are unsuitable as an example. */
const MAX_NAME = 30;

const examplesFor = ({ about, near = [] }: SentenceReading, say: OfflineMessages): string => {
  const name = about !== undefined && about.length <= MAX_NAME ? about : say.exampleName();
  const hints = [...new Set([...near, 'quote', 'chart', 'news'] as const)].slice(0, MAX_EXAMPLES);
  return hints.map((hint) => say.examples[hint]({ name })).join(', ');
};

const talkOf = (reading: SentenceReading, say: OfflineMessages): string => {
  if (reading.said !== undefined) return reading.said;
  const params = { examples: examplesFor(reading, say), words: reading.missed ?? '' };
  return say.talk[reading.talk ?? 'unknown'](params);
};

const hasPremium = (results: readonly Result[]): boolean =>
  results.some(({ facts = [] }) => facts.some(({ metric }) => metric === 'kimchiPremium'));

/** The results of the calls, with accompanying text and failures. */
const answerWith = (
  results: readonly Result[],
  reading: SentenceReading,
  say: OfflineMessages,
  isNoted: boolean,
): readonly string[] => [
  ...(reading.talk === undefined || (reading.talk === 'premium' && hasPremium(results))
    ? []
    : [talkOf(reading, say)]),
  ...results.map((result) => forPeople(result, say)),
  ...(reading.missed === undefined
    ? []
    : [say.missed({ words: reading.missed, examples: examplesFor(reading, say) })]),
  ...(isNoted ? [] : [say.note()]),
];

const respond = async (
  request: ProviderRequest,
  readSentence: ReadSentence,
  signal: AbortSignal,
): Promise<Iterable<StreamChunk>> => {
  const { words, locale, today, isAlone, isNoted, before, since } = questionIn(request.messages);
  const say = offlineTexts(locale);
  const reading = await readSentence({ text: words, locale, today, calls: callsIn(before) }, signal);
  const last = request.messages.findLast((message) => !isNote(message));
  const isOffered = (calls: readonly SentenceCall[]): boolean =>
    calls.every((call) => request.tools.some(({ name }) => name === call.tool));
  const canCall = (calls: readonly SentenceCall[]): boolean =>
    request.toolChoice === 'auto' && isOffered(calls);
  if (last?.role === 'tool') {
    const results = resultsIn(since);
    const isFirst = callsIn(since).every(({ tool }) => tool === 'get_quote');
    const more = reading.worth && isFirst ? worthCalls(reading.worth, results) : [];
    if (more.length > 0 && canCall(more)) return callTools(more);
    const isStandIn = request.model.model === OFFLINE_STAND_IN.id;
    return speak(answerWith(results, reading, say, isStandIn || isNoted).join('\n\n'));
  }
  const { calls } = reading;
  if (calls.length === 0) return speak(talkOf(reading, say));
  if (canCall(calls)) return callTools(calls);
  const isForOne = calls.some(({ tool }) => PERSONAL_TOOLS.has(tool)) && !isOffered(calls) && !isAlone;
  const unknown: SentenceReading = { ...reading, talk: 'unknown' };
  return speak(isForOne ? say.inDirect() : talkOf(unknown, say));
};

/** Words without which nobody speaks of own things: a cheap look before a message is read. */
const OWN_WORDS =
  /알림|알려|알람|브리핑|요약|관심|[워와]치|포트폴리오|포폴|보유|계좌|잔고|자산|원금|본전|평단|매입|벌|잃|손익|수익|평가|배당|세금|양도|내역|기록|취소|되돌|지워|삭제|빼|추가|넣|[샀산사]|[팔판]|매수|매도|\d\s?주|(?:내|나|제|우리)(?!\p{L}{2})|면(?!\p{L})|\b(?:i|i'[mvd]e?|me|my|mine|we|our|alerts?|notify|remind|ping|watch\w*|portfolio|positions?|holdings?|shares?|bought|sold|buy|sell|undo|delete|remove|add|track|follow|when|if|tax\w*|briefings?)\b/iu;

/** What else the rules do beside other models. */
export const offlineRules = (readSentence: ReadSentence): OfflineRules => ({
  standIn: OFFLINE_STAND_IN,
  isOwnCall: ({ id }) => id.startsWith(CALL_PREFIX),
  readLastWords: (messages, signal) => {
    const { words, locale, today, before } = questionIn(messages);
    return readSentence({ text: words, locale, today, calls: callsIn(before) }, signal);
  },
  speaksOfOwn: (messages) => OWN_WORDS.test(questionIn(messages).words),
  onlyMe: (locale) => {
    const say = offlineTexts(locale);
    return { label: say.openOnlyMe(), text: say.onlyMe() };
  },
});

/**
 * A model without a network, based on rules. It uses the same loop and tools as the others, and says what it
 * is.
 */
export const offline = ({ readSentence }: { readonly readSentence: ReadSentence }): ProviderAdapter => ({
  async *streamCompletion(request, signal) {
    for (const chunk of await respond(request, readSentence, signal)) {
      signal.throwIfAborted();
      yield chunk;
    }
  },
  chatCompletion: async (request, signal) => {
    signal.throwIfAborted();
    const builder = new AnswerBuilder();
    for (const chunk of await respond(request, readSentence, signal)) builder.feed(chunk);
    const blocks = builder.finish('end_turn')?.content ?? [];
    return {
      blocks,
      stopReason: blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
      usage: NO_USAGE,
    };
  },
  checkKey: async () => undefined,
  supportsModel: (modelId) => modelId === OFFLINE_MODEL.id || modelId === OFFLINE_STAND_IN.id,
  estimateTokens,
});
