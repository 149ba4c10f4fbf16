import { describe, expect, it } from 'vitest';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import {
  bookedIn,
  type EngineApp,
  startEngineApp,
  startServers,
  withoutErrorId,
} from '#test/support/engine-app.ts';
import { query } from './gateway-support.ts';
import { WatchedClock } from '#test/support/watched-clock.ts';

/** Less than one question costs, and more than nothing. */
const SMALL_USD = 0.0005;
/** The clock of the tests begins at half past three in the afternoon, in Seoul. */
const UNTIL_MIDNIGHT_MS = 8.5 * 3_600_000;

const requests = ({ claude, gpt }: EngineApp): number => claude.history.length + gpt.history.length;

/** After a start; then every day. */
const FIRST_PURGE_MS = 60_000;

const spent = (scope: 'user' | 'total', locale: 'ko' | 'en'): string => {
  const { budgetUser, budgetTotal } = gateTexts(locale);
  return (scope === 'user' ? budgetUser : budgetTotal)({ zone: 'Asia/Seoul', errorId: '…' });
};

describe('the budget of the bot', () => {
  it('once spent stops everybody before any request, until the day ends', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_DAILY_BUDGET_USD: String(SMALL_USD) } });
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['ok']);
    expect((await engine.ask('ann', 'And in Asia, please?')).map(withoutErrorId)).toEqual([
      spent('total', 'en'),
    ]);
    expect((await engine.ask('bob', '시장 어때요?')).map(withoutErrorId)).toEqual([spent('total', 'ko')]);
    expect(requests(engine)).toBe(1);
    expect(await engine.ask('bob', '/price AAPL')).toEqual([expect.stringContaining('Apple (AAPL)')]);

    await engine.clock.advance(UNTIL_MIDNIGHT_MS - 1);
    await engine.ask('ann', 'Is it midnight already?');
    expect(requests(engine)).toBe(1);
    await engine.clock.advance(1);
    expect(await engine.ask('ann', 'And now, please?')).toEqual(['ok']);
    expect(requests(engine)).toBe(2);
    await engine.stop();
    expect(bookedIn(engine.dataDir)).toHaveLength(2);
  });

  it('set in the file is not forgotten over a restart', async () => {
    const servers = await startServers();
    const config = { budgets: { perDayUsd: SMALL_USD } };
    const first = await startEngineApp({ servers, config });
    await first.ask('ann', 'How are the markets?');
    await first.stop();
    const second = await startEngineApp({ servers, config, dataDir: first.dataDir, clock: first.clock });
    expect((await second.ask('ann', 'And now, please?')).map(withoutErrorId)).toEqual([spent('total', 'en')]);
    expect(requests(second)).toBe(1);
  });

  it('of nothing lets nothing be asked, and one in the environment goes before that of the file', async () => {
    const engine = await startEngineApp({
      env: { FINCLAW_DAILY_BUDGET_USD: '0' },
      config: { budgets: { perDayUsd: 100 } },
    });
    expect(await engine.ask('ann', 'How are the markets?')).toHaveLength(1);
    expect(requests(engine)).toBe(0);
  });

  it('does not stop the offline model, which costs nothing', async () => {
    const keyless = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', FINCLAW_MODEL: '', FINCLAW_FALLBACKS: '' };
    const engine = await startEngineApp({ env: { ...keyless, FINCLAW_DAILY_BUDGET_USD: '0' } });
    expect(await engine.ask('ann', 'How is Apple doing today?')).toEqual([
      expect.stringContaining('Apple (AAPL)'),
    ]);
  });

  it('counts what a failed request cost, and nothing for one that was turned away', async () => {
    const engine = await startEngineApp({
      env: { FINCLAW_DAILY_BUDGET_USD: String(SMALL_USD), FINCLAW_FALLBACKS: 'none' },
    });
    engine.claude.reply({ kind: 'status', status: 401 });
    await engine.ask('ann', 'How are the markets?');
    await engine.clock.advance(300_000);
    // It spends the budget, so that nothing is left for another try.
    engine.claude.reply({ kind: 'cut', answer: { text: 'A long beginning. '.repeat(20) } });
    await engine.ask('ann', 'And how are they now?');
    expect(requests(engine)).toBe(2);
    expect((await engine.ask('ann', 'Is anybody there?')).map(withoutErrorId)).toEqual([
      spent('total', 'en'),
    ]);
    expect(requests(engine)).toBe(2);
  });
});

