import { onTestFinished } from 'vitest';
import type { ProviderAdapter, ProviderRequest } from '#src/agent/providers/adapter.ts';
import { anthropic } from '#src/agent/providers/anthropic.ts';
import { createHttpTransport } from '#src/platform/net/http-transport.ts';
import { openai } from '#src/agent/providers/openai.ts';
import type { FallbackReason } from '#src/agent/errors.ts';
import type { StopReason } from '#src/kernel/agent/model.ts';
import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { type AnthropicBlock, type AnthropicBody, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeExchange, FakeReply } from '#test/fakes/model-reply.ts';
import { type OpenAiBody, startFakeOpenAi } from '#test/fakes/openai/server.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { requestTo } from './request.ts';

export const IDLE_TIMEOUT_MS = 30_000;
export const KEY = 'sk-test-right';

/** What a request said, in words that are the same for every provider. */
export type Sent =
  | { readonly by: 'user' | 'assistant'; readonly text: string }
  | { readonly image: string }
  | { readonly call: string; readonly name: unknown; readonly input: unknown }
  | { readonly result: string; readonly content: unknown; readonly isError: boolean }
  | { readonly thinking: true };

export interface Running {
  readonly adapter: ProviderAdapter;
  /** The same with another key or address. */
  readonly adapterWith: (other: { readonly apiKey?: string; readonly baseUrl?: string }) => ProviderAdapter;
  /** At the provider's own address: for what is answered without a request. */
  readonly official: ProviderAdapter;
  readonly url: string;
  readonly clock: ManualClock;
  readonly reply: (...replies: readonly FakeReply[]) => void;
  readonly history: readonly Pick<
    FakeExchange<unknown>,
    'requestId' | 'apiKey' | 'body' | 'outcome' | 'problem' | 'usage' | 'wasAborted'
  >[];
  /** The conversation of the newest request, without the system prompt. */
  readonly sent: () => readonly Sent[];
}

/** One way to a model, with what is its own in it. */
export interface Subject {
  readonly name: string;
  readonly start: (options?: {
    readonly keys?: readonly string[];
    readonly contextWindow?: number;
  }) => Promise<Running>;
  readonly request: (special?: Partial<ProviderRequest>) => ProviderRequest;
  /** The same provider's, for which the first one's thoughts are worthless. */
  readonly requestToOther: (special?: Partial<ProviderRequest>) => ProviderRequest;
  /** Whether thoughts come as blocks and go back. */
  readonly thinks: boolean;
  /** Whether calls have the ids that the server gave them, or some of our own. */
  readonly keepsIds: boolean;
  /** Whether the pieces of parallel calls come in turn. */
  readonly interleaves: boolean;
  readonly stopReasons: readonly (readonly [raw: string, expected: StopReason])[];
  readonly streamErrors: readonly (readonly [type: string, expected: FallbackReason])[];
  /** At its own address. */
  readonly supported: readonly string[];
  readonly unsupported: readonly string[];
  readonly systemOf: (body: unknown) => unknown;
  readonly toolChoiceOf: (body: unknown) => unknown;
  readonly toolNamesOf: (body: unknown) => readonly unknown[];
  readonly maxTokensOf: (body: unknown) => unknown;
}

interface Fake {
  readonly url: string;
  readonly history: Running['history'];
  readonly reply: (...replies: readonly FakeReply[]) => void;
  readonly close: () => Promise<void>;
}

const running = (
  fake: Fake,
  make: (options: Parameters<typeof anthropic>[0]) => ProviderAdapter,
  read: (body: unknown) => readonly Sent[],
): Running => {
  onTestFinished(fake.close);
  const clock = new ManualClock();
  const transport = createHttpTransport();
  const at = (apiKey: string, baseUrl: string | undefined): ProviderAdapter =>
    make({ apiKey, baseUrl, idleTimeoutMs: IDLE_TIMEOUT_MS, clock, transport });
  const adapterWith: Running['adapterWith'] = ({ apiKey = KEY, baseUrl = fake.url }) => at(apiKey, baseUrl);
  return {
    adapter: adapterWith({}),
    adapterWith,
    official: at(KEY, undefined),
    url: fake.url,
    clock,
    reply: fake.reply,
    history: fake.history,
    sent: () => read(fake.history.at(-1)?.body),
  };
};

