import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { calls } from '#test/support/broker.ts';
import { answer, type EngineApp, filesWith, startEngineApp } from '#test/support/engine-app.ts';
import { giveOwnThings, HERS, ownThingsSeenBy } from '#test/support/own-things.ts';
import { IN_GROUP, lastTurnOf, problemsOf, query } from './gateway-support.ts';

const IN_THREAD: Partial<MsgContext> = {
  ...IN_GROUP,
  chatId: asId<ChatId>('room'),
  chatType: 'channel',
  threadId: asId<ThreadId>('thread'),
};
const PLACES = [
  ['a direct chat', {}],
  ['a group', IN_GROUP],
  ['a thread', IN_THREAD],
] as const;

const SENSITIVE = [
  ['get_portfolio', {}],
  ['analyze_portfolio', {}],
  ['get_tax_report', {}],
  ['plan_rebalance', {}],
  ['list_alerts', {}],
  ['set_alert', { symbol: 'AAPL', condition: 'above', value: '1' }],
  ['remove_alert', { which: 'all' }],
  ['manage_watchlist', { action: 'show' }],
  ['set_briefing', { action: 'set', time: '08:30' }],
  ['record_transaction', { kind: 'buy', symbol: 'AAPL', quantity: '1', price: '1', date: '2026-11-12' }],
  ['query_my_data', { what: 'alerts' }],
] as const;

/** By way of the tool that finds others: it is there whatever is offered. */
const through = (name: string, input: unknown) => ({ name: 'call_tool', input: { name, input } });

const saidSince = ({ channel }: EngineApp, count: number) => channel.sent.slice(count);

describe('a second person', () => {
  it('sees nothing of the first anywhere, and what they ask for is shown to them alone', async () => {
    const app = await startEngineApp();
    await giveOwnThings(app, 'ann');
    for (const [place, where] of PLACES) {
      const before = app.channel.sent.length;
      for (const line of ['/portfolio', '/portfolio analysis', '/portfolio export', '/briefing now'])
        await app.ask('ben', line, where);
      expect(await ownThingsSeenBy(app, 'ben', where), place).toHaveLength(6);
      const sent = saidSince(app, before).map(({ payload }) => payload);
      expect(sent.map(({ text }) => text).join('\n'), place).not.toMatch(HERS);
      if (place !== 'a direct chat')
        expect(
          sent.every(({ ephemeral }) => ephemeral),
          place,
        ).toBe(true);
    }
  });

  it('gets nothing by the ids, codes, names and numbers of the first, as if they were not there', async () => {
    const app = await startEngineApp();
    const { alertId, briefingId, importCode } = await giveOwnThings(app, 'ann');
    const hers = await ownThingsSeenBy(app, 'ann');
    await app.ask('ben', '/portfolio add AAPL 1 1 --yes');
    await app.ask('ben', '/watch MSFT');
    for (const [line, real, unreal] of [
      ['/alert delete ID', alertId, 'zzzzzz'],
      ['/alert snooze ID 1h', alertId, 'zzzzzz'],
      ['/alert delete ID', 'AVGO', 'INTC'],
      ['/briefing delete ID', briefingId, 'zzzzzz'],
      ['/portfolio import confirm ID all', importCode, 'ZZZZZZ'],
      ['/portfolio import confirm ID none', importCode, 'ZZZZZZ'],
      ['/portfolio --in=ID', 'nest-egg', 'no-such'],
      ['/portfolio history --in=ID', 'nest-egg', 'no-such'],
      ['/portfolio export --in=ID', 'nest-egg', 'no-such'],
      ['/portfolio undo 1 --in=ID', 'nest-egg', 'no-such'],
      ['/portfolio use ID', 'nest-egg', 'no-such'],
      ['/portfolio delete ID --yes', 'nest-egg', 'no-such'],
    ] as const) {
      const [said, instead] = [
        await app.ask('ben', line.replace('ID', real)),
        await app.ask('ben', line.replace('ID', unreal)),
      ].map((texts) => texts.join('\n'));
      expect(said?.replaceAll(real, 'ID').replace('Broadcom Inc. (ID, NASDAQ)', 'NAME'), line).toBe(
        instead?.replaceAll(unreal, 'ID').replace('Intel Corporation (ID, NASDAQ)', 'NAME'),
      );
      expect(said?.replaceAll(real, ''), line).not.toMatch(HERS);
    }
    // Nor does what is meant for all of their own reach further.
    for (const line of [
      '/alert delete all --yes',
      '/watch clear --yes',
      '/portfolio undo',
      '/privacy delete --yes',
    ])
      await app.ask('ben', line);
    const still = await ownThingsSeenBy(app, 'ann');
    expect(still.slice(0, -1)).toEqual(hers.slice(0, -1));
    expect(await app.ask('ann', `/portfolio import confirm ${importCode} all`)).toEqual([
      expect.stringMatching(/nest-egg.*: \*\*1\*\*/),
    ]);
  });

  it('gets nothing of the first from the model, whose tools know who asks', async () => {
    const app = await startEngineApp();
    const { alertId } = await giveOwnThings(app, 'ann');
    const tools = [
      ['get_portfolio', {}],
      ['get_portfolio', { portfolio: 'nest-egg' }],
      ['analyze_portfolio', { portfolio: 'nest-egg' }],
      ['get_tax_report', { portfolio: 'nest-egg' }],
      ['plan_rebalance', { portfolio: 'nest-egg' }],
      ['list_alerts', {}],
      ['remove_alert', { which: alertId }],
      ['manage_watchlist', { action: 'show' }],
      ['query_my_data', { what: 'alerts' }],
    ] as const;
    const both = async (who: string): Promise<string> => {
      app.claude.reply(calls(...tools.map(([name, input]) => through(name, input))), answer('So it is.'));
      await app.ask(who, 'What do I have?');
      expect(problemsOf(app.claude)).toEqual([]);
      return lastTurnOf(app.claude.history.at(-1)?.body).join('\n').replaceAll('"nest-egg"', '');
    };
    const told = await both('ben');
    expect(told.split('result ')).toHaveLength(tools.length + 1);
    expect(told).not.toMatch(HERS);
    expect(await both('ann')).toMatch(HERS);
  });
});