describe('a model without a known price', () => {
  const definitions = {
    'our-model': { provider: 'openai', contextWindow: 32_000, maxOutputTokens: 2_000, aliases: ['ours'] },
  };
  const WARNING = /The price of ([\w.-]+) is not known, so its use counts against no budget\./g;

  it.each<[string, object, NodeJS.ProcessEnv, readonly string[]]>([
    ['for everybody', {}, { FINCLAW_DAILY_BUDGET_USD: '5' }, ['our-model']],
    ['for each person', { budgets: { perUserUsd: 5 } }, {}, ['our-model']],
    ['that is not set', {}, {}, []],
    ['that the model is not used under', {}, { FINCLAW_DAILY_BUDGET_USD: '5', FINCLAW_FALLBACKS: 'gpt' }, []],
  ])('is told at the start, for the sake of a budget %s', async (_what, config, env, expected) => {
    const { log } = await startEngineApp({
      config: { models: { definitions }, ...config },
      env: { FINCLAW_FALLBACKS: 'ours', ...env },
    });
    const warnings = log.filter((line) => line.includes('"level":"warn"')).join('');
    expect(Array.from(warnings.matchAll(WARNING), ([, id]) => id)).toEqual(expected);
  });
});

describe('the ledger', () => {
  it('forgets soon after a start what is older than the days of the setting, and nothing else', async () => {
    const servers = await startServers();
    const config = { retentionDays: 2 };
    const first = await startEngineApp({ servers, config, clock: new WatchedClock('2026-11-13T06:30:00Z') });
    await first.ask('ann', 'How are the markets?');
    await first.clock.advance(1);
    await first.ask('bob', 'How are the markets?');
    await first.stop();
    const { dataDir } = first;
    const usersAt = async (time: string): Promise<readonly string[]> => {
      const startedAt = Temporal.Instant.from(time).subtract({ milliseconds: FIRST_PURGE_MS }).toString();
      const again = await startEngineApp({ servers, config, dataDir, clock: new WatchedClock(startedAt) });
      await again.clock.untilWaiting(FIRST_PURGE_MS);
      await again.clock.advance(FIRST_PURGE_MS);
      await again.clock.untilWaiting(24 * 3_600_000);
      await again.stop();
      return bookedIn(dataDir).map(({ userId }) => userId);
    };
    expect(await usersAt('2026-11-15T06:30:00Z')).toEqual(['ann', 'bob']);
    expect(await usersAt('2026-11-15T06:30:00.001Z')).toEqual(['bob']);
    expect(await usersAt('2026-11-16T00:00:00Z')).toEqual([]);
  });
});

describe('the budget of a person', () => {
  const config = { budgets: { perUserUsd: SMALL_USD } };

  it('once spent stops that person everywhere, and nobody else', async () => {
    const engine = await startEngineApp({ config });
    const group = { chatType: 'group', chatId: asId<ChatId>('all'), mentionsBot: true } as const;
    expect(await engine.ask('ann', 'How are the markets?')).toEqual(['ok']);
    expect((await engine.ask('ann', '아시아는 어때요?')).map(withoutErrorId)).toEqual([spent('user', 'ko')]);
    expect((await engine.ask('ann', 'And in the group?', group)).map(withoutErrorId)).toEqual([
      spent('user', 'en'),
    ]);
    expect(requests(engine)).toBe(1);
    expect(await engine.ask('bob', 'How are the markets?')).toEqual(['ok']);
    expect(await engine.ask('cem', 'How are the markets?', group)).toEqual(['ok']);
    expect(requests(engine)).toBe(3);
    await engine.clock.advance(UNTIL_MIDNIGHT_MS);
    expect(await engine.ask('ann', 'And now, please?')).toEqual(['ok']);
  });

  it('is nearly spent: the answer that does it says so, once', async () => {
    const { dataDir, ask, stop } = await startEngineApp();
    await ask('ann', 'How are the markets?');
    await stop();
    const [booked] = query(dataDir, 'select cost_pico_usd from usage');
    const perUserUsd = (Number(booked?.['cost_pico_usd']) / 1e12) * 1.1;
    const engine = await startEngineApp({ config: { budgets: { perUserUsd } } });
    const note = gateTexts('en').budgetNearly({ percent: 90 });
    expect(await engine.ask('ann', 'How are the markets?')).toEqual([`ok\n\n${note}`]);
    expect(await engine.ask('ann', 'And in Asia, please?')).toEqual(['ok']);
  });

  it('is told by /usage, with what is left of it', async () => {
    const engine = await startEngineApp({ config: { budgets: { perUserUsd: 5, perDayUsd: 20 } } });
    const [shown = ''] = await engine.ask('ann', '/usage', { locale: 'en' });
    expect(shown).toContain(modelUsageTexts('en').limit({ limit: '$5.00', left: '$5.00' }));
    expect(shown).toContain(modelUsageTexts('en').limitShared({ limit: '$20.00' }));
  });
});
