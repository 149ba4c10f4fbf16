import type { Fact } from '#src/kernel/market/fact.ts';
import { describe, expect, it } from 'vitest';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import type { Running, Sent, Subject } from './contract.ts';
import { assistant, call, hear, result, results, text, user } from './request.ts';
import { PIXEL_BASE64 } from '#test/support/pictures.ts';

const VALID = /^[a-zA-Z0-9_-]{1,64}$/;
const HALF = '\ud83d';
const PNG = PIXEL_BASE64;

const image = (mimeType: string, name = 'chart.png'): ContentBlock => ({
  type: 'image',
  name,
  mimeType,
  base64: PNG,
});

/** Sends a conversation that the server accepts, and gives what it was. */
const say = async (
  { adapter, history, sent }: Running,
  subject: Subject,
  messages: readonly ConversationMessage[],
): Promise<readonly Sent[]> => {
  const heard = await hear(adapter, subject.request({ messages }));
  expect({ problem: history.at(-1)?.problem, error: heard.error }).toEqual({});
  return sent();
};

const callIds = (sent: readonly Sent[]) => sent.flatMap((part) => ('call' in part ? [part.call] : []));
const resultIds = (sent: readonly Sent[]) => sent.flatMap((part) => ('result' in part ? [part.result] : []));

const describeNames = (subject: Subject): void => {
  const { start } = subject;

  it('gives ids that another provider made a form that this one takes, calls and results alike', async () => {
    const foreign = ['call:1/ä', 'x'.repeat(41), 'x'.repeat(64), 'x'.repeat(65), '', 'toolu_ok-1'];
    const sent = await say(await start(), subject, [
      user('Prices?'),
      assistant(...foreign.map((id) => call(id))),
      results(...foreign.map((id) => result(id))),
    ]);
    const ids = callIds(sent);
    expect(ids).toEqual(resultIds(sent));
    expect(new Set(ids).size).toBe(foreign.length);
    for (const id of ids) expect(id).toMatch(VALID);
    expect(ids.at(-1)).toBe('toolu_ok-1');
  });

  it('gives an id the same form in every request, or the cache would be lost', async () => {
    const running = await start();
    const messages = [user('Price?'), assistant(call('a.b')), results(result('a.b'))];
    const first = await say(running, subject, messages);
    expect(await say(running, subject, [...messages, assistant('1'), user('Thanks')])).toEqual([
      ...first,
      { by: 'assistant', text: '1' },
      { by: 'user', text: 'Thanks' },
    ]);
  });

  it('gives invented names of tools a form that is taken', async () => {
    const names = ['finance:get.price', '가격', 'n'.repeat(80), ''];
    const sent = await say(await start(), subject, [
      user('Price?'),
      assistant(...names.map((name, index) => call(`c${index}`, name))),
      results(...names.map((_, index) => result(`c${index}`))),
    ]);
    const used = sent.flatMap((part) => ('name' in part ? [part.name] : []));
    expect(used[0]).toBe('finance_get_price');
    for (const name of used) expect(name).toMatch(VALID);
  });

  it('sends an object as the input of a call, whatever the model wrote', async () => {
    const inputs = ['text', ['a'], null, 7, { symbol: 'AAPL' }];
    const sent = await say(await start(), subject, [
      user('Price?'),
      assistant(...inputs.map((input, index) => call(`c${index}`, 'get_price', input))),
      results(...inputs.map((_, index) => result(`c${index}`))),
    ]);
    const used = sent.flatMap((part) => ('call' in part ? [part.input] : []));
    expect(used).toEqual([{}, {}, {}, {}, { symbol: 'AAPL' }]);
  });
};

