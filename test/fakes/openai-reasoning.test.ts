import { type OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, refusalOf } from './openai/client.ts';
import { type FakeOpenAi, startFakeOpenAi } from './openai/server.ts';

let fake: FakeOpenAi;
let client: OpenAI;
beforeAll(async () => {
  fake = await startFakeOpenAi();
  client = clientOf(fake);
});
afterAll(() => fake.close());

const user = { role: 'user', content: 'hi' };
const call = { type: 'function_call', call_id: 'call_x', name: 'quote', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'call_x', output: 'done' };

const post = (change: object) => refusalOf(client, 'responses', { model: 'gpt-6-luna', ...change });

const think = async (store: boolean, more: object = {}) => {
  fake.reply({ kind: 'answer', thinking: 'hm', toolCalls: [{ id: 'call_x', name: 'quote' }], ...more });
  const { output } = await client.responses.create({
    model: 'gpt-6-luna',
    input: 'hi',
    store,
    include: ['reasoning.encrypted_content'],
  });
  const [reasoning, next] = output;
  if (reasoning?.type !== 'reasoning' || !next) throw new Error('no reasoning');
  return { reasoning, next };
};

describe('a reasoning item', () => {
  it('is sent back with its encrypted content and what it was followed by', async () => {
    const { reasoning, next } = await think(false);
    expect(reasoning.encrypted_content).toMatch(/^gAAA/u);
    expect(await post({ store: false, input: [user, reasoning, next, output] })).toBeUndefined();
    expect(await post({ store: false, input: [user, reasoning, call, output] })).toBeUndefined();
  });

  it('stands before a message too', async () => {
    const { reasoning, next } = await think(false, { text: 'let me see', toolCalls: [] });
    expect(next.type).toBe('message');
    expect(await post({ store: false, input: [user, reasoning, next] })).toBeUndefined();
    const said = { role: 'assistant', content: 'let me see' };
    expect(await post({ store: false, input: [user, reasoning, said] })).toBeUndefined();
    expect((await post({ store: false, input: [user, reasoning, user] }))?.message).toContain(
      'required following item',
    );
  });

  it('is not found by its id when nothing is stored', async () => {
    const { reasoning, next } = await think(false);
    const bare = { ...reasoning, encrypted_content: undefined };
    const message = `400 Item with id '${reasoning.id}' not found.`;
    expect((await post({ store: false, input: [user, bare, next, output] }))?.message).toContain(message);
    expect((await post({ input: [user, bare, next, output] }))?.message).toBe(message);
  });

  it('is found by its id when it was stored', async () => {
    const { reasoning, next } = await think(true);
    const bare = { ...reasoning, encrypted_content: undefined };
    expect(await post({ input: [user, bare, next, output] })).toBeUndefined();
    expect((await post({ store: false, input: [user, bare, next, output] }))?.message).toContain('not found');
  });

  it('cannot be made up, nor carry the content of another', async () => {
    const { reasoning, next } = await think(false);
    const { reasoning: other } = await think(false);
    for (const encrypted of ['gAAAmine', other.encrypted_content]) {
      const forged = { ...reasoning, encrypted_content: encrypted };
      const refusal = await post({ store: false, input: [user, forged, next, output] });
      expect(refusal?.code).toBe('invalid_encrypted_content');
    }
  });

  it('must be directly followed by what it belonged to', async () => {
    const { reasoning, next } = await think(false);
    const message = `400 Item '${reasoning.id}' of type 'reasoning' was provided without its required following item.`;
    const others = [
      { ...call, call_id: 'call_y' },
      { ...output, call_id: 'call_y' },
    ];
    for (const input of [
      [reasoning],
      [reasoning, user, call, output],
      [reasoning, { role: 'assistant', content: 'a' }, call, output],
      [reasoning, ...others, call, output],
    ]) {
      expect((await post({ store: false, input }))?.message).toBe(message);
    }
    expect(next.type).toBe('function_call');
  });

  it('is missed by what it was followed by, when that is sent back under its id', async () => {
    const { reasoning, next } = await think(false);
    expect((await post({ store: false, input: [user, next, output] }))?.message).toBe(
      `400 Item '${String(next.id)}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoning.id}'.`,
    );
  });
});
