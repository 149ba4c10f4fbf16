import { AuthenticationError, NotFoundError } from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { ask, clientOf, MODEL, setUp } from './anthropic-client.ts';
import { type Params, EXTRA, MARK, user, assistant, text, talk } from './anthropic-requests.ts';

const thought = async (model: string) => {
  const { fake, client, failure } = await setUp();
  fake.reply({ kind: 'answer', thinking: 'Hm.', text: 'Yes.' });
  const { content } = await client.messages.create({ ...ask(), model });
  return { client, failure, content };
};

describe('thoughts', () => {
  it('go back to the model that had them, and to no other', async () => {
    const { client, failure, content } = await thought(MODEL);
    const again = talk(user(text('a')), assistant(...content), user(text('b')));
    await client.messages.create(again as never);
    const error = await failure({ ...again, model: 'claude-haiku-5-5' });
    expect(error.apiMessage).toBe('messages.1.content.0: Invalid `signature` in `thinking` block');
  });

  it.each<[string, Params, string]>([
    ['changed words', { thinking: 'Hmm.' }, 'Invalid `signature` in `thinking` block'],
    ['another signature', { signature: 'c2lnbmF0dXJl' }, 'Invalid `signature` in `thinking` block'],
    ['no words', { thinking: undefined }, 'thinking.thinking: Field required'],
    ['no signature', { signature: undefined }, 'thinking.signature: Field required'],
    ['a breakpoint', { cache_control: MARK }, `messages.1.content.0.thinking.cache_control: ${EXTRA}`],
    ['a field of our own', { opaque: {} }, `thinking.opaque: ${EXTRA}`],
  ])('do not go back with %s', async (_what, change, problem) => {
    const { failure, content } = await thought(MODEL);
    const [first, ...rest] = content;
    const error = await failure(
      talk(user(text('a')), assistant({ ...first, ...change }, ...rest), user(text('b'))),
    );
    expect(error.apiMessage).toContain(problem);
  });

  it('do not go back as the last block, nor hidden ones at all', async () => {
    const { failure, content } = await thought(MODEL);
    const alone = await failure(talk(user(text('a')), assistant(content[0]), user(text('b'))));
    expect(alone.apiMessage).toContain('The final block in an assistant message cannot be `thinking`');
    const hidden = assistant({ type: 'redacted_thinking', data: 'x' }, text('Yes.'));
    expect((await failure(talk(user(text('a')), hidden, user(text('b'))))).apiMessage).toContain(
      'Invalid `data`',
    );
  });
});

describe('keys', () => {
  it('are checked where the fake knows them', async () => {
    const { fake } = await setUp({ keys: ['right'] });
    await expect(clientOf(fake, 'wrong').messages.create(ask())).rejects.toThrow(AuthenticationError);
    await expect(clientOf(fake, 'wrong').models.list()).rejects.toThrow(AuthenticationError);
    const { data } = await clientOf(fake, 'right').models.list();
    expect(data[0]?.id).toBe('claude-opus-5-5');
    await clientOf(fake, 'right').messages.create(ask());
    expect(fake.history.map(({ apiKey, path, outcome }) => [apiKey, path, outcome])).toEqual([
      ['wrong', '/v1/messages', 'refused'],
      ['wrong', '/v1/models', 'refused'],
      ['right', '/v1/models', 'answer'],
      ['right', '/v1/messages', 'answer'],
    ]);
  });

  it('come in either header, and must come', async () => {
    const { fake } = await setUp({ keys: ['right'] });
    const get = async (headers: Record<string, string>, { url } = fake): Promise<number> =>
      (await fetch(`${url}/v1/models`, { headers: { 'anthropic-version': '2023-06-01', ...headers } }))
        .status;
    expect(await get({ 'x-api-key': 'right' })).toBe(200);
    expect(await get({ authorization: 'Bearer right' })).toBe(200);
    expect(await get({ 'x-api-key': 'wrong' })).toBe(401);
    expect(await get({})).toBe(401);
    const open = await setUp();
    expect(await get({ 'x-api-key': 'any' }, open.fake)).toBe(200);
    expect(await get({}, open.fake)).toBe(401);
  });

  it('need the version of the API beside them', async () => {
    const { fake } = await setUp();
    const response = await fetch(`${fake.url}/v1/models`, { headers: { 'x-api-key': 'k' } });
    expect(response.status).toBe(400);
  });

  it('open nothing else', async () => {
    const { client } = await setUp();
    await expect(client.get('/v1/files')).rejects.toThrow(NotFoundError);
  });
});