// What a body said. The fakes have checked its shape.

const ofAnthropic = (body: unknown): readonly Sent[] =>
  (body as AnthropicBody).messages.flatMap(({ role, content }) =>
    blocksOf(content).map((block: AnthropicBlock): Sent => {
      if (block.type === 'text') return { by: role, text: block.text };
      if (block.type === 'image') return { image: `${block.source.media_type};${block.source.data}` };
      if (block.type === 'tool_use') return { call: block.id, name: block.name, input: block.input };
      if (block.type === 'thinking') return { thinking: true };
      const { tool_use_id, content: words, is_error } = block;
      return { result: tool_use_id, content: words, isError: is_error ?? false };
    }),
  );

type Json = Readonly<Record<string, unknown>>;

const asList = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const imageIn = (url: unknown): Sent => ({ image: String(url).replace('data:', '').replace('base64,', '') });

const partsOf = (by: unknown, content: unknown): readonly Sent[] => {
  const side = by === 'assistant' ? 'assistant' : 'user';
  if (typeof content === 'string') return [{ by: side, text: content }];
  return asList(content).map((part): Sent => {
    if (part['type'] === 'input_image') return imageIn(part['image_url']);
    if (part['type'] === 'image_url') return imageIn((part['image_url'] as Json)['url']);
    return { by: side, text: String(part['text']) };
  });
};

const callIn = (id: unknown, of: Json): Sent => ({
  call: String(id),
  name: of['name'],
  input: JSON.parse(String(of['arguments'])) as unknown,
});

/** These APIs have no mark for an error: it is said in words. */
const resultIn = (id: unknown, content: unknown): Sent => ({
  result: String(id),
  content: String(content).replace(/^Error: /, ''),
  isError: String(content).startsWith('Error: '),
});

const ofResponses = (body: unknown): readonly Sent[] =>
  asList((body as OpenAiBody).input).flatMap((item) => {
    if (item['type'] === 'function_call') return [callIn(item['call_id'], item)];
    if (item['type'] === 'function_call_output') return [resultIn(item['call_id'], item['output'])];
    return item['type'] === 'reasoning' ? [{ thinking: true }] : partsOf(item['role'], item['content']);
  });

const ofChat = (body: unknown): readonly Sent[] =>
  asList((body as OpenAiBody).messages).flatMap((message): readonly Sent[] => {
    if (message['role'] === 'system') return [];
    if (message['role'] === 'tool') return [resultIn(message['tool_call_id'], message['content'])];
    const calls = asList(message['tool_calls']).map((call) => callIn(call['id'], call['function'] as Json));
    return [...partsOf(message['role'], message['content']), ...calls];
  });

const json = (body: unknown): Json => body as Json;

