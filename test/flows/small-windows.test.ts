import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MIN_WINDOW_TOKENS } from '#src/kernel/agent/model.ts';
import { asId, type ChatId, type MessageId } from '#src/kernel/ids.ts';
import type { FakeReply, FakeToolCall } from '#test/fakes/model-reply.ts';
import type { OpenAiBody } from '#test/fakes/openai/server.ts';
import { answer, type EngineApp, startEngineApp, startServers, until } from '#test/support/engine-app.ts';

const BOUGHT = 'I bought 12 shares of NVDA at $182.50 on 2026-03-14.';
const ASKED = 'What did I buy, when and for how much?';

/** The documented example, as an operator copies it. */
const documentedExample = (): { readonly models: { readonly definitions: Record<string, object> } } => {
  const page = readFileSync(new URL('../../docs/models.md', import.meta.url), 'utf8');
  const [, json = ''] = /works too:\n\n```json\n([^]*?)```/.exec(page) ?? [];
  return JSON.parse(json);
};

const localModel = (contextWindow: number): object => ({
  providers: { openai: { api: 'chat' } },
  models: { definitions: { local: { provider: 'openai', contextWindow, maxOutputTokens: 1_024 } } },
});

const textOf = (body: OpenAiBody): string => JSON.stringify(body.messages);
const lastOf = (body: OpenAiBody): string => JSON.stringify(body.messages?.at(-1));
const isSummaryRequest = (body: OpenAiBody): boolean => lastOf(body).includes('Sum up the conversation');
const calls = (name: string, input: unknown): FakeReply => ({ kind: 'answer', toolCalls: [{ name, input }] });

/** What a weak model does with tools, one turn after the other; most of the time it just talks. */
const HABITS: readonly (readonly FakeToolCall[])[] = [
  [{ name: 'get_quote', input: { symbols: ['AAPL', 'MSFT'] } }],
  [{ name: 'find_tools', input: { query: 'price history' } }],
  [{ name: 'call_tool', input: { name: 'get_history', input: { symbol: 'AAPL' } } }],
  [],
  // By its name, without having seen its input.
  [{ name: 'get_market_hours', input: { market: 7 } }],
  [],
];

/** Knows only what stands in the request: the memory of a weak model is the program's. */
const weakModel = (): ((body: OpenAiBody) => FakeReply) => {
  let turn = 0;
  return (body) => {
    if (isSummaryRequest(body)) return answer('We talked about this and that.');
    const last = lastOf(body);
    if (last.includes(ASKED)) {
      const knows = ['NVDA', '182.50', '2026-03-14'].every((word) => textOf(body).includes(word));
      return answer(knows ? 'NVDA at 182.50 on 2026-03-14' : 'I do not know.');
    }
    if (!last.includes('"role":"tool"')) {
      const toolCalls = HABITS[turn++ % HABITS.length] ?? [];
      if (toolCalls.length > 0) return { kind: 'answer', toolCalls };
    }
    return { kind: 'answer', text: `Answer: ${'the market moved, '.repeat(25)}`, pieceChars: 4_000 };
  };
};

/** A server that takes no longer prompt, with room for the answer beside it. */
const startSmall = async (contextWindow: number, config: object): Promise<EngineApp> => {
  const servers = await startServers({ gpt: { contextWindow, countsAnswer: true } });
  servers.gpt.otherwise(weakModel());
  const env = {
    FINCLAW_MODEL: Object.keys((config as ReturnType<typeof documentedExample>).models.definitions)[0],
  };
  return startEngineApp({ servers, config, env: { ...env, FINCLAW_FALLBACKS: 'none' } });
};

const resultsIn = (app: EngineApp): string =>
  JSON.stringify(app.gpt.history.map(({ body }) => body.messages?.at(-1)));

