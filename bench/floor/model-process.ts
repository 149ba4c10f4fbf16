import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sharedNowMs, TAGS } from './load.ts';

/**
 * A model in a process of its own that answers after MODEL_MS. It checks nothing, unlike the fake of the tests: it must
 * not be what the bots wait for.
 */
const MODEL_MS = Number(process.env['MODEL_MS'] ?? 20);
/** If set, the answer is streamed: its pieces come so far apart, the first one after MODEL_MS, with the tags in it. */
const PIECE_MS = Number(process.env['PIECE_MS'] ?? 0);
const ANSWER =
  'A limit order names the worst price that you accept; it is filled there or better, or not at all. ' +
  'A market order is filled at once, at whatever price is there.';
const USAGE = {
  input_tokens: 900,
  output_tokens: 40,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

const MODEL = 'claude-sonnet-5';
let calls = 0;
/** When the model was first asked about the question with this tag. */
const firstAskedMs = new Map<string, number>();
/** When it wrote the first words of a streamed answer. */
const firstWordsMs = new Map<string, number>();

/**
 * A question for a price is a call of `get_quote`; its result is quoted, for a number needs a source. The tags of the
 * questions are repeated in the answer. A call has them in its id, so they come back with its result.
 */
const blockFor = (last: string, tags: string): Block => {
  if (last.includes('"tool_result"')) {
    const price = /\d+\.\d\d/.exec(last.slice(last.indexOf('"tool_result"')))?.[0];
    return { type: 'text', text: `Apple was last at ${price} USD. (${tags})` };
  }
  if (!last.includes('price of Apple')) return { type: 'text', text: `${ANSWER} (${tags})` };
  calls += 1;
  const id = `toolu-${tags.replaceAll(' ', '-')}-${calls}`;
  return { type: 'tool_use', id, name: 'get_quote', input: { symbols: ['AAPL'] } };
};

const piecesOf = (text: string): readonly string[] => text.match(/.{1,24}/gs) ?? [];

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

const eventsOf = (block: Block, message: object, stop: object): readonly Event[] => {
  const deltas =
    block.type === 'text'
      ? piecesOf(block.text).map((text) => ({ type: 'text_delta', text }))
      : piecesOf(JSON.stringify(block.input)).map((json) => ({
          type: 'input_json_delta',
          partial_json: json,
        }));
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: empty },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage: USAGE },
    { type: 'message_stop' },
  ];
};

/** Looks at the last message of the person only: parsing 60 kB of tools and history takes longer than answering. */
const answer = (body: Buffer, askedAtMs: number): { readonly type: string; readonly text: string } => {
  const last = body.toString('utf8', body.lastIndexOf('"role":"user"'));
  const tags = [...new Set(last.match(TAGS))];
  for (const tag of tags) if (!firstAskedMs.has(tag)) firstAskedMs.set(tag, askedAtMs);
  const block = blockFor(last, tags.join(' '));
  const stop = { stop_reason: block.type === 'text' ? 'end_turn' : 'tool_use', stop_sequence: null };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, usage: USAGE };
  if (!last.includes('"stream":true'))
    return { type: 'application/json', text: JSON.stringify({ ...message, ...stop, content: [block] }) };
  const events = eventsOf(block, message, stop);
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return { type: 'text/event-stream; charset=utf-8', text };
};

const write = (response: ServerResponse, events: readonly Event[]): void => {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  response.write(text);
};

/** Writes an answer piece by piece, as a model does. */
const stream = async (body: Buffer, response: ServerResponse): Promise<void> => {
  const last = body.toString('utf8', body.lastIndexOf('"role":"user"'));
  const tags = [...new Set(last.match(TAGS))];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: MODEL, usage: USAGE };
  const block: Block = { type: 'text', text: `${tags.join(' ')}: ${ANSWER} ${ANSWER}` };
  const events = eventsOf(block, message, { stop_reason: 'end_turn', stop_sequence: null });
  const begins = events.findIndex(({ type }) => type === 'content_block_delta');
  const ends = events.findIndex(({ type }) => type === 'content_block_stop');
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_1' });
  write(response, events.slice(0, begins));
  await setTimeout(MODEL_MS);
  for (const tag of tags) firstWordsMs.set(tag, sharedNowMs());
  for (const event of events.slice(begins, ends)) {
    write(response, [event]);
    await setTimeout(PIECE_MS);
  }
  write(response, events.slice(ends));
  response.end();
};

const server = createServer((request, response) => {
  const askedAtMs = sharedNowMs();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (PIECE_MS > 0 && request.method === 'POST' && body.includes('"stream":true')) {
      void stream(body, response);
      return;
    }
    void setTimeout(MODEL_MS).then(() => {
      if (request.method !== 'POST') return response.writeHead(404).end('{}');
      const { type, text } = answer(body, askedAtMs);
      return response.writeHead(200, { 'content-type': type, 'request-id': 'req_1' }).end(text);
    });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('disconnect', () => process.exit(0));
// Whoever asks gets the times since they last asked.
process.on('message', (what) => {
  const times = what === 'words' ? firstWordsMs : firstAskedMs;
  process.send?.([...times]);
  times.clear();
});
