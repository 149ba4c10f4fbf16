import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { answer, callsTool, startEngineApp } from '#test/support/engine-app.ts';
import { startLiveMarket } from '#test/support/live-market.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

const GROUP: Partial<MsgContext> = { chatType: 'group', chatId: asId<ChatId>('G1'), mentionsBot: true };

const systemPrompts = (
  history: readonly { readonly body: { readonly system?: unknown } }[],
): readonly string[] => history.map(({ body }) => JSON.stringify(body.system));

describe('/profile', () => {
  it('changes what the model is told in a direct chat, at once, and the language and zone everywhere', async () => {
    const { claude, ask } = await startEngineApp();
    await ask('ann', 'hello');
    await ask('ann', '/profile risk conservative');
    await ask('ann', '/profile level professional');
    await ask('ann', '/profile timezone America/New_York');
    await ask('ann', '/profile language ko');
    await ask('ann', 'hello again');
    const [before, after] = systemPrompts(claude.history);
    expect(before).not.toContain('conservative');
    expect(after).toContain('conservative');
    expect(JSON.stringify(claude.history[1]?.body.messages.at(-1))).toMatch(
      /language: ko.*|America\/New_York/,
    );
    expect(JSON.stringify(claude.history[1]?.body.messages.at(-1))).toContain('[America/New_York]');

    expect((await ask('ann', '/model')).join()).toContain('이 대화에서는');
    expect((await ask('ben', '/model')).join()).toContain('answers in this conversation');
  });

  it('stays out of the prompt of a group', async () => {
    const { claude, ask } = await startEngineApp();
    await ask('ann', '/profile risk aggressive');
    await ask('ann', 'hello all', GROUP);
    expect(systemPrompts(claude.history).join()).not.toContain('aggressive');
  });
});

describe('the system prompt', () => {
  it('is the same, byte by byte, from turn to turn and for two people in two chats of a kind', async () => {
    const { claude, ask } = await startEngineApp();
    await ask('ann', 'one');
    await ask('ann', 'two');
    await ask('ben', 'three');
    const prompts = systemPrompts(claude.history).map((prompt) =>
      prompt.replaceAll(/"cache_control":\{[^}]*\}/g, ''),
    );
    expect(new Set(prompts).size).toBe(1);
    expect(claude.history.map(({ body }) => JSON.stringify(body.tools))).toEqual(
      Array.from({ length: 3 }, () => JSON.stringify(claude.history[0]?.body.tools)),
    );
  });
});

describe('/context', () => {
  it('says what fills the window, estimated before the first answer and measured after it', async () => {
    const { claude, ask } = await startEngineApp();
    const [empty = ''] = await ask('ann', '/context');
    expect(empty).toMatch(/estimate/i);
    claude.reply(callsTool('AAPL'), answer('Apple closed at 314.74.'));
    await ask('ann', 'Apple?');
    const [report = ''] = await ask('ann', '/context');
    expect(report).toMatch(/measured|last request/i);
    expect(report).toContain('Instructions');
    expect(report).toContain('Results of tools');
    expect(report).toContain('Sonnet');
  });
});

