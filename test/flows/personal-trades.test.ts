import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FilledOptions } from '#src/kernel/chat/command-definition.ts';
import { portfolioTexts } from '#src/features/portfolio/texts/portfolio.ts';
import { calls, codeIn } from '#test/support/broker.ts';
import { temporaryDir } from '#test/support/database.ts';
import { answer, type EngineApp, startEngineApp, startServers, until } from '#test/support/engine-app.ts';
import { actor } from '#test/support/messages.ts';
import { lastTurnOf, query } from './gateway-support.ts';

const TRADE = { kind: 'buy', symbol: 'AAPL', quantity: '10', price: '190.5', date: '2026-11-12' };
const records = (input: object = TRADE) => calls({ name: 'record_transaction', input });

const { plan: planEn } = portfolioTexts('en');
const { plan: planKo } = portfolioTexts('ko');
const WORDS = { quantity: '10', price: '$190.50', total: '$1,905.00' };
const IN_WORDS = {
  en: planEn.buy({ ...WORDS, name: 'Apple (AAPL)' }),
  ko: planKo.buy({ ...WORDS, quantity: '10주', name: '애플 (AAPL)' }),
};

/** What is stored, of an app that has stopped. */
const entriesIn = (dataDir: string): readonly unknown[] =>
  query(dataDir, 'select number, kind, trade_date as date from transactions order by number');
const ONCE = [{ number: 1, kind: 'buy', date: '2026-11-12' }];

/** The data as a process leaves it that is killed at this moment. */
const killed = ({ dataDir }: EngineApp): string => {
  const copy = temporaryDir();
  cpSync(dataDir, copy, { recursive: true });
  return copy;
};

/** A plugin that lets no result of a tool get further. */
const HOLDING = `export default {
  name: 'holding',
  setup: ({ on }) => on('afterToolExecute', () => new Promise(() => {})),
};`;

