import type { SymbolSearch } from '#src/core/finance.ts';
import { detectLocale, type Locale, texts } from '#src/core/i18n.ts';
import { type ConversationMessage, NO_USAGE, type StreamChunk } from '#src/core/model.ts';
import { newErrorId } from '#src/infra/ids.ts';
import { AnswerBuilder } from '../execution/answer-builder.ts';
import { estimateTokens } from '../execution/tokens.ts';
import type { ModelEntry } from '../models/catalog.ts';
import { normalizeUsage } from '../models/provider-normalize.ts';
import type { ProviderAdapter, ProviderRequest } from './adapter.ts';
import { readIntent } from './offline-intents.ts';

/** What answers where no key is set. It costs nothing, and it knows nothing of pictures or sums. */
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
  /** What is a name in a sentence; the tool looks it up again. */
  readonly symbols: SymbolSearch;
}

const QUOTE_TOOL = 'get_quote';

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
  return { words, locale: context === '' ? detectLocale(words, undefined, 'auto') : told };
};

function* speak(text: string): Generator<StreamChunk> {
  for (const piece of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) yield { type: 'text_delta', text: piece };
  yield { type: 'done', stopReason: 'end_turn' };
}

function* callQuoteTool(names: readonly string[]): Generator<StreamChunk> {
  const id = `offline_${newErrorId()}`;
  yield { type: 'tool_use_start', id, name: QUOTE_TOOL };
  yield { type: 'tool_input_delta', id, delta: JSON.stringify({ symbols: names }) };
  yield { type: 'tool_use_end', id };
  yield { type: 'done', stopReason: 'tool_use' };
}

/** What the registry says about a call that was not made is meant for a model, and in English. */
const FOR_MODELS = /^(?:The tool |Not done: |Not run: |Invalid input |There is no tool )/;

const respond = (request: ProviderRequest, symbols: SymbolSearch): Iterable<StreamChunk> => {
  const { words, locale } = questionIn(request.messages);
  const say = texts(locale);
  const last = request.messages.findLast((message) => !isNote(message));
  if (last?.role === 'tool') {
    const results = last.content.flatMap((block) =>
      block.type === 'tool_result'
        ? [FOR_MODELS.test(block.content) ? say.offlineFailed() : block.content]
        : [],
    );
    return speak([...results, say.offlineNote()].join('\n\n'));
  }
  const intent = readIntent(words, symbols);
  if (intent.kind === 'quote') {
    const canQuote = request.toolChoice === 'auto' && request.tools.some((tool) => tool.name === QUOTE_TOOL);
    return canQuote ? callQuoteTool(intent.names) : speak(say.offlineCannot());
  }
  const answers = {
    greeting: say.offlineGreeting,
    thanks: say.offlineThanks,
    which: say.offlineAskWhich,
    unknown: say.offlineCannot,
  };
  return speak(answers[intent.kind]());
};

/**
 * A model without a network: rules instead of weights. It goes through the same loop and calls the same
 * tools as the others, and it says what it is.
 */
export const offline = ({ symbols }: OfflineDeps): ProviderAdapter => ({
  providerId: 'offline',
  async *streamCompletion(request, signal) {
    for (const chunk of respond(request, symbols)) {
      signal.throwIfAborted();
      yield chunk;
    }
  },
  chatCompletion: async (request, signal) => {
    signal.throwIfAborted();
    const builder = new AnswerBuilder();
    for (const chunk of respond(request, symbols)) builder.feed(chunk);
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
