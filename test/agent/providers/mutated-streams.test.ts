import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { AnswerBuilder } from '#src/agent/loop/answer-builder.ts';
import { AnthropicEventReader } from '#src/agent/providers/anthropic.ts';
import { type EventReader, streamChunks } from '#src/agent/providers/chunk-stream.ts';
import { ChatEventReader } from '#src/agent/providers/openai-chat.ts';
import { ResponsesEventReader } from '#src/agent/providers/openai-responses.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { never } from './request.ts';

interface Api {
  readonly name: string;
  readonly reader: () => EventReader;
  readonly recording: string;
  readonly text: string;
  /** Events that nobody knows yet, or that say nothing. */
  readonly strange: readonly string[];
  /** An event that ends the answer with an error. */
  readonly error: string;
}

const recordingOf = (name: string): string =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');

const data = (event: unknown): string => `data: ${JSON.stringify(event)}`;
const PINGS = [
  ': keep-alive',
  ': OPENROUTER PROCESSING',
  'event: ping\ndata: {"type":"ping"}',
  'id: 7\nretry: 10',
];

const APIS: readonly Api[] = [
  {
    name: 'Anthropic',
    reader: () => new AnthropicEventReader('heron-opus'),
    recording: recordingOf('anthropic/one-line-end.sse'),
    text: 'One line end is enough.',
    strange: [
      data({ type: 'hologram_start', index: 7, hologram: {} }),
      data({ type: 'content_block_start', index: 8, content_block: { type: 'hologram', lines: 3 } }),
      data({ type: 'content_block_delta', index: 8, delta: { type: 'hologram_delta', lines: [1] } }),
      data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: { value: 'odd' } } }),
      data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } }),
      data({ type: 'content_block_stop', index: 8 }),
    ],
    error: data({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  },
  {
    name: 'the Responses API',
    reader: () => new ResponsesEventReader('heron-large'),
    recording: recordingOf('openai/responses-mark.sse'),
    text: 'A mark follows the answer.',
    strange: [
      data({ type: 'response.hologram.delta', delta: 'odd' }),
      data({ type: 'response.output_item.added', output_index: 7, item: { type: 'hologram', id: 'h' } }),
      data({ type: 'response.output_text.delta', item_id: 'msg_heron_1', delta: { value: 'odd' } }),
      data({ type: 'response.output_text.delta', item_id: 'msg_heron_1', delta: null }),
      data({ type: 'response.output_item.done', output_index: 7, item: { type: 'hologram', id: 'h' } }),
    ],
    error: data({ type: 'error', code: 'server_error', message: 'Broken', param: null }),
  },
  {
    name: 'chat completions',
    reader: () => new ChatEventReader(),
    recording: recordingOf('openai/chat-parts.sse'),
    text: 'Good evening, heron.',
    strange: [
      data({ id: 'x', object: 'keepalive' }),
      data({ choices: [] }),
      data({ choices: [{ index: 0, delta: { content: [{ type: 'hologram', lines: 3 }, 7, null] } }] }),
      data({ choices: [{ index: 0, delta: { content: { value: 'odd' }, audio: { data: 'odd' } } }] }),
      data({ choices: [{ index: 0, delta: null }] }),
    ],
    error: data({ error: { message: 'Broken', code: 502 } }),
  },
];

interface Outcome {
  readonly text: string;
  readonly isWhole: boolean;
  readonly error: unknown;
}

const hearBody = async (reader: EventReader, pieces: readonly Uint8Array[]): Promise<Outcome> => {
  const body = Object.assign(Readable.from(pieces), { headers: {}, complete: true });
  const source = {
    open: async () => body as unknown as IncomingMessage,
    reader,
    explain: (error: unknown) => error,
    idleTimeoutMs: 30_000,
    clock: new ManualClock(),
  };
  const chunks: StreamChunk[] = [];
  const builder = new AnswerBuilder();
  let error: unknown;
  try {
    for await (const chunk of streamChunks(source, never())) {
      chunks.push(chunk);
      builder.feed(chunk);
    }
  } catch (thrown) {
    error = thrown;
  }
  return {
    text: chunks.map((chunk) => (chunk.type === 'text_delta' ? chunk.text : '')).join(''),
    isWhole: chunks.at(-1)?.type === 'done',
    error,
  };
};