describe('a trade that the model wants to record', () => {
  it.each([
    ['en', 'I bought 10 Apple at 190.5 yesterday', '2026-11-12'],
    ['ko', '어제 애플 10주를 190.5달러에 샀어요', '2026-11-12'],
  ] as const)(
    'is put before the person in exact words (%s), and recorded once they allow it',
    async (...row) => {
      const [locale, said, date] = row;
      const app = await startEngineApp();
      app.claude.reply(records(), answer('Done.'));
      const [question = ''] = await app.ask('ann', said);
      expect(question).toContain(IN_WORDS[locale]);
      expect(question).toContain(` · ${date}`);
      expect(await app.ask('ann', '/portfolio list')).toEqual([portfolioTexts('en').empty()]);

      await app.ask('ann', `/approve ${codeIn(question)}`);
      await until(() => app.channel.texts.some((text) => text.startsWith('Done.')));
      expect(lastTurnOf(app.claude.history.at(-1)?.body).join('')).toContain('#1');
      // The same word once more changes nothing.
      await app.ask('ann', `/approve ${codeIn(question)}`);
      await app.stop();
      expect(entriesIn(app.dataDir)).toEqual(ONCE);
    },
  );

  it('is refused before anybody is asked where it cannot be, and the model is told why', async () => {
    const app = await startEngineApp();
    app.claude.reply(records({ ...TRADE, kind: 'sell' }), answer('You hold none.'));
    expect(await app.ask('ann', 'I sold 10 Apple at 190.5')).toEqual([
      expect.stringContaining('You hold none.'),
    ]);
    expect(lastTurnOf(app.claude.history.at(-1)?.body).join('')).toMatch(/you hold no Apple/);
    await app.stop();
    expect(query(app.dataDir, 'select * from approvals')).toEqual([]);
  });

  it('is put before the person with all that is odd about it, and recorded with one yes', async () => {
    const app = await startEngineApp();
    app.claude.reply(records({ ...TRADE, price: '1234.5', date: '2026-11-08' }), answer('Done.'));
    const [question = ''] = await app.ask('ann', 'I bought 10 Apple at 1,234.5 on Sunday');
    expect(question).toContain(
      'Sun 2026-11-08: weekend, the US market was closed. Nearest trading days: Fri 2026-11-06',
    );
    expect(question).toMatch(/\$1,234\.50 is about \d/);
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => app.channel.texts.some((text) => text.startsWith('Done.')));
    await app.stop();
    expect(entriesIn(app.dataDir)).toEqual([{ number: 1, kind: 'buy', date: '2026-11-08' }]);
  });

  it('is not recorded where it is denied, nor by the word of somebody else', async () => {
    const app = await startEngineApp();
    app.claude.reply(records(), answer('As you wish.'));
    const [question] = await app.ask('ann', 'I bought 10 Apple at 190.5');
    await app.ask('ben', `/approve ${codeIn(question)}`);
    expect(app.claude.history).toHaveLength(1);
    await app.ask('ann', `/deny ${codeIn(question)}`);
    await until(() => app.channel.texts.includes('As you wish.'));
    expect(lastTurnOf(app.claude.history.at(-1)?.body)).toEqual(['result Not done: the person refused it.']);
    await app.stop();
    expect(query(app.dataDir, 'select * from portfolios')).toEqual([]);
    expect(entriesIn(app.dataDir)).toEqual([]);
  });

  it('is asked about again where it is another one than was allowed', async () => {
    const app = await startEngineApp();
    app.claude.reply(records(), records({ ...TRADE, quantity: '11' }), answer('Both told.'));
    const [first] = await app.ask('ann', 'I bought 10 Apple at 190.5');
    await app.ask('ann', `/approve ${codeIn(first)}`);
    await until(() => app.channel.texts.some((text) => text.includes('$2,095.50')));
    const second = app.channel.texts.find((text) => text.includes('$2,095.50'));
    expect(codeIn(second)).not.toBe(codeIn(first));
    await app.ask('ann', `/approve ${codeIn(first)}`);
    await app.ask('ann', `/deny ${codeIn(second)}`);
    await until(() => app.channel.texts.some((text) => text.startsWith('Both told.')));
    await app.stop();
    expect(entriesIn(app.dataDir)).toEqual(ONCE);
  });

  it('is recorded once over a restart that lies between the question and the word', async () => {
    const servers = await startServers();
    const first = await startEngineApp({ servers });
    servers.claude.reply(records(), answer('Done.'));
    const [question] = await first.ask('ann', 'I bought 10 Apple at 190.5');
    await first.stop();
    const second = await startEngineApp({ servers, dataDir: first.dataDir });
    await second.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => second.channel.texts.some((text) => text.startsWith('Done.')));
    await second.stop();
    expect(entriesIn(first.dataDir)).toEqual(ONCE);
  });

  it('is recorded once where the process is killed after it, before the model has said a word', async () => {
    const servers = await startServers();
    const first = await startEngineApp({ servers });
    servers.claude.reply(records(), { kind: 'stall', answer: { text: 'Do' } });
    const [question] = await first.ask('ann', 'I bought 10 Apple at 190.5');
    await first.send('ann', `/approve ${codeIn(question)}`);
    await until(() => servers.claude.history.length === 2);
    servers.claude.reply(answer('Done.'));
    const second = await startEngineApp({ servers, dataDir: killed(first) });
    await until(() => second.channel.texts.some((text) => text.startsWith('Done.')));
    await second.stop();
    expect(entriesIn(second.dataDir)).toEqual(ONCE);
  });

  it('is recorded once where the process is killed before it knew, and the model is told so', async () => {
    const servers = await startServers();
    const dataDir = temporaryDir();
    writeFileSync(join(dataDir, 'holding.mjs'), HOLDING);
    const first = await startEngineApp({ servers, dataDir, config: { plugins: ['./holding.mjs'] } });
    servers.claude.reply(records(), answer('Please check.'));
    const [question] = await first.ask('ann', 'I bought 10 Apple at 190.5');
    await first.send('ann', `/approve ${codeIn(question)}`);
    const isStored = async (): Promise<boolean> =>
      (await first.ask('ann', '/portfolio history')).join('').includes('#1');
    while (!(await isStored()));
    const second = await startEngineApp({ servers, dataDir: killed(first) });
    await until(() => second.channel.texts.some((text) => text.startsWith('Please check.')));
    expect(lastTurnOf(servers.claude.history.at(-1)?.body).join('')).toContain(
      'not known whether it took effect',
    );
    await second.stop();
    expect(entriesIn(second.dataDir)).toEqual(ONCE);
  });
});