describe('a model with a small window', () => {
  it.each([
    ['8K tokens as documented', 8_192, 60, documentedExample()],
    ['the smallest that is allowed', MIN_WINDOW_TOKENS, 18, localModel(MIN_WINDOW_TOKENS)],
  ])(
    'holds a conversation with tools and keeps what was said in the third turn: %s',
    { timeout: 60_000 },
    async (_what, window, turns, config) => {
      const app = await startSmall(window, config);
      for (let turn = 1; turn < turns; turn += 1) {
        const said = await app.ask('ann', turn === 3 ? BOUGHT : `Question ${turn}: how is Apple doing?`);
        expect(said.join(), `turn ${turn}`).toContain('Answer');
      }
      expect((await app.ask('ann', ASKED)).join()).toContain('NVDA at 182.50');
      expect(app.gpt.history.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      expect(app.log.some((line) => line.includes('"context:compact"'))).toBe(true);
      // What find_tools told of, what call_tool ran, and the input of a tool that was called blindly.
      for (const found of ['get_history (finance)', 'AAPL', 'Its input: {'])
        expect(resultsIn(app)).toContain(found);
    },
  );

  it('is not sent a message or a file that it would read only the end of; the person reads why, and talks on', async () => {
    // Ollama drops the beginning of what is too long without a word.
    const servers = await startServers();
    const csv = { kind: 'file', name: 'trades.csv', mimeType: 'text/csv', url: 'file:trades.csv' } as const;
    const files = { [csv.url]: Buffer.from('2026-03-14,NVDA,12\n'.repeat(3_000)) };
    const env = { FINCLAW_MODEL: 'llama', FINCLAW_FALLBACKS: 'none' };
    const app = await startEngineApp({ servers, config: documentedExample(), env, channel: { files } });
    servers.gpt.otherwise(weakModel());
    await app.ask('ann', BOUGHT);
    const asked = app.gpt.history.length;
    const [ko = ''] = await app.ask('ann', '삼성전자 주가 '.repeat(900));
    expect(ko).toMatch(/^보내신 메시지\(첨부 파일 포함\)가 .* 나누어 보내 주세요\. \(오류 [0-9a-f]{8}\)$/);
    const [en = ''] = await app.ask('ann', 'What is in this?', { media: [csv] });
    expect(en).toMatch(/^Your message, with the files in it, is longer than .* \(error [0-9a-f]{8}\)$/);
    const answered = app.gpt.history.slice(asked).filter(({ body }) => !isSummaryRequest(body));
    expect(answered).toEqual([]);
    expect(await app.ask('ann', ASKED)).toEqual(['NVDA at 182.50 on 2026-03-14']);
  });

  it('reads of a busy channel as much as there is room for', async () => {
    const app = await startSmall(8_192, localModel(8_192));
    const history = Array.from({ length: 20 }, (_, index) => ({
      messageId: asId<MessageId>(`m${index}`),
      authorName: '지훈',
      isOurs: false,
      text: `${index}번째: ${'오늘 장은 어렵네요. '.repeat(40)}`,
      at: Temporal.Instant.from('2026-11-13T06:20:00Z'),
    }));
    Object.assign(app.channel, { readHistory: async () => history });
    app.gpt.reply(answer('Hard indeed.'));
    const asked = await app.ask('ann', 'What do they say?', {
      chatType: 'group',
      chatId: asId<ChatId>('G1'),
      mentionsBot: true,
    });
    expect(asked).toEqual(['Hard indeed.']);
    const [first] = app.gpt.history.map(({ body }) => textOf(body));
    expect(first).toContain('19번째');
    expect(first).toContain('older left out');
  });

  it('has few tools, and the same policy and approvals for all the others', async () => {
    const app = await startSmall(8_192, localModel(8_192));
    const record = { kind: 'buy', symbol: 'AAPL', quantity: '3', price: '200', date: '2026-03-13' };
    app.gpt.reply(calls('call_tool', { name: 'record_transaction', input: record }), answer('Recorded.'));
    await app.ask('ann', 'I bought 3 Apple at 200 on 2026-03-13, write that down');
    expect(app.gpt.history).toHaveLength(1);
    await app.ask('ann', 'yes');
    await until(() => app.channel.texts.some((text) => text.includes('Recorded.')));
    app.gpt.reply(calls('call_tool', { name: 'get_portfolio', input: {} }), answer('Three Apple.'));
    await app.ask('ann', 'What do I hold?');
    expect(resultsIn(app)).toContain('AAPL');

    const group = { chatType: 'group', chatId: asId<ChatId>('G1'), mentionsBot: true } as const;
    app.gpt.reply(
      calls('find_tools', { query: '' }),
      calls('call_tool', { name: 'get_portfolio', input: {} }),
      answer('Not here.'),
    );
    const asked = app.gpt.history.length;
    await app.ask('ann', 'What do I hold?', group);
    const [first, found, refused] = app.gpt.history.slice(asked).map(({ body }) => body);
    expect(first?.tools).toHaveLength(5);
    expect(first && textOf(first)).toContain('get_history');
    expect(first && textOf(first)).not.toContain('get_portfolio');
    expect(found && lastOf(found)).not.toContain('get_portfolio');
    expect(refused && lastOf(refused)).toContain('may not be used here');
  });
});
