import { detectLocale, type Locale, texts } from '#src/core/i18n.ts';
import type { offlineEn } from '#src/core/i18n/offline.ts';
import { type ConversationMessage, NO_USAGE, type StreamChunk } from '#src/core/model.ts';
import type { ReadSentence, SentenceCall } from '#src/core/sentence.ts';
import { newErrorId } from '#src/infra/ids.ts';
import { AnswerBuilder } from '../execution/answer-builder.ts';
import { estimateTokens } from '../execution/tokens.ts';
import type { ModelEntry } from '../models/catalog.ts';
import { normalizeUsage } from '../models/provider-normalize.ts';
import type { ProviderAdapter, ProviderRequest } from './adapter.ts';

/** What answers where no key is set. It costs nothing, and it sees no pictures. */
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
    jsonMode: false,
    extendedThinking: false,
    numericalReasoningTier: 'low',
  },
  pricing: null,
  aliases: ['offline'],
  deprecated: false,
  asOf: '2026-11-14',
};

interface OfflineDeps {
  /** Understands what a person wrote. */
  readonly readSentence: ReadSentence;
}

/** Words of the program alone, such as that the limit of steps is reached. */
const isNote = ({ role, content: [first] }: ConversationMessage): boolean =>
  role === 'user' && first?.type === 'text' && first.text.startsWith('<context>');

/** The person's own words; the block behind them is the program's context. */
const questionIn = (messages: readonly ConversationMessage[]) => {
  const user = messages.findLast((message) => message.role === 'user' && !isNote(message));
  const [words = '', ...others] = (user?.content ?? []).flatMap((block) =>
    block.type === 'text' ? [block.text] : [],
  );
  const context = others.at(-1) ?? '';
  const told: Locale = /^language: ko$/m.test(context) ? 'ko' : 'en';
  const date = /^time: (\d{4}-\d{2}-\d{2})T/m.exec(context)?.[1];
  return {
    words,
    locale: context === '' ? detectLocale(words, undefined, 'auto') : told,
    today: date === undefined ? undefined : Temporal.PlainDate.from(date),
    // Only where several people talk the model is told who does.
    isAlone: context !== '' && !/^written by: /m.test(context),
  };
};

function* speak(text: string): Generator<StreamChunk> {
  for (const piece of text.match(/[^\n]+\n?|\n/g) ?? []) yield { type: 'text_delta', text: piece };
  yield { type: 'done', stopReason: 'end_turn' };
}

function* callTools(calls: readonly SentenceCall[]): Generator<StreamChunk> {
  for (const { tool, input } of calls) {
    const id = `offline_${newErrorId()}`;
    yield { type: 'tool_use_start', id, name: tool };
    yield { type: 'tool_input_delta', id, delta: JSON.stringify(input) };
    yield { type: 'tool_use_end', id };
  }
  yield { type: 'done', stopReason: 'tool_use' };
}

/** They are not offered where others read along. */
const PERSONAL_TOOLS: ReadonlySet<string> = new Set([
  'analyze_portfolio',
  'get_portfolio',
  'list_alerts',
  'manage_watchlist',
  'record_transaction',
  'remove_alert',
  'set_alert',
  'set_briefing',
  'undo_transaction',
]);

/** What the registry says about a call that was not made is meant for a model, and in English. */
const REFUSED = /^Not done: /;
/** Cut off in the middle by the end of the program. */
const BEGUN = /^Not done: it had begun /;
const FOR_MODELS = /^(?:The tool |Not run: |Invalid input |There is no tool )/;
/** A model has to be told of the picture; a person sees it. */
const PICTURE_NOTE = '\n\n[The picture is attached to your answer;';
const withoutPictureNote = (content: string): string => {
  const at = content.indexOf(PICTURE_NOTE);
  return at >= 0 && content.endsWith(']') ? content.slice(0, at) : content;
};
/** A model is told that strangers wrote it; a person reads the headlines as the command shows them. */
const FENCED = /^[^\n]*\n<untrusted source="tool">\n([\s\S]*)\n<\/untrusted>$/;

const forPeople = (content: string, say: typeof offlineEn): string => {
  if (BEGUN.test(content)) return say.maybeDone();
  if (REFUSED.test(content)) return say.notDone();
  return FOR_MODELS.test(content) ? say.failed() : withoutPictureNote(content.replace(FENCED, '$1'));
};

const callsIn = (messages: readonly ConversationMessage[]): readonly SentenceCall[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_use' ? [{ tool: block.name, input: Object(block.input) }] : [],
    ),
  );

const respond = async (
  request: ProviderRequest,
  readSentence: ReadSentence,
  signal: AbortSignal,
): Promise<Iterable<StreamChunk>> => {
  const { words, locale, today, isAlone } = questionIn(request.messages);
  const say = texts(locale).offline;
  const last = request.messages.findLast((message) => !isNote(message));
  if (last?.role === 'tool') {
    const results = last.content.flatMap((block) =>
      block.type === 'tool_result' ? [forPeople(block.content, say)] : [],
    );
    return speak([...results, say.note()].join('\n\n'));
  }
  const { calls, talk = 'unknown' } = await readSentence(
    { text: words, locale, today, calls: callsIn(request.messages) },
    signal,
  );
  if (calls.length > 0) {
    const isOffered = calls.every((call) => request.tools.some(({ name }) => name === call.tool));
    if (isOffered && request.toolChoice === 'auto') return callTools(calls);
    const isForOne = calls.some(({ tool }) => PERSONAL_TOOLS.has(tool)) && !isOffered && !isAlone;
    return speak(isForOne ? say.inDirect() : say.cannot());
  }
  const answers = {
    greeting: say.greeting,
    thanks: say.thanks,
    which: say.askWhich,
    advice: say.noAdvice,
    trade: say.howToRecord,
    alert: say.howToAlert,
    when: say.askTime,
    now: say.briefingNow,
    unknown: say.cannot,
  };
  return speak(answers[talk]());
};

/**
 * A model without a network: rules instead of weights. It goes through the same loop and calls the same
 * tools as the others, and it says what it is.
 */
export const offline = ({ readSentence }: OfflineDeps): ProviderAdapter => ({
  providerId: 'offline',
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
      content: builder.text,
      blocks,
      stopReason: blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
      usage: normalizeUsage(NO_USAGE, null),
      modelId: OFFLINE_MODEL.id,
      provider: 'offline',
      raw: undefined,
    };
  },
  checkKey: async () => undefined,
  supportsModel: (modelId) => modelId === OFFLINE_MODEL.id,
  estimateTokens,
});
