import { describe, expect, it } from 'vitest';
import { FailoverError, type FallbackReason } from '#src/agent/errors.ts';
import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import type { StreamChunk } from '#src/kernel/agent/model.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { freePort } from '#test/support/database.ts';
import { IDLE_TIMEOUT_MS, type Running, type Subject } from './contract.ts';
import { failureOf, hear, never, until, user } from './request.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';

const STATUSES: readonly (readonly [number, FallbackReason])[] = [
  [401, 'auth'],
  [402, 'billing'],
  [403, 'auth'],
  [404, 'model-unavailable'],
  [408, 'timeout'],
  [409, 'server-error'],
  [413, 'context-overflow'],
  [429, 'rate-limit'],
  [500, 'server-error'],
  [502, 'server-error'],
  [503, 'server-error'],
  [529, 'server-error'],
];

/** An answer in one piece may take longer before it brings anything. */
const WHOLE_TIMEOUT_MS = 4 * IDLE_TIMEOUT_MS;

const failover = (reason: FallbackReason): unknown =>
  expect.objectContaining({ constructor: FailoverError, fallbackReason: reason });

/** Says these words, and goes on when it may. */
const holds = (until: Promise<void>, words: string, next: FakeReply): FakeReply =>
  // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
  ({ kind: 'hold', until, answer: { text: words }, then: next });

const describeStatuses = (subject: Subject): void => {
  const { start, request } = subject;

  it.each(STATUSES)('takes HTTP %d for %s, and asks once', async (status, reason) => {
    const { adapter, reply, history } = await start();
    reply({ kind: 'status', status }, { kind: 'status', status });
    expect((await hear(adapter, request())).error).toEqual(failover(reason));
    expect(history).toHaveLength(1);
    const error = await failureOf(adapter.chatCompletion(request(), never()));
    expect(error).toEqual(failover(reason));
    expect(error).toMatchObject({ statusCode: status, details: { status } });
    // An error of an SDK holds the words of the provider.
    expect(error).not.toHaveProperty('cause');
    expect(history).toHaveLength(2);
  });

  it('says how long the provider asked to wait', async () => {
    const { adapter, reply } = await start();
    reply({ kind: 'status', status: 429, retryAfterSeconds: 7 }, { kind: 'status', status: 429 });
    expect((await hear(adapter, request())).error).toMatchObject({ retryAfterMs: 7_000 });
    expect((await hear(adapter, request())).error).toMatchObject({ retryAfterMs: undefined });
  });

  it('gives up on a request that the provider finds wrong, and asks once', async () => {
    const { adapter, reply, history } = await start();
    reply({ kind: 'status', status: 400, message: 'bad thing' }, { kind: 'status', status: 422 });
    const { error } = await hear(adapter, request());
    expect(error).toBeInstanceOf(FinClawError);
    expect(error).toMatchObject({ code: 'PROVIDER_REFUSED', statusCode: 400 });
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /: the request was refused \(HTTP 400, invalid_request_error, request req_\w+\)$/,
      ),
    });
    expect(await failureOf(adapter.chatCompletion(request(), never()))).toMatchObject({
      code: 'PROVIDER_REFUSED',
      statusCode: 422,
    });
    expect(history).toHaveLength(2);
  });

  it('takes no bug of ours for a fault of the provider', async () => {
    const { adapter, history } = await start();
    const broken = request({ messages: [{ role: 'user', content: [undefined as never] }] });
    expect((await hear(adapter, broken)).error).not.toBeInstanceOf(FailoverError);
    expect(await failureOf(adapter.chatCompletion(broken, never()))).not.toBeInstanceOf(FailoverError);
    expect(history).toEqual([]);
  });

  it('recognises a conversation that does not fit', async () => {
    const { adapter, history } = await start({ contextWindow: 500 });
    const messages = [user('very long '.repeat(1_000))];
    expect((await hear(adapter, request({ messages }))).error).toEqual(failover('context-overflow'));
    expect(await failureOf(adapter.chatCompletion(request({ messages }), never()))).toEqual(
      failover('context-overflow'),
    );
    expect(history).toHaveLength(2);
  });
};

