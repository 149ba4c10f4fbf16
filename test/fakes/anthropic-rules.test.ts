import { BadRequestError } from '@anthropic-ai/sdk';
import type { Message } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { ask, MODEL, setUp } from './anthropic-client.ts';
import {
  type Params,
  EXTRA,
  PNG,
  MARK,
  user,
  assistant,
  text,
  image,
  use,
  result,
  talk,
  afterCall,
  withCall,
  without,
} from './anthropic-requests.ts';
import { pngOf } from '#test/support/pictures.ts';

describe('what the API takes', () => {
  it('takes a whole conversation, with everything that the fake knows', async () => {
    const { fake, client } = await setUp();
    fake.reply({
      kind: 'answer',
      thinking: 'Look it up.',
      text: 'One moment.',
      toolCalls: [{ name: 'get_price' }],
    });
    const { content } = await client.messages.create(ask());
    const call = content.find((block) => block.type === 'tool_use');
    await client.messages.create({
      model: MODEL,
      max_tokens: 4_096,
      system: [{ type: 'text', text: 'You are a bot.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      tools: [
        {
          name: 'get_price',
          description: 'Prices',
          input_schema: { type: 'object', properties: {} },
          strict: true,
        },
      ],
      metadata: { user_id: 'u' },
      output_config: { effort: 'low' },
      stop_sequences: ['END'],
      messages: [
        { role: 'user', content: 'Price?' },
        // As it came, with the fields that only the reply has.
        { role: 'assistant', content },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: call?.id ?? '',
              is_error: true,
              content: [{ type: 'text', text: 'No such symbol' }],
              cache_control: { type: 'ephemeral', ttl: '5m' },
            },
            { type: 'text', text: 'And this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG.data } },
          ],
        },
        { role: 'assistant', content: 'It is' },
      ],
    });
    expect(fake.history.map(({ outcome, problem }) => [outcome, problem])).toEqual([
      ['answer', undefined],
      ['answer', undefined],
    ]);
  });

  it.each<[string, Params]>([
    ['an empty result', afterCall(result('toolu_1', { content: '' }))],
    ['a result without content', afterCall({ type: 'tool_result', tool_use_id: 'toolu_1' })],
    ['emoji', talk(user(text('🙂 삼성전자')))],
    ['a forced tool', { ...talk(user(text('x'))), tool_choice: { type: 'any' } }],
    ['a picture in a result', afterCall(result('toolu_1', { content: [image(PNG)] }))],
    ['four breakpoints', talk(user(...'abcd'.split('').map((word) => text(word, { cache_control: MARK }))))],
  ])('takes %s', async (_what, params) => {
    const { client } = await setUp();
    const message = await client.messages.create(params as never);
    expect((message as Message).stop_reason).toBe('end_turn');
  });
});