const describeTurns = (subject: Subject): void => {
  const { start } = subject;

  it('says a conversation in its order', async () => {
    const sent = await say(await start(), subject, [
      user('Price of Apple?'),
      assistant('I look.', call('c1', 'get_price', { symbol: 'AAPL' })),
      results(result('c1', '230 USD')),
      assistant('230 dollars.'),
      user('And Tesla?'),
    ]);
    expect(sent).toEqual([
      { by: 'user', text: 'Price of Apple?' },
      { by: 'assistant', text: 'I look.' },
      { call: 'c1', name: 'get_price', input: { symbol: 'AAPL' } },
      { result: 'c1', content: '230 USD', isError: false },
      { by: 'assistant', text: '230 dollars.' },
      { by: 'user', text: 'And Tesla?' },
    ]);
  });

  it('says that a tool failed', async () => {
    const sent = await say(await start(), subject, [
      user('Price?'),
      assistant(call('c1'), call('c2')),
      results(result('c1', 'no such symbol', true), result('c2', 'fine')),
    ]);
    expect(sent.slice(-2)).toEqual([
      { result: 'c1', content: 'no such symbol', isError: true },
      { result: 'c2', content: 'fine', isError: false },
    ]);
  });

  it('has words for a tool that failed without any', async () => {
    const sent = await say(await start(), subject, [
      user('Price?'),
      assistant(call('c1'), call('c2')),
      results(result('c1', ' ', true), result('c2', '')),
    ]);
    expect(sent.at(-2)).toMatchObject({ isError: true, content: expect.stringMatching(/\w/) });
  });

  it('is taken though a turn of thoughts alone falls out between two questions', async () => {
    const thought: ContentBlock = { type: 'thinking', model: 'other-1', text: 'x', opaque: {} };
    const sent = await say(await start(), subject, [user('One'), assistant(thought), user('Two')]);
    expect(sent.flatMap((part) => ('text' in part ? part.text.split('\n\n') : []))).toEqual(['One', 'Two']);
  });

  it('leaves out texts that say nothing, and turns that are left empty', async () => {
    const sent = await say(await start(), subject, [
      user('Hello', '', ' \n\t'),
      assistant('', '  '),
      user('Are you there?'),
      assistant(text(''), 'Yes.'),
      user('Good'),
    ]);
    expect(sent.flatMap((part) => ('text' in part ? part.text.split('\n\n') : []))).toEqual([
      'Hello',
      'Are you there?',
      'Yes.',
      'Good',
    ]);
  });

  it('makes one turn of neighbours on the same side', async () => {
    const sent = await say(await start(), subject, [
      user('Price?'),
      assistant('I look.'),
      assistant(call('c1')),
      results(result('c1')),
      user('Quick!'),
      user('Please.'),
    ]);
    expect(sent.flatMap((part) => ('text' in part ? part.text.split('\n\n') : []))).toEqual([
      'Price?',
      'I look.',
      'Quick!',
      'Please.',
    ]);
    expect(sent.findIndex((part) => 'result' in part)).toBe(3);
  });

  it('sends nothing of our own marks on a block', async () => {
    const running = await start();
    const fact: Fact = {
      entity: 'AAPL',
      metric: 'other',
      label: 'fact-marker',
      value: '1',
      unit: 'USD',
      asOf: '2026-11-13T06:30:00Z',
      source: 'x',
      isSample: false,
    };
    await say(running, subject, [
      user('Price?'),
      {
        ...assistant({
          type: 'tool_use',
          id: 'c1',
          name: 'get_price',
          input: {},
          malformed: 'malformed-marker',
        }),
        isPaused: true,
      },
      results({ type: 'tool_result', toolUseId: 'c1', content: '1', isError: false, facts: [fact] }),
    ]);
    const body = JSON.stringify(running.history[0]?.body);
    expect(body).not.toMatch(/malformed|fact|isPaused|toolUseId/);
  });
};

const describeContent = (subject: Subject): void => {
  const { start, request } = subject;

  it('shows pictures to a model that sees', async () => {
    const sent = await say(await start(), subject, [user('What is this?', image('image/png'))]);
    expect(sent).toEqual([{ by: 'user', text: 'What is this?' }, { image: `image/png;${PNG}` }]);
  });

  it('tells a model that does not see of the picture', async () => {
    const { adapter, history, sent } = await start();
    const traits = { ...request().traits, vision: false };
    await hear(
      adapter,
      request({ traits, messages: [user('What is this?', image('image/png', 'my-chart'))] }),
    );
    expect(history[0]).toMatchObject({ outcome: 'answer' });
    expect(JSON.stringify(sent())).toMatch(/What is this\?.*my-chart.*cannot see/);
    expect(JSON.stringify(history[0]?.body)).not.toContain(PNG);
  });

  it('tells a model of a picture of a kind that no provider takes', async () => {
    const running = await start();
    const sent = await say(running, subject, [user('See', image('image/tiff', 'scan.tiff'))]);
    expect(JSON.stringify(sent)).toContain('scan.tiff');
    expect(JSON.stringify(running.history[0]?.body)).not.toContain(PNG);
  });

  it('mends half an emoji, which is no valid text, wherever it stands', async () => {
    const { adapter, history, sent } = await start();
    await hear(
      adapter,
      request({
        systemPrompt: `Be brief ${HALF}`,
        messages: [
          user(`Price ${HALF}?`),
          assistant(`I look ${HALF}`, call('c1', 'get_price', { [`k${HALF}`]: [`v${HALF}`, 1] })),
          results(result('c1', `cut ${HALF}`)),
        ],
      }),
    );
    expect(history[0]).toMatchObject({ outcome: 'answer' });
    expect(subject.systemOf(history[0]?.body)).toBe('Be brief \ufffd');
    expect(sent()).toMatchObject([
      { text: 'Price \ufffd?' },
      { text: 'I look \ufffd' },
      { call: 'c1', input: { 'k\ufffd': ['v\ufffd', 1] } },
      { content: 'cut \ufffd' },
    ]);
  });

  it('mends half an emoji in the name of a picture that cannot be seen', async () => {
    const running = await start();
    const [, note] = await say(running, subject, [user('See'), user(image('image/tiff', `a${HALF}`))]);
    expect(JSON.stringify(note ?? running.sent())).toContain('a\ufffd');
  });

  it('leaves whole emoji and Korean as they are', async () => {
    const sent = await say(await start(), subject, [user('삼성전자 📈 👩‍💻')]);
    expect(sent).toEqual([{ by: 'user', text: '삼성전자 📈 👩‍💻' }]);
  });
};

/** What a provider makes of a conversation; the fakes refuse what the real servers would. */
export const describeConversations = (subject: Subject): void => {
  describe('names and ids', () => describeNames(subject));
  describe('turns', () => describeTurns(subject));
  describe('content', () => describeContent(subject));
};