describe('/export', () => {
  it('gives a person their conversation as a file, and nobody anything in a group', async () => {
    const { claude, ask, channel, clock } = await startEngineApp();
    expect(await ask('ann', '/export')).toEqual([expect.stringMatching(/nothing/i)]);
    claude.reply(callsTool('AAPL'), answer('Apple closed at 314.74.'));
    await ask('ann', 'What about Apple? 애플 🍎');
    await clock.advance(10_000);
    await ask('ann', '/export');
    const media = channel.sent.at(-1)?.payload.media?.[0];
    const text = readFileSync(fileURLToPath(media?.url ?? ''), 'utf8');
    expect(text).toContain('What about Apple? 애플 🍎');
    expect(text).toContain('Apple closed at 314.74.');
    expect(text).toContain('get_quote');
    expect(text).not.toContain('<context>');

    await clock.advance(10_000);
    await ask('ann', '/export', GROUP);
    expect(channel.sent.at(-1)?.payload).toMatchObject({ ephemeral: true });
    expect(channel.sent.at(-1)?.payload.media).toBeUndefined();
  });

  it('gives it as JSON lines too, which say all that was said and looked up', async () => {
    const { claude, ask, channel, clock } = await startEngineApp();
    claude.reply(callsTool('AAPL'), answer('Apple closed at 314.74.'));
    await ask('ann', 'What about Apple? 애플 🍎');
    await ask('bob', 'something of my own');
    await ask('ann', '/내보내기 json', { locale: 'ko' });
    const media = channel.sent.at(-1)?.payload.media?.[0];
    expect(media?.name).toMatch(/^finclaw-.*\.jsonl$/);
    const text = readFileSync(fileURLToPath(media?.url ?? ''), 'utf8');
    const [about, ...entries] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(about).toMatchObject({ type: 'conversation', entries: entries.length });
    expect(about?.['sessionKey']).toContain(':direct:ann');
    expect(entries.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(entries[0]?.['content']).toEqual([{ type: 'text', text: 'What about Apple? 애플 🍎' }]);
    expect(entries[2]?.['content']).toEqual([
      expect.objectContaining({
        facts: expect.arrayContaining([expect.objectContaining({ entity: 'AAPL' })]),
      }),
    ]);
    expect(text).not.toMatch(/<context>|something of my own/);

    await clock.advance(10_000);
    await ask('ann', '/export json', GROUP);
    expect(channel.sent.at(-1)?.payload).toMatchObject({ ephemeral: true });
    expect(channel.sent.at(-1)?.payload.media).toBeUndefined();
  });

  it('holds nothing of what was before a reset', async () => {
    const { ask, channel } = await startEngineApp();
    await ask('ann', 'my secret plan');
    await ask('ann', '/reset');
    await ask('ann', 'a new beginning');
    await ask('ann', '/export');
    const text = readFileSync(fileURLToPath(channel.sent.at(-1)?.payload.media?.[0]?.url ?? ''), 'utf8');
    expect(text).toContain('a new beginning');
    expect(text).not.toContain('my secret plan');
  });
});

describe('/portfolio tax and rebalance', () => {
  it('work from what was recorded in chat, record nothing themselves, and are seen by nobody else in a group', async () => {
    const { ask, channel } = await startEngineApp();
    for (const line of [
      '/portfolio deposit 50000000 KRW 2026-01-02',
      '/portfolio add AAPL 100 200 USD 2026-02-02 --rate=1400 --yes',
      '/portfolio sell AAPL 50 250 USD 2026-06-01 --rate=1380 --yes',
    ])
      expect((await ask('ann', line)).join()).toContain('Recorded');
    const tax = (await ask('ann', '/portfolio tax 2026 kr')).join();
    expect(tax).toContain('₩2,500,000');
    expect(tax).toContain('not tax advice');
    expect(tax).toContain('SAMPLE');
    const plan = (await ask('ann', '/portfolio rebalance AAPL 50 cash 50')).join();
    expect(plan).toMatch(/50\.0%[^]*SAMPLE/);
    expect((await ask('ann', '/portfolio history')).join()).toContain('#3');
    expect((await ask('ann', '/portfolio history')).join()).not.toContain('#4');
    for (const line of ['/portfolio tax 2026 kr', '/portfolio rebalance AAPL 50 cash 50']) {
      await ask('ann', line, GROUP);
      expect(channel.sent.at(-1)?.payload.ephemeral, line).toBe(true);
    }
  });
});

describe('/portfolio actions', () => {
  it('offers what is not recorded, and records all dividends once, also where a restart comes between', async () => {
    // Tuesday, 00:30 in Seoul; Monday, 10:30 in New York.
    const clock = new WatchedClock('2026-11-16T15:30:00Z');
    const { yahoo, env } = await startLiveMarket(clock);
    yahoo.setEvents('AAPL', {
      dividends: [
        { date: '2026-07-10', amount: 0.26 },
        { date: '2026-08-10', amount: 0.27 },
      ],
    });
    const first = await startEngineApp({ clock, env });
    const { claude, gpt, dataDir } = first;
    const saidBy =
      ({ ask }: typeof first) =>
      async (line: string): Promise<string> =>
        (await ask('ann', line)).join('\n');
    const before = saidBy(first);
    expect(await before('/portfolio add AAPL 10 270 USD 2026-06-01 --yes')).toContain('Recorded');
    // Nobody said a day: it is that of the exchange.
    expect(await before('/portfolio add AAPL 1')).toMatch(/· 2026-11-16\b[^]*2026-11-17 where you are/);
    expect(await before('/portfolio actions')).toMatch(
      /2026-08-10[^]*not recorded[^]*2026-07-10[^]*not recorded/,
    );
    expect(await before('/portfolio actions record all')).toContain(
      'United States, 2: usually 15% · $5.30 before tax − $0.80 = $4.50 after tax',
    );
    const recorded = await before('/portfolio actions record all after-tax');
    expect(recorded).toMatch(/\$2\.60[^]*\$2\.70/);
    await first.stop();
    const after = saidBy(await startEngineApp({ clock, env, servers: { claude, gpt }, dataDir }));
    expect(await after('/portfolio actions record all')).toContain('no dividend left to record');
    expect(await after('/portfolio history')).toContain('4 entries');
    expect(await after('/portfolio details')).toContain('Dividends: $4.50 after tax ($5.30 before)');
  });
});
