import type { SymbolSearch } from '#src/core/finance.ts';
import { detectLocale, type Locale, texts } from '#src/core/i18n.ts';
import type { ConversationMessage, ModelRef, StreamChunk } from '#src/core/model.ts';
import { newErrorId } from '#src/infra/ids.ts';
import type { ProviderAdapter, ProviderRequest } from './adapter.ts';
import { readIntent } from './offline-intents.ts';

export const OFFLINE_MODEL: ModelRef = {
  provider: 'offline',
  model: 'offline-rules',
  contextWindow: 32_000,
  maxOutputTokens: 4_000,
};

interface OfflineDeps {
  /** What is a name in a sentence; the tool looks it up again. */
  readonly symbols: SymbolSearch;
}

const QUOTE_TOOL = 'get_quote';

/** The person's own words; the block behind them is the program's context. */
const questionIn = (messages: readonly ConversationMessage[]) => {
  const user = messages.findLast((message) => message.role === 'user');
  const [words = '', context = ''] = (user?.content ?? []).flatMap((block) =>
    block.type === 'text' ? [block.text] : [],
  );
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

const respond = (request: ProviderRequest, symbols: SymbolSearch): Iterable<StreamChunk> => {
  const { words, locale } = questionIn(request.messages);
  const say = texts(locale);
  const last = request.messages.at(-1);
  if (last?.role === 'tool') {
    const results = last.content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : []));
    return speak([...results, say.offlineNote()].join('\n\n'));
  }
  const intent = readIntent(words, symbols);
  if (intent.kind === 'quote') {
    const canQuote = request.tools.some((tool) => tool.name === QUOTE_TOOL);
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
  providerId: OFFLINE_MODEL.provider,
  async *streamCompletion(request, signal) {
    for (const chunk of respond(request, symbols)) {
      if (signal.aborted) return;
      yield chunk;
    }
  },
});