describe('what the API refuses', () => {
  everyRow<[string, Params, string]>([
    // The request
    ['no model', without('model'), 'model: Field required'],
    ['an empty model', { ...ask(), model: '' }, 'model: String should have at least 1 character'],
    ['no max_tokens', without('max_tokens'), 'max_tokens: Field required'],
    [
      'max_tokens of 0',
      { ...ask(), max_tokens: 0 },
      'max_tokens: Input should be greater than or equal to 1',
    ],
    ['half a token', { ...ask(), max_tokens: 1.5 }, 'max_tokens: Input should be a valid integer'],
    ['temperature', { ...ask(), temperature: 1 }, `temperature: ${EXTRA}`],
    ['top_p', { ...ask(), top_p: 1 }, `top_p: ${EXTRA}`],
    ['top_k', { ...ask(), top_k: 1 }, `top_k: ${EXTRA}`],
    ['an unknown field', { ...ask(), cacheKey: 'x' }, `cacheKey: ${EXTRA}`],
    ['a stream that is no boolean', { ...ask(), stream: 'yes' }, 'stream: Input should be a valid boolean'],
    ['an unknown setting', { ...ask(), metadata: { user: 'x' } }, `metadata.user: ${EXTRA}`],
    ['metadata that is no object', { ...ask(), metadata: 7 }, 'metadata: Input should be a valid dictionary'],
    ['an unknown effort field', { ...ask(), output_config: { level: 1 } }, `output_config.level: ${EXTRA}`],
    ['a blank stop sequence', { ...ask(), stop_sequences: [' '] }, 'stop_sequences: each'],
    ['a number as system', { ...ask(), system: 7 }, 'system: Input should be a valid list'],
    ['an image as system', { ...ask(), system: [image(PNG)] }, "system.0: Input tag 'image'"],
    [
      'an empty system block',
      { ...ask(), system: [text('')] },
      'system: text content blocks must be non-empty',
    ],
    [
      'thinking of too little',
      { ...ask(), thinking: { type: 'enabled', budget_tokens: 9 } },
      'greater than or equal to 1024',
    ],
    [
      'thinking of too much',
      { ...ask(), thinking: { type: 'enabled', budget_tokens: 2_048 } },
      '`max_tokens` must be greater',
    ],
    [
      'a budget of adaptive thinking',
      { ...ask(), thinking: { type: 'adaptive', budget_tokens: 2_000 } },
      `thinking.adaptive.budget_tokens: ${EXTRA}`,
    ],
    ['unknown thinking', { ...ask(), thinking: { type: 'deep' } }, 'thinking.type: Input should be'],
    ['thinking in one word', { ...ask(), thinking: 'deep' }, 'thinking: Input should be a valid dictionary'],
    [
      'one stop sequence',
      { ...ask(), stop_sequences: 'END' },
      'stop_sequences: Input should be a valid list',
    ],
    // Who speaks
    ['no messages', { ...ask(), messages: [] }, 'messages: at least one message is required'],
    ['messages left out', without('messages'), 'messages: Field required'],
    ['a system role', talk({ role: 'system', content: 'x' }), 'messages: Unexpected role "system"'],
    [
      'a tool role',
      talk({ role: 'tool', content: 'x' }),
      "messages.0.role: Input should be 'user' or 'assistant'",
    ],
    ['an assistant first', talk(assistant(text('x'))), 'messages: first message must use the "user" role'],
    ['two users', talk(user(text('a')), user(text('b'))), 'found multiple "user" roles in a row'],
    [
      'two assistants',
      talk(user(text('a')), assistant(text('b')), assistant(text('c'))),
      'multiple "assistant" roles',
    ],
    ['a field of a message', talk({ ...user(text('x')), isPaused: true }), `messages.0.isPaused: ${EXTRA}`],
    ['messages in one word', { ...ask(), messages: 'Hi' }, 'messages: Input should be a valid list'],
    ['a message in one word', talk('Hi'), 'messages.0: Input should be a valid dictionary'],
    // Content
    ['no content', talk({ role: 'user' }), 'messages.0.content: Field required'],
    [
      'empty content',
      talk({ role: 'user', content: '' }),
      'messages.0: all messages must have non-empty content',
    ],
    ['no blocks', talk(user()), 'messages.0: all messages must have non-empty content'],
    [
      'blank content',
      talk({ role: 'user', content: ' \n' }),
      'text content blocks must contain non-whitespace text',
    ],
    ['an empty text', talk(user(text(''))), 'messages: text content blocks must be non-empty'],
    ['a blank text', talk(user(text(' '))), 'messages: text content blocks must contain non-whitespace text'],
    ['an empty text in a result', afterCall(result('toolu_1', { content: [text('')] })), 'must be non-empty'],
    ['text without text', talk(user({ type: 'text' })), 'messages.0.content.0.text.text: Field required'],
    [
      'an unknown block',
      talk(user({ type: 'note' })),
      "messages.0.content.0: Input tag 'note' found using 'type'",
    ],
    ['a block without a type', talk(user({ text: 'x' })), 'messages.0.content.0.type: Field required'],
    [
      'a call by the user',
      talk(user(use('toolu_1'))),
      '`tool_use` blocks can only be in `assistant` messages',
    ],
    [
      'a result by the assistant',
      talk(user(text('x')), assistant(result('toolu_1'))),
      '`tool_result` blocks can only be in `user`',
    ],
    ['half an emoji', talk(user(text('\ud83d'))), 'The request body is not valid JSON: no low surrogate'],
    [
      'half an emoji in a call',
      withCall({ input: { name: 'a\udc00' } }),
      'The request body is not valid JSON',
    ],
    [
      'a final space',
      talk(user(text('x')), assistant(text('It is '))),
      'final assistant content cannot end with trailing whitespace',
    ],
    [
      'a final space in plain text',
      talk(user(text('x')), { role: 'assistant', content: 'It\n' }),
      'trailing whitespace',
    ],
    [
      'a number for content',
      talk({ role: 'user', content: 7 }),
      'messages.0.content: Input should be a valid list',
    ],
    ['a word for a block', talk(user('Hi')), 'messages.0.content.0: Input should be a valid dictionary'],
    ['a number for text', talk(user({ type: 'text', text: 7 })), 'text.text: Input should be a valid string'],
    // Fields of our own that must not get there
    ['malformed', withCall({ malformed: 'why' }), `messages.1.content.0.tool_use.malformed: ${EXTRA}`],
    [
      'facts',
      afterCall(result('toolu_1', { facts: [] })),
      `messages.2.content.0.tool_result.facts: ${EXTRA}`,
    ],
    ['isError', afterCall(result('toolu_1', { isError: true })), `tool_result.isError: ${EXTRA}`],
    [
      'toolUseId',
      afterCall({ type: 'tool_result', toolUseId: 'toolu_1' }),
      `tool_result.toolUseId: ${EXTRA}`,
    ],
    ['a field of a text', talk(user(text('x', { model: 'y' }))), `messages.0.content.0.text.model: ${EXTRA}`],
    [
      'a field of a text in a result',
      afterCall(result('toolu_1', { content: [text('x', { facts: [] })] })),
      `text.facts: ${EXTRA}`,
    ],
    ['a field of a picture', talk(user(image(PNG, { name: 'a.png' }))), `image.name: ${EXTRA}`],
    // Pictures
    [
      'a picture by address',
      talk(user(image({ type: 'url', url: 'https://a' }))),
      "Input tag 'url' found using 'type'",
    ],
    [
      'a bitmap',
      talk(user(image({ ...PNG, media_type: 'image/bmp' }))),
      "media_type: Input should be 'image/jpeg' or",
    ],
    [
      'a picture that is no base64',
      talk(user(image({ ...PNG, data: 'data:image/png,x' }))),
      'Invalid base64 data',
    ],
    ['base64 without its end', talk(user(image({ ...PNG, data: 'iVBORw0KGgo' }))), 'Invalid base64 data'],
    ['an empty picture', talk(user(image({ ...PNG, data: '' }))), 'image cannot be empty'],
    ['bytes that are no picture', talk(user(image({ ...PNG, data: 'eC5wbmc=' }))), 'Could not process image'],
    [
      'a picture of another type',
      talk(user(image({ ...PNG, media_type: 'image/jpeg' }))),
      'using the image/jpeg media type, but the image appears to be a image/png image',
    ],
    [
      'a picture of 8,001 pixels',
      talk(user(image({ ...PNG, data: pngOf(8_001, 1).toString('base64') }))),
      'exceed max allowed size: 8000 pixels',
    ],
    [
      'a picture of 2,001 pixels among 21',
      talk(
        user(
          ...Array.from({ length: 20 }, () => image(PNG)),
          image({ ...PNG, data: pngOf(1, 2_001).toString('base64') }),
        ),
      ),
      'for many-image requests: 2000 pixels',
    ],
    [
      'more than 100 pictures',
      talk(user(...Array.from({ length: 101 }, () => image(PNG)))),
      'too many images and documents: 101 + 0 > 100',
    ],
    [
      'a picture of more than 5 MB',
      talk(user(image({ ...PNG, data: pngOf(1, 1, { commentBytes: 4_000_000 }).toString('base64') }))),
      'image exceeds 5 MB maximum',
    ],
    ['a picture from nowhere', talk(user({ type: 'image' })), 'image.source: Field required'],
    ['a picture of nothing', talk(user(image({ ...PNG, data: undefined }))), 'base64.data: Field required'],
    [
      'a picture with a name',
      talk(user(image({ ...PNG, url: 'a.png' }))),
      `image.source.base64.url: ${EXTRA}`,
    ],
  ])('refuses %s', async (_what, params, problem) => {
    const { fake, failure } = await setUp();
    const error = await failure(params);
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.type).toBe('invalid_request_error');
    expect(error.apiMessage).toContain(problem);
    expect(fake.history).toMatchObject([{ outcome: 'refused', problem: error.apiMessage }]);
    expect(fake.history[0]).not.toHaveProperty('usage');
  });

  it('refuses a prompt that is too long, but counts it', async () => {
    const { client, failure } = await setUp({ contextWindow: 100 });
    expect((await failure(ask('x'.repeat(303)))).apiMessage).toBe(
      'prompt is too long: 101 tokens > 100 maximum',
    );
    const { model, messages } = ask('x'.repeat(303));
    expect(await client.messages.countTokens({ model, messages })).toEqual({ input_tokens: 101 });
    expect((await client.messages.create(ask('x'.repeat(300)))).usage.input_tokens).toBe(100);
  });

  it('refuses to count what it would refuse to answer', async () => {
    const { client } = await setUp();
    const count = (params: object) => client.messages.countTokens(params as never);
    await expect(count({ model: MODEL, messages: [] })).rejects.toThrow('at least one message is required');
    await expect(count(ask())).rejects.toThrow(`max_tokens: ${EXTRA}`);
  });

  it.each([
    ['is no JSON', '{"model"', 'not valid JSON'],
    ['is not there', '', 'Input should be a valid dictionary'],
    ['is a list', '[]', 'Input should be a valid dictionary'],
  ])('refuses a body that %s', async (_how, body, problem) => {
    const { fake } = await setUp();
    const headers = { authorization: 'Bearer k', 'anthropic-version': '2023-06-01' };
    const response = await fetch(`${fake.url}/v1/messages`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining(problem) },
      },
    ]);
  });
});