describe.each(['claude', 'gpt'] as const)('a request to %s', (model) => {
  it('from a group holds nothing of anybody, whatever they did there; from a direct chat it does', async () => {
    const app = await startEngineApp({ env: { FINCLAW_MODEL: model === 'gpt' ? 'gpt' : 'sonnet' } });
    await giveOwnThings(app, 'ann');
    const requests = (): string => JSON.stringify(app[model].history.map(({ body }) => body));
    for (const where of [IN_GROUP, IN_THREAD]) {
      await ownThingsSeenBy(app, 'ann', where);
      await app.ask('ann', '/portfolio add AVGO 1 7777 --yes', where);
      await app.ask('ann', '/alert NFLX > 7777 --dm --yes', where);
      await app.ask('ann', 'What do I have?', where);
      await app.ask('ben', 'And what does Ann have?', where);
    }
    expect(app[model].history).toHaveLength(4);
    const inPublic = app.channel.sent.filter(({ target, payload }) => !target.isDirect && !payload.ephemeral);
    expect(inPublic.map(({ payload }) => payload.text)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(requests()).not.toMatch(HERS);
    await app.ask('ann', 'What do I have?');
    for (const part of ['holds: 7779 AVGO', 'alert: AVGO at $7,777.00', 'watches: NFLX', 'aggressive'])
      expect(JSON.stringify(app[model].history.at(-1)?.body)).toContain(part);
    await app.ask('ben', 'What do I have?');
    expect(JSON.stringify(app[model].history.at(-1)?.body)).not.toMatch(HERS);
    await app.stop();
    // Nor does what all share keep any of it.
    const shared = query(
      app.dataDir,
      `select group_concat(message) as said from transcript_entries
         group by session_key having said like '%And what does Ann have?%'`,
    );
    expect(shared).toHaveLength(2);
    for (const { said } of shared) expect(said).not.toMatch(HERS);
  });
});

describe('a tool that reads or changes what is somebody’s own', () => {
  it('is not offered to the model where others read along', async () => {
    const { claude, ask } = await startEngineApp();
    for (const where of [IN_GROUP, IN_THREAD, {}]) await ask('ann', 'hello', where);
    const [group, thread, direct] = claude.history.map(({ body }) =>
      JSON.stringify([body.tools, body.system]),
    );
    const OWN = /\b(?:get_portfolio|record_transaction|list_alerts|manage_watchlist|set_briefing)\b/g;
    expect(new Set(direct?.match(OWN)).size).toBe(5);
    expect([group?.match(OWN), thread?.match(OWN)]).toEqual([null, null]);
  });

  it('does nothing where others read along, and the model is told where it would', async () => {
    const app = await startEngineApp();
    await giveOwnThings(app, 'ann');
    const hers = await ownThingsSeenBy(app, 'ann');
    for (const where of [IN_GROUP, IN_THREAD]) {
      const sent = app.channel.sent.length;
      app.claude.reply(
        calls(...SENSITIVE.map(([name, input]) => through(name, input))),
        answer('Ask me in private.'),
      );
      expect(await app.ask('ann', 'Do all of it', where)).toEqual(['Ask me in private.']);
      expect(saidSince(app, sent)).toHaveLength(1);
      const results = lastTurnOf(app.claude.history.at(-1)?.body);
      expect(results).toHaveLength(SENSITIVE.length);
      for (const result of results) expect(result).toMatch(/^result (?!.*7777).*direct chat is needed/s);
    }
    expect((await ownThingsSeenBy(app, 'ann')).slice(0, -1)).toEqual(hers.slice(0, -1));
  });
});

describe('/privacy', () => {
  const OWNED = ['portfolios', 'alerts', 'watchlist_entries', 'briefings', 'pending_imports'];

  it('gives a person all of their own and nothing of others, and deletes it to the last byte', async () => {
    const app = await startEngineApp();
    await giveOwnThings(app, 'ann');
    await app.ask('ben', '/portfolio add AAPL 3 100 --note=osprey --yes');
    await app.ask('ben', '/watch MSFT');
    for (const who of ['ann', 'ben']) await app.ask(who, '/portfolio');
    const pictures = (): number => readdirSync(join(app.dataDir, 'charts')).length;
    expect(pictures()).toBe(2);
    const exportOf = async (who: string): Promise<string> => {
      await app.ask(who, '/privacy export', IN_GROUP);
      const sent = app.channel.sent.at(-1)?.payload;
      expect(sent?.ephemeral).toBe(true);
      return readFileSync(fileURLToPath(sent?.media?.[0]?.url ?? ''), 'utf8');
    };
    const hers = await exportOf('ann');
    for (const part of ['nest-egg', 'AVGO', '7777', 'heron', 'NFLX', 'aggressive', '08:30'])
      expect(hers).toContain(part);
    expect(hers).not.toContain('osprey');
    expect(await exportOf('ben')).not.toMatch(HERS);

    await app.ask('ann', '/privacy delete', IN_GROUP);
    expect((await app.ask('ann', '/portfolio history')).join('')).toContain('heron');
    const [done = ''] = await app.ask('ann', '/privacy delete --yes');
    expect(done).toMatch(/1 portfolio[^]*1 alert/);
    expect(pictures()).toBe(1);
    expect((await ownThingsSeenBy(app, 'ann')).join('\n')).not.toMatch(HERS);
    expect((await app.ask('ben', '/portfolio history')).join('')).toContain('osprey');
    await app.stop();
    const owners = OWNED.flatMap((table) =>
      query(app.dataDir, `select distinct owner_id as id from ${table}`),
    );
    expect(new Set(owners.map(({ id }) => id))).toEqual(new Set(['person:test:ben']));
    for (const word of ['heron', 'nest-egg']) expect(filesWith(app.dataDir, word), word).toEqual([]);
  });
});
