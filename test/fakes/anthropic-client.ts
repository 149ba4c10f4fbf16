import { Anthropic, APIError } from '@anthropic-ai/sdk';
import type {
  MessageCreateParamsNonStreaming,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import { onTestFinished } from 'vitest';
import { type FakeAnthropic, type FakeAnthropicOptions, startFakeAnthropic } from './anthropic/server.ts';

export const MODEL = 'claude-sonnet-5-5';

/** The smallest request there is. */
export const ask = (text = 'Hi'): MessageCreateParamsNonStreaming => ({
  model: MODEL,
  max_tokens: 2_048,
  messages: [{ role: 'user', content: text }],
});

export const clientOf = (fake: FakeAnthropic, apiKey = 'key-1'): Anthropic =>
  new Anthropic({ apiKey, baseURL: fake.url, maxRetries: 0, logLevel: 'off' });

/** A fake and the real client on it; it is closed with the test. */
export const setUp = async (options?: FakeAnthropicOptions) => {
  const fake = await startFakeAnthropic(options);
  onTestFinished(fake.close);
  const client = clientOf(fake);

  /** Everything the stream gives until it ends or throws. */
  const stream = async (
    params: MessageCreateParamsNonStreaming = ask(),
    signal?: AbortSignal,
  ): Promise<{ readonly events: readonly RawMessageStreamEvent[]; readonly error: unknown }> => {
    const events: RawMessageStreamEvent[] = [];
    try {
      for await (const event of await client.messages.create(
        { ...params, stream: true },
        signal && { signal },
      )) {
        events.push(event);
      }
      return { events, error: undefined };
    } catch (error) {
      return { events, error };
    }
  };

  /** What the client throws for this request, whatever its shape. */
  const failure = async (params: object): Promise<APIError> => {
    const error: unknown = await client.messages
      .create(params as MessageCreateParamsNonStreaming)
      .then(() => new Error('it was accepted'))
      .catch((thrown: unknown) => thrown);
    if (error instanceof APIError) return error;
    throw error;
  };

  return { fake, client, stream, failure };
};

/** The text, thoughts or arguments of a stream, put together. */
export const joined = (events: readonly RawMessageStreamEvent[]): string =>
  events
    .map((event) => {
      if (event.type !== 'content_block_delta') return '';
      const { delta } = event;
      if (delta.type === 'text_delta') return delta.text;
      if (delta.type === 'thinking_delta') return delta.thinking;
      return delta.type === 'input_json_delta' ? delta.partial_json : '';
    })
    .join('');

export const hasEnded = (events: readonly RawMessageStreamEvent[]): boolean =>
  events.at(-1)?.type === 'message_stop';