export const ANTHROPIC: Subject = {
  name: 'anthropic',
  start: async (options) => running(await startFakeAnthropic(options), anthropic, ofAnthropic),
  request: (special) => requestTo('anthropic', 'claude-sonnet-5-5', special),
  requestToOther: (special) => requestTo('anthropic', 'claude-haiku-5-5', special),
  thinks: true,
  keepsIds: true,
  interleaves: false,
  stopReasons: [
    ['end_turn', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['stop_sequence', 'stop_sequence'],
    ['pause_turn', 'pause_turn'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_overflow'],
    ['a_reason_of_next_year', 'end_turn'],
  ],
  streamErrors: [
    ['overloaded_error', 'server-error'],
    ['api_error', 'server-error'],
    ['timeout_error', 'timeout'],
    ['rate_limit_error', 'rate-limit'],
    ['authentication_error', 'auth'],
    ['permission_error', 'auth'],
    ['billing_error', 'billing'],
    ['not_found_error', 'model-unavailable'],
    ['request_too_large', 'context-overflow'],
    ['an_error_of_next_year', 'server-error'],
  ],
  supported: ['claude-opus-5-5', 'claude-haiku-5-5'],
  unsupported: ['gpt-6-luna', 'o3', 'llama-3', 'offline-rules', ''],
  systemOf: (body) => blocksOf((body as AnthropicBody).system ?? []).map((block) => json(block)['text'])[0],
  toolChoiceOf: (body) => (body as AnthropicBody).tool_choice?.type,
  toolNamesOf: (body) => ((body as AnthropicBody).tools ?? []).map(({ name }) => name),
  maxTokensOf: (body) => json(body)['max_tokens'],
};

const OPENAI_STREAM_ERRORS: Subject['streamErrors'] = [
  ['server_error', 'server-error'],
  ['server_is_overloaded', 'server-error'],
  ['rate_limit_exceeded', 'rate-limit'],
  ['insufficient_quota', 'billing'],
  ['invalid_api_key', 'auth'],
  ['model_not_found', 'model-unavailable'],
  ['context_length_exceeded', 'context-overflow'],
  ['an_error_of_next_year', 'server-error'],
];

export const RESPONSES: Subject = {
  name: 'openai (responses)',
  start: async (options) =>
    running(
      await startFakeOpenAi(options),
      (adapter) => openai({ ...adapter, api: 'responses' }),
      ofResponses,
    ),
  request: (special) => requestTo('openai', 'gpt-6.1-sol', special),
  requestToOther: (special) => requestTo('openai', 'gpt-6-luna', special),
  thinks: true,
  keepsIds: true,
  interleaves: true,
  stopReasons: [
    ['stop', 'end_turn'],
    ['max_output_tokens', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['refusal', 'refusal'],
    ['a_reason_of_next_year', 'end_turn'],
  ],
  streamErrors: [...OPENAI_STREAM_ERRORS, ['response.failed', 'server-error']],
  supported: ['gpt-6.1-sol', 'gpt-6-luna', 'o3', 'chatgpt-latest'],
  unsupported: ['claude-opus-5-5', 'llama-3', 'offline-rules', ''],
  systemOf: (body) => json(body)['instructions'],
  toolChoiceOf: (body) => json(body)['tool_choice'],
  toolNamesOf: (body) => asList(json(body)['tools']).map(({ name }) => name),
  maxTokensOf: (body) => json(body)['max_output_tokens'],
};

export const CHAT: Subject = {
  name: 'openai (chat)',
  start: async (options) =>
    running(await startFakeOpenAi(options), (adapter) => openai({ ...adapter, api: 'chat' }), ofChat),
  request: (special) => requestTo('openai', 'llama-3', special),
  requestToOther: (special) => requestTo('openai', 'mistral-small', special),
  thinks: false,
  keepsIds: false,
  interleaves: true,
  stopReasons: [
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['refusal', 'refusal'],
    ['function_call', 'tool_use'],
    ['a_reason_of_next_year', 'end_turn'],
  ],
  streamErrors: OPENAI_STREAM_ERRORS,
  supported: ['gpt-6-luna', 'o3'],
  unsupported: ['llama-3', 'qwen3:8b', 'claude-opus-5-5', ''],
  systemOf: (body) => asList(json(body)['messages']).find(({ role }) => role === 'system')?.['content'],
  toolChoiceOf: (body) => json(body)['tool_choice'],
  toolNamesOf: (body) =>
    asList(json(body)['tools']).map((tool) => (tool['function'] as Json | undefined)?.['name']),
  maxTokensOf: (body) => json(body)['max_tokens'],
};
