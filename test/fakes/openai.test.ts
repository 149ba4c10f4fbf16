import { APIConnectionError, AuthenticationError, NotFoundError, type OpenAI } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientOf, refusalOf } from './openai/client.ts';
import { type FakeOpenAi, type FakeOpenAiOptions, startFakeOpenAi } from './openai/server.ts';
import { pngOf } from '#test/support/pictures.ts';

const opened: FakeOpenAi[] = [];
const start = async (options?: FakeOpenAiOptions): Promise<FakeOpenAi> => {
  const fake = await startFakeOpenAi(options);
  opened.push(fake);
  return fake;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((fake) => fake.close()));
});

const toolNamed = (name: string) => ({
  tools: [{ type: 'function', name, parameters: { type: 'object' }, strict: false }],
});

const ask = (client: OpenAI, input: string, more: object = {}) =>
  client.responses.create({ model: 'gpt-6-luna', input, ...more });

const chat = (client: OpenAI, content: string, more: object = {}) =>
  client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content }],
    ...more,
    stream: false,
  });

describe('the fake OpenAI server', () => {
  it('answers ok when it was told nothing, replies in order, and then what it was told to say otherwise', async () => {
    const fake = await start();
    const client = clientOf(fake);
    expect((await ask(client, 'a')).output_text).toBe('ok');
    fake.otherwise({ kind: 'answer', text: 'always' });
    fake.reply({ kind: 'answer', text: 'first' }, (body) => ({
      kind: 'answer',
      text: `second to ${JSON.stringify(body.input)}`,
    }));
    expect((await ask(client, 'b')).output_text).toBe('first');
    expect((await ask(client, 'c')).output_text).toBe('second to "c"');
    expect((await chat(client, 'd')).choices[0]?.message.content).toBe('always');
  });

  it('keeps every request with its key, its body and what became of it', async () => {
    const fake = await start();
    const client = clientOf(fake, 'sk-mine');
    fake.reply({ kind: 'status', status: 500 });
    await ask(client, 'a').catch(() => undefined);
    await refusalOf(client, 'chat/completions', { model: 'gpt-4o', messages: [] });
    await chat(client, 'b');
    expect(
      fake.history.map(({ path, apiKey, outcome, problem }) => [path, apiKey, outcome, problem]),
    ).toEqual([
      ['/v1/responses', 'sk-mine', 'status', undefined],
      ['/v1/chat/completions', 'sk-mine', 'refused', expect.stringContaining("'messages'")],
      ['/v1/chat/completions', 'sk-mine', 'answer', undefined],
    ]);
    expect(fake.history[0]?.body.input).toBe('a');
    expect(fake.history[2]?.body.messages).toEqual([{ role: 'user', content: 'b' }]);
    expect(fake.history.map(({ usage }) => usage !== undefined)).toEqual([false, false, true]);
  });

  it('keeps no bodies when asked not to', async () => {
    const fake = await start({ keepBodies: false });
    await ask(clientOf(fake), 'a');
    expect(fake.history[0]?.body).toEqual({});
  });

  it('uses no reply for a request that it refuses', async () => {
    const fake = await start();
    const client = clientOf(fake);
    fake.reply({ kind: 'answer', text: 'kept' });
    expect(await refusalOf(client, 'responses', { model: 'gpt-6-luna', input: [] })).toBeDefined();
    expect((await ask(client, 'a')).output_text).toBe('kept');
  });

  it('says so when a script throws', async () => {
    const fake = await start();
    fake.reply(() => {
      throw new Error('oops');
    });
    await expect(ask(clientOf(fake), 'a')).rejects.toThrow('oops');
    expect(fake.history[0]).toMatchObject({ outcome: 'status', problem: expect.stringContaining('oops') });
  });

  it('closes twice, and with a request that is never answered', async () => {
    const fake = await start();
    fake.otherwise({ kind: 'stall' });
    const request = ask(clientOf(fake), 'a').catch((error: unknown) => error);
    await expect.poll(() => fake.history.length).toBe(1);
    await fake.close();
    await fake.close();
    expect(await request).toBeInstanceOf(APIConnectionError);
    expect(fake.history[0]?.wasAborted()).toBe(false);
  });

  it('knows no other address, and no body that is not JSON', async () => {
    const fake = await start();
    await expect(clientOf(fake).post('/embeddings', { body: {} })).rejects.toBeInstanceOf(NotFoundError);
    const headers = { authorization: 'Bearer sk-test' };
    const { status } = await fetch(`${fake.url}/responses`, { method: 'POST', headers, body: '{"model":' });
    expect(status).toBe(400);
    expect(fake.history.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  });
});

describe('keys', () => {
  it('lists the models to a right key only, without showing the wrong one', async () => {
    const fake = await start({ keys: ['sk-right'] });
    expect((await clientOf(fake, 'sk-right').models.list()).data.length).toBeGreaterThan(0);
    const error = await clientOf(fake, 'sk-wrong-0123456789')
      .models.list()
      .then(undefined, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'invalid_request_error' });
    expect(String(error)).not.toContain('sk-wrong-0123456789');
    expect(fake.history.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['/v1/models', 'answer'],
      ['/v1/models', 'refused'],
    ]);
  });

  it('are checked by both APIs, before anything else', async () => {
    const client = clientOf(await start({ keys: ['sk-right'] }), 'sk-wrong');
    await expect(refusalOf(client, 'responses', {})).rejects.toMatchObject({ status: 401 });
    await expect(refusalOf(client, 'chat/completions', {})).rejects.toMatchObject({ status: 401 });
  });

  it('are all right when none are named, except none at all', async () => {
    const fake = await start();
    await clientOf(fake, 'anything').models.list();
    expect((await fetch(`${fake.url}/models`)).status).toBe(401);
  });
});