describe('an entry that the model wants to take back', () => {
  it('is shown in full, and is the one that goes whatever is recorded until the person allows it', async () => {
    const app = await startEngineApp();
    await app.ask('ann', '/portfolio add AAPL 10 190.5 2026-11-12 --yes');
    app.claude.reply(calls({ name: 'undo_transaction', input: {} }), answer('Done.'));
    const [question = ''] = await app.ask('ann', 'undo that');
    expect(question).toContain('Take back entry #1');
    expect(question).toContain('Bought 10 Apple (AAPL) at $190.50 = $1,905.00');
    expect(question).toContain('2026-11-12');
    await app.ask('ann', '/portfolio deposit 500 USD --yes');
    await app.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => app.channel.texts.some((text) => text.startsWith('Done.')));
    const history = (await app.ask('ann', '/portfolio history')).join();
    expect(history).toMatch(
      /#2\*\* Deposit: \$500\.00 · 2026-11-13\n- ~~\*\*#1\*\* Bought 10.*\(taken back\)/u,
    );
    await app.stop();
  });

  it('is refused before anybody is asked where it is not there, or later entries need it', async () => {
    const app = await startEngineApp();
    await app.ask('ann', '/portfolio add AAPL 10 190.5 2026-11-11 --yes');
    await app.ask('ann', '/portfolio sell AAPL 10 191 2026-11-12 --yes');
    for (const [number, why] of [
      [1, '#1 cannot be taken back, because #2 needs it. Take back #2 first'],
      [7, 'There is no entry #7'],
    ] as const) {
      app.claude.reply(calls({ name: 'undo_transaction', input: { number } }), answer(`No ${number}.`));
      expect((await app.ask('ann', `undo ${number}`)).join()).toContain(`No ${number}.`);
      expect(lastTurnOf(app.claude.history.at(-1)?.body).join('')).toContain(why);
    }
    await app.stop();
  });

  it('is not guessed where a restart lies between the question and the word', async () => {
    const servers = await startServers();
    const first = await startEngineApp({ servers });
    await first.ask('ann', '/portfolio add AAPL 10 190.5 2026-11-12 --yes');
    first.claude.reply(calls({ name: 'undo_transaction', input: {} }), answer('Which one?'));
    const [question = ''] = await first.ask('ann', 'undo that');
    await first.stop();
    const second = await startEngineApp({ servers, dataDir: first.dataDir });
    await second.ask('ann', `/approve ${codeIn(question)}`);
    await until(() => second.channel.texts.some((text) => text.startsWith('Which one?')));
    expect(lastTurnOf(second.claude.history.at(-1)?.body).join('')).toContain(
      portfolioTexts('en').undoWhich(),
    );
    await second.stop();
  });
});

describe('an entry that is undone', () => {
  it('is completed by the portfolio on the form, and keeps it whatever the form says later', async () => {
    const app = await startEngineApp();
    const { channel } = app;
    const sender = actor('ann', { channelId: channel.id });
    const entries = (filled: FilledOptions = {}) => channel.host.suggest('entry', '', sender, 25, filled);
    await app.ask('ann', '/portfolio buy AAPL 10 190 2026-11-12');
    expect(await entries()).toMatchObject([{ value: '1', label: expect.stringMatching(/^#1 .*Apple/) }]);
    await app.ask('ann', '/portfolio new pension USD');
    await app.ask('ann', '/portfolio buy MSFT 2 400 2026-11-12 --in=pension');
    const [first] = await entries();
    expect(first?.label).toMatch(/^#1@(?!pension)\S+ .*Apple/);
    expect(await entries({ portfolio: 'Pension' })).toMatchObject([
      { value: '1@pension', label: expect.stringMatching(/^#1@pension .*Microsoft/) },
    ]);
    expect(await entries({ portfolio: 'nothing' })).toEqual([]);
    const [refused = ''] = await app.ask('ann', `/portfolio undo ${first?.value ?? ''} --in=pension`);
    expect(refused).toContain('I do not understand');
    const [undone = ''] = await app.ask('ann', '/portfolio undo 1@pension');
    expect(undone).toContain('Microsoft');
    expect(await entries()).toHaveLength(1);
    expect(await entries({ portfolio: 'pension' })).toEqual([]);
  });
});