/** The next piece of words, whatever comes before it. */
const nextText = async (stream: AsyncIterator<StreamChunk>): Promise<string> => {
  for (let step = await stream.next(); step.done !== true; step = await stream.next()) {
    if (step.value.type === 'text_delta') return step.value.text;
  }
  throw new Error('The stream has ended');
};

const open = ({ adapter }: Running, subject: Subject, signal = never()): AsyncIterator<StreamChunk> =>
  adapter.streamCompletion(subject.request(), signal)[Symbol.asyncIterator]();

const describeStreams = (subject: Subject): void => {
  const { start, request } = subject;

  it.each(subject.streamErrors)('takes the error %s inside the stream for %s', async (type, reason) => {
    const { adapter, reply, history } = await start();
    reply({ kind: 'stream-error', type, answer: { text: 'So far' } });
    const heard = await hear(adapter, request());
    expect(heard.error).toEqual(failover(reason));
    // It came in the same read as the error, and its tokens were spent.
    expect(heard).toMatchObject({ text: 'So far', stopReason: undefined });
    expect(history).toHaveLength(1);
  });

  it('keeps what came before the error inside the stream', async () => {
    const running = await start();
    const gate = Promise.withResolvers<void>();
    const [type, reason] = subject.streamErrors[0] ?? ['', 'server-error'];
    running.reply(holds(gate.promise, 'So far', { kind: 'stream-error', type }));
    const stream = open(running, subject);
    expect(await nextText(stream)).toBe('So far');
    gate.resolve();
    expect(await failureOf(nextText(stream))).toEqual(failover(reason));
    expect(running.clock.pendingTimers).toBe(0);
  });

  it('has no done where the stream was cut, be it between two blocks', async () => {
    const { adapter, reply } = await start();
    reply({ kind: 'cut', answer: { text: 'So far', toolCalls: [{ name: 'get_price' }] } }, { kind: 'cut' });
    const heard = await hear(adapter, request());
    expect(heard).toMatchObject({ error: undefined, text: 'So far', stopReason: undefined });
    expect(await hear(adapter, request())).toMatchObject({ error: undefined, stopReason: undefined });
  });

  it('takes a broken connection for a server error, keeping what came', async () => {
    const { adapter, reply, history } = await start();
    reply({ kind: 'reset' }, { kind: 'reset', answer: { text: 'So far' } });
    expect((await hear(adapter, request())).error).toEqual(failover('server-error'));
    const heard = await hear(adapter, request());
    expect(heard.error).toEqual(failover('server-error'));
    expect(heard.text).toBe('So far');
    expect(history).toHaveLength(2);
  });

  it('takes a whole answer that breaks off for a server error', async () => {
    const { adapter, reply } = await start();
    const answer = { text: 'So far' };
    reply({ kind: 'reset' }, { kind: 'reset', answer }, { kind: 'cut', answer });
    for (let round = 0; round < 3; round += 1) {
      expect(await failureOf(adapter.chatCompletion(request(), never()))).toEqual(failover('server-error'));
    }
  });

  it('takes an address where nobody listens for a server error', async () => {
    const { adapterWith } = await start();
    const adapter = adapterWith({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    expect((await hear(adapter, request())).error).toEqual(failover('server-error'));
  });

  it('takes garbage in the stream for a server error, keeping what came before', async () => {
    const { adapterWith, url, reply } = await start();
    const adapter = adapterWith({
      baseUrl: await startRewritingProxy(url, {
        pieces: (body) => {
          const events = body.toString().split('\n\n');
          return [...events.slice(0, -4), 'data: {"type": nonsense', ...events.slice(-4)].map(
            (e) => `${e}\n\n`,
          );
        },
      }),
    });
    reply({ kind: 'answer', text: 'So far' });
    const heard = await hear(adapter, request());
    expect(heard.error).toEqual(failover('server-error'));
    expect(heard.stopReason).toBeUndefined();
    expect(heard.text).not.toBe('');
  });

  it('has no done where a web page came instead of a stream', async () => {
    const { adapterWith, url } = await start();
    const page = {
      contentType: 'text/html',
      pieces: () => ['<html>\n\n<body>Log in first</body>\n\n</html>'],
    };
    const adapter = adapterWith({ baseUrl: await startRewritingProxy(url, page) });
    expect(await hear(adapter, request())).toMatchObject({ error: undefined, chunks: [] });
    // Each SDK stumbles in its own place.
    const whole = failureOf(adapter.chatCompletion(request(), never()));
    expect(await whole).toBeInstanceOf(FinClawError);
  });
};

const describeSilence = (subject: Subject): void => {
  const { start } = subject;

  it('gives up when no answer begins for too long, and not before', async () => {
    const running = await start();
    const { reply, history, clock } = running;
    reply({ kind: 'stall' });
    let isOver = false;
    const failing = failureOf(open(running, subject).next()).finally(() => (isOver = true));
    await until(() => history.length === 1);
    await clock.advance(IDLE_TIMEOUT_MS - 1);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await failing).toEqual(failover('timeout'));
    await until(() => history[0]?.wasAborted() === true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('gives up when an answer stops in the middle for too long', async () => {
    const running = await start();
    const { reply, history, clock } = running;
    reply({ kind: 'stall', answer: { text: 'So far' } });
    const stream = open(running, subject);
    expect(await nextText(stream)).toBe('So far');
    const failing = failureOf(nextText(stream));
    await clock.advance(IDLE_TIMEOUT_MS);
    expect(await failing).toEqual(failover('timeout'));
    await until(() => history[0]?.wasAborted() === true);
    expect(clock.pendingTimers).toBe(0);
  });

  it('gives up on an answer in one piece that never comes, or comes half', async () => {
    const { adapter, reply, history, clock } = await start();
    reply({ kind: 'stall' }, { kind: 'stall', answer: { text: 'So far' } });
    for (const round of [1, 2]) {
      let isOver = false;
      const failing = failureOf(adapter.chatCompletion(subject.request(), never())).finally(() => {
        isOver = true;
      });
      await until(() => history.length === round);
      await clock.advance(WHOLE_TIMEOUT_MS - 1);
      expect(isOver).toBe(false);
      await clock.advance(1);
      expect(await failing).toEqual(failover('timeout'));
      await until(() => history.at(-1)?.wasAborted() === true);
      expect(clock.pendingTimers).toBe(0);
    }
  });

  it('has a whole answer though the connection does not end behind it', async () => {
    const { adapterWith, url, reply, clock } = await start();
    reply({ kind: 'answer', text: 'Whole.' });
    const { promise: endsAfter } = Promise.withResolvers<void>();
    const baseUrl = await startRewritingProxy(url, { pieces: (body) => [body], endsAfter });
    const heard = await hear(adapterWith({ baseUrl }), subject.request());
    expect(heard).toMatchObject({ error: undefined, text: 'Whole.', stopReason: 'end_turn' });
    // The connection is let go soon after.
    await clock.advance(IDLE_TIMEOUT_MS);
    expect(clock.pendingTimers).toBe(0);
  });

  it('leaves no timer behind where the connection ends a little later', async () => {
    const { adapterWith, url, reply, clock } = await start();
    reply({ kind: 'answer', text: 'Whole.' });
    const gate = Promise.withResolvers<void>();
    const baseUrl = await startRewritingProxy(url, { pieces: (body) => [body], endsAfter: gate.promise });
    expect((await hear(adapterWith({ baseUrl }), subject.request())).text).toBe('Whole.');
    expect(clock.pendingTimers).toBe(1);
    gate.resolve();
    await until(() => clock.pendingTimers === 0);
  });

  it('waits on while something comes, however long the whole takes', async () => {
    const running = await start();
    const { reply, clock } = running;
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    reply(
      gates.reduceRight<FakeReply>((next, { promise }, index) => holds(promise, `${index}`, next), {
        kind: 'answer',
        text: 'end',
      }),
    );
    const stream = open(running, subject);
    for (const [index, gate] of gates.entries()) {
      expect(await nextText(stream)).toBe(`${index}`);
      await clock.advance(IDLE_TIMEOUT_MS - 1);
      gate.resolve();
    }
    expect(await nextText(stream)).toBe('end');
    let last: StreamChunk | undefined;
    for (let step = await stream.next(); step.done !== true; step = await stream.next()) last = step.value;
    expect(last).toEqual({ type: 'done', stopReason: 'end_turn' });
    await until(() => clock.pendingTimers === 0);
  });
};

const describeAborts = (subject: Subject): void => {
  const { start, request } = subject;
  const reason = new RunAbortedError('stopped');

  it('asks nobody when it was ended before it began', async () => {
    const { adapter, history, clock } = await start();
    const signal = AbortSignal.abort(reason);
    expect((await hear(adapter, request(), signal)).error).toBe(reason);
    expect(await failureOf(adapter.chatCompletion(request(), signal))).toBe(reason);
    expect(await failureOf(adapter.checkKey(signal))).toBe(reason);
    expect(history).toHaveLength(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('ends with the reason of the abort before any answer, and closes the connection', async () => {
    const running = await start();
    const { reply, history } = running;
    reply({ kind: 'stall' });
    const controller = new AbortController();
    const failing = failureOf(open(running, subject, controller.signal).next());
    await until(() => history.length === 1);
    controller.abort(reason);
    expect(await failing).toBe(reason);
    await until(() => history[0]?.wasAborted() === true);
    expect(running.clock.pendingTimers).toBe(0);
  });

  it('ends with the reason of the abort in the middle of an answer, and closes the connection', async () => {
    const running = await start();
    const { reply, history } = running;
    reply({ kind: 'stall', answer: { text: 'So far' } });
    const controller = new AbortController();
    const stream = open(running, subject, controller.signal);
    expect(await nextText(stream)).toBe('So far');
    const failing = failureOf(nextText(stream));
    controller.abort('any reason, not only an error');
    expect(await failing).toBe('any reason, not only an error');
    await until(() => history[0]?.wasAborted() === true);
    expect(running.clock.pendingTimers).toBe(0);
  });

  it('ends a whole answer with the reason of the abort', async () => {
    const { adapter, reply, history } = await start();
    reply({ kind: 'stall' });
    const controller = new AbortController();
    const failing = failureOf(adapter.chatCompletion(request(), controller.signal));
    await until(() => history.length === 1);
    controller.abort(reason);
    expect(await failing).toBe(reason);
    await until(() => history[0]?.wasAborted() === true);
  });

  it('closes the connection when it is left before any answer', async () => {
    const running = await start();
    const { reply, history, clock } = running;
    reply({ kind: 'stall' });
    const stream = open(running, subject);
    const pending = stream.next().catch(() => undefined);
    await until(() => history.length === 1);
    await stream.return?.();
    await until(() => history[0]?.wasAborted() === true);
    await pending;
    expect(clock.pendingTimers).toBe(0);
  });

  it('closes the connection when nobody listens any more', async () => {
    const running = await start();
    const { reply, history, clock } = running;
    reply({ kind: 'stall', answer: { text: 'So far' } });
    const stream = open(running, subject);
    await nextText(stream);
    await stream.return?.();
    await until(() => history[0]?.wasAborted() === true);
    expect(clock.pendingTimers).toBe(0);
  });
};

const describeKeys = (subject: Subject): void => {
  it('tells a right key from a wrong one, with one request each', async () => {
    const { adapter, adapterWith, history } = await subject.start({ keys: ['sk-test-right'] });
    await expect(adapter.checkKey(never())).resolves.toBeUndefined();
    const wrong = adapterWith({ apiKey: 'sk-test-wrong' });
    expect(await failureOf(wrong.checkKey(never()))).toEqual(failover('auth'));
    expect(history).toHaveLength(2);
    expect((await hear(wrong, subject.request())).error).toEqual(failover('auth'));
  });

  it('knows which models are its own, and leaves it to another server what its models are called', async () => {
    const { adapter, official } = await subject.start();
    const asked = [...subject.supported, ...subject.unsupported];
    expect(asked.filter((model) => official.supportsModel(model))).toEqual(subject.supported);
    expect(asked.filter((model) => adapter.supportsModel(model))).toEqual(asked);
  });
};

/** What a provider makes of everything that can go wrong. */
export const describeFailures = (subject: Subject): void => {
  describe('refused requests', () => describeStatuses(subject));
  describe('broken streams', () => describeStreams(subject));
  describe('silence', () => describeSilence(subject));
  describe('aborts', () => describeAborts(subject));
  describe('keys and models', () => describeKeys(subject));
};