const bytesOf = (text: string): Buffer => Buffer.from(text);
const eventsOf = ({ recording }: Api): readonly string[] => recording.trimEnd().split('\n\n');
/** Something between all events, and before the first one. */
const between = (api: Api, something: readonly string[]): string =>
  eventsOf(api)
    .map((event, index) => `${something[index % something.length] ?? ''}\n\n${event}`)
    .join('\n\n');

/** All of it, or a part that is known to be one; nothing but what the model said, and no error but our own. */
const expectSound = ({ text, isWhole, error }: Outcome, api: Api, what: string): void => {
  expect(api.text.startsWith(text), `${what}: ${text}`).toBe(true);
  if (isWhole) expect(text, what).toBe(api.text);
  if (error !== undefined) expect(error, what).toBeInstanceOf(FinClawError);
  expect(isWhole && error !== undefined, what).toBe(false);
};

describe.each(APIS)('a stream of $name', (api) => {
  it.each([
    ['as it was recorded', api.recording],
    ['with CRLF', api.recording.replaceAll('\n', '\r\n')],
    ['with lone carriage returns', api.recording.replaceAll('\n', '\r')],
    ['with a byte order mark', `\uFEFF${api.recording}`],
    ['with pings everywhere', between(api, PINGS)],
    ['with unknown events and blocks everywhere', between(api, api.strange)],
    ['with all of it', `\uFEFF${between(api, [...PINGS, ...api.strange]).replaceAll('\n', '\r\n')}`],
    ['with a second one behind it', `${api.recording}\n\n${api.recording}`],
    ['with an error behind it', `${api.recording}\n\n${api.error}\n\n`],
  ])('is read whole %s', async (_what, body) => {
    const whole = { text: api.text, isWhole: true, error: undefined };
    expect(await hearBody(api.reader(), [bytesOf(body)])).toEqual(whole);
    const perByte = Array.from(bytesOf(body), (byte) => Uint8Array.of(byte));
    expect(await hearBody(api.reader(), perByte)).toEqual(whole);
  });

  it('is read whole or known to be cut off, wherever it ends', async () => {
    const bytes = bytesOf(api.recording);
    for (let end = 0; end <= bytes.length; end += 1)
      expectSound(await hearBody(api.reader(), [bytes.subarray(0, end)]), api, `cut at ${end}`);
  });

  it('is read up to an error in the middle, wherever it comes', async () => {
    const events = eventsOf(api);
    for (const index of events.keys()) {
      const body = events.toSpliced(index, 0, api.error).join('\n\n');
      expectSound(await hearBody(api.reader(), [bytesOf(`${body}\n\n`)]), api, `error before ${index}`);
    }
  });

  it('shows nothing but the words of the model, whatever the fields of one event hold', async () => {
    const odd = fc.constantFrom<unknown>(null, 7, true, '', [], {}, { value: 'odd' }, [
      null,
      { type: 'odd' },
    ]);
    const events = eventsOf(api);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), odd, async (which, where, value) => {
        const at = which % events.length;
        const [event = ''] = events.slice(at, at + 1);
        const json = event.slice(event.indexOf('data:') + 5);
        if (!json.includes('{')) return;
        let seen = 0;
        const count = [...json.matchAll(/":/g)].length;
        const changed = JSON.stringify(
          JSON.parse(json, (_key, now: unknown) => (seen++ === where % count ? value : now)),
        );
        const body = events.with(at, `data: ${changed}`).join('\n\n');
        const { text, error } = await hearBody(api.reader(), [bytesOf(`${body}\n\n`)]);
        expect(text, changed).not.toMatch(/\[object|undefined|null|NaN|odd|7|true/);
        if (error !== undefined) expect(error, changed).toBeInstanceOf(FinClawError);
      }),
      { numRuns: 400 },
    );
  });
});