describe('the context window', () => {
  it('refuses what is longer, in both APIs', async () => {
    const fake = await start({ contextWindow: 200 });
    const client = clientOf(fake);
    await ask(client, 'x'.repeat(500));
    await chat(client, 'x'.repeat(400));
    const long = 'x'.repeat(700);
    await expect(ask(client, long)).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'input',
    });
    await expect(chat(client, long)).rejects.toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'messages',
    });
    expect(fake.history.map(({ outcome }) => outcome)).toEqual(['answer', 'answer', 'refused', 'refused']);
  });

  it('does not count the base64 of a picture', async () => {
    const client = clientOf(await start({ contextWindow: 1_000 }));
    const picture = {
      type: 'input_image' as const,
      detail: 'auto' as const,
      image_url: `data:image/png;base64,${pngOf(1, 1, { commentBytes: 40_000 }).toString('base64')}`,
    };
    const { usage } = await client.responses.create({
      model: 'gpt-4o',
      input: [{ role: 'user', content: [picture] }],
    });
    expect(usage?.input_tokens).toBeGreaterThan(700);
    await expect(
      client.responses.create({
        model: 'gpt-4o',
        input: [{ role: 'user', content: [picture, picture] }],
      }),
    ).rejects.toMatchObject({ code: 'context_length_exceeded' });
  });
});

describe('the prompt cache', () => {
  /** 1,100 tokens and some. */
  const long = 'a'.repeat(3_300);
  let fake: FakeOpenAi;
  let client: OpenAI;
  beforeEach(async () => {
    fake = await start();
    client = clientOf(fake);
  });

  const cached = async (instructions: string, input: string, more: object = {}, by = client) => {
    const { usage } = await ask(by, input, { model: 'gpt-4o', instructions, ...more });
    return usage?.input_tokens_details.cached_tokens;
  };

  it('reads a prefix of at least 1,024 tokens that came before, in steps of 128', async () => {
    expect(await cached(long, 'one')).toBe(0);
    expect(await cached(long, 'two')).toBe(1_024);
    expect(await cached(long + 'b'.repeat(900), 'three')).toBe(1_024);
    expect(await cached(long + 'b'.repeat(900), 'four')).toBe(1_280);
  });

  it('reads nothing of a shorter one, or behind a change', async () => {
    const short = 'a'.repeat(3_000);
    expect(await cached(short, 'one')).toBe(0);
    expect(await cached(short, 'two')).toBe(0);
    expect(await cached(long, 'three')).toBe(0);
    expect(await cached(`b${long}`, 'four')).toBe(0);
    expect(await cached(`${short}${'c'.repeat(1_000)}`, 'five')).toBe(0);
  });

  it('is lost with the tools, which come first', async () => {
    await cached(long, 'one', toolNamed('a'));
    expect(await cached(long, 'two', toolNamed('b'))).toBe(0);
    expect(await cached(long, 'three', toolNamed('a'))).toBe(1_024);
  });

  it('is kept apart by key, model and prompt_cache_key', async () => {
    await cached(long, 'one', { prompt_cache_key: 's1' });
    expect(await cached(long, 'two', { prompt_cache_key: 's2' })).toBe(0);
    expect(await cached(long, 'two', { prompt_cache_key: 's1', model: 'gpt-4o-mini' })).toBe(0);
    expect(await cached(long, 'two', { prompt_cache_key: 's1' }, clientOf(fake, 'sk-other'))).toBe(0);
    expect(await cached(long, 'two', { prompt_cache_key: 's1' })).toBe(1_024);
  });

  it('is not filled by a request that was turned away', async () => {
    fake.reply({ kind: 'status', status: 429 });
    await cached(long, 'one').catch(() => undefined);
    expect(await cached(long, 'two')).toBe(0);
  });

  it('counts the cached tokens among the input for the client, and beside it in the history', async () => {
    await chat(client, long);
    const { usage } = await chat(client, long);
    const total = usage?.prompt_tokens ?? 0;
    expect(total).toBeGreaterThan(1_100);
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe(1_024);
    expect(usage?.total_tokens).toBe(total + (usage?.completion_tokens ?? 0));
    expect(fake.history[1]?.usage).toEqual({
      input: total - 1_024,
      output: usage?.completion_tokens,
      cacheRead: 1_024,
      cacheWrite: 0,
    });
  });

  it('reports what it writes for the models that charge for it, also among the input', async () => {
    const model = 'gpt-6-luna';
    const first = await ask(client, long, { model });
    const second = await ask(client, long + long, { model });
    expect(first.usage?.input_tokens_details).toEqual({ cached_tokens: 0, cache_write_tokens: 1_024 });
    expect(second.usage?.input_tokens_details).toEqual({ cached_tokens: 1_024, cache_write_tokens: 1_152 });
    const older = await ask(client, long + long, { model: 'gpt-4o' });
    expect(second.usage?.input_tokens).toBe(older.usage?.input_tokens);
    expect(fake.history[1]?.usage).toEqual({
      input: (second.usage?.input_tokens ?? 0) - 1_024 - 1_152,
      output: second.usage?.output_tokens,
      cacheRead: 1_024,
      cacheWrite: 1_152,
    });
  });
});
