import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { modelTexts } from '#src/kernel/agent/texts/models.ts';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import {
  answer,
  bookedIn,
  costsIn,
  countInLog,
  type EngineApp,
  holds,
  startEngineApp,
  startServers,
  until,
  untilRead,
  withoutErrorId,
} from '#test/support/engine-app.ts';
import { temporaryDir } from '#test/support/database.ts';

const LIMIT_USD = new Decimal('0.05');
const PEOPLE = Array.from({ length: 64 }, (_, index) => `person-${index}`);
const QUESTION = 'How are the markets today?';
const TOKENS_IN = /\b(\d[\d,]*) tokens in\b/;

/** What `/usage` says went in today. */
const tokensIn = (shown: string | undefined): number =>
  Number(TOKENS_IN.exec(shown ?? '')?.[1]?.replaceAll(',', '') ?? 0);

describe('a budget under many questions at once', () => {
  const total = gateTexts('en').budgetTotal({ zone: 'Asia/Seoul', errorId: '…' });

  it('is overspent by at most the cost of one request, and everybody is answered or told why not', async () => {
    const engine = await startEngineApp({ env: { FINCLAW_DAILY_BUDGET_USD: LIMIT_USD.toFixed() } });
    const replies = await Promise.all(PEOPLE.map((person) => engine.ask(person, QUESTION)));
    const said = replies.map((texts) => texts.map(withoutErrorId).join(' '));
    const answered = said.filter((text) => text === 'ok').length;
    const later = failureTexts('en').noAnswer['total-budget']({ wait: '', errorId: '…' }).slice(0, 40);
    expect(answered).toBeGreaterThan(1);
    expect(answered).toBeLessThan(PEOPLE.length);
    for (const text of said) expect(text === 'ok' || text === total || text.startsWith(later)).toBe(true);
    await engine.stop();
    const costs = costsIn(engine.dataDir);
    expect(costs).toHaveLength(answered);
    const spent = Decimal.sum(...costs);
    expect(spent.toNumber()).toBeGreaterThanOrEqual(LIMIT_USD.toNumber());
    expect(spent.minus(Decimal.max(...costs)).toNumber()).toBeLessThan(LIMIT_USD.toNumber());
  });

  it('of one person is overspent by at most the cost of one request in all conversations together', async () => {
    const engine = await startEngineApp({ config: { budgets: { perUserUsd: 0.02 } } });
    await Promise.all(
      PEOPLE.map((chat) =>
        engine.ask('ann', QUESTION, { chatType: 'group', chatId: asId<ChatId>(chat), mentionsBot: true }),
      ),
    );
    expect(await engine.ask('bob', QUESTION)).toEqual(['ok']);
    await engine.stop();
    const costs = costsIn(engine.dataDir).slice(0, -1);
    const spent = Decimal.sum(...costs);
    expect(spent.minus(Decimal.max(...costs)).toNumber()).toBeLessThan(0.02);
  });
});

describe('a question that is stopped before the first word', () => {
  it('books the input that was sent, which /usage and the budget count', async () => {
    const engine = await startEngineApp({ config: { budgets: { perUserUsd: 0.001 } } });
    engine.claude.reply({ kind: 'stall' });
    await engine.send('ann', QUESTION);
    await until(() => engine.claude.history.length === 1);
    await engine.ask('ann', '/stop');
    const [shown] = await engine.ask('ann', '/usage', { locale: 'en' });
    expect(tokensIn(shown)).toBeGreaterThan(1_000);
    const [refused] = await engine.ask('ann', QUESTION);
    expect(withoutErrorId(refused)).toBe(gateTexts('en').budgetUser({ zone: 'Asia/Seoul', errorId: '…' }));
    expect(engine.claude.history).toHaveLength(1);
  });
});

describe('a process that dies between sending a request and its answer', () => {
  it('has booked the input that it sent, and holds no reservation over the next start', async () => {
    const servers = await startServers();
    const config = { budgets: { perDayUsd: 0.05 } };
    const first = await startEngineApp({ servers, config });
    servers.claude.reply({ kind: 'stall' });
    await first.send('ann', QUESTION);
    await until(() => servers.claude.history.length === 1);
    const copy = temporaryDir();
    cpSync(first.dataDir, copy, { recursive: true });

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    servers.claude.reply(holds(released, answer('Calm.')));
    const second = await startEngineApp({ servers, config, dataDir: copy });
    await until(() => servers.claude.history.length === 2);
    release();
    await second.channel.waitForSent(1);
    await untilRead();
    expect(second.channel.texts).toEqual(['Calm.']);
    const [shown] = await second.ask('bob', '/usage', { locale: 'en' });
    expect(tokensIn(shown)).toBe(0);
    await second.stop();
    const [lost, answered, ...others] = bookedIn(copy);
    expect(others).toEqual([]);
    expect(lost).toMatchObject({ userId: 'ann', outcome: 'failed', output: 0 });
    expect(lost?.input).toBeGreaterThan(1_000);
    expect(answered).toMatchObject({ userId: 'ann', outcome: 'ok' });
  });
});

const modelsAsked = ({ claude }: EngineApp): readonly (string | undefined)[] =>
  claude.history.map(({ body }) => body.model);

describe('a model that costs more than the configured one', () => {
  const t = modelTexts('en');
  const env = { FINCLAW_MODEL: 'haiku', FINCLAW_FALLBACKS: 'none', OPENAI_API_KEY: '' };

  it('is refused to a stranger in one sentence that says what they can choose, and shown in no list', async () => {
    const engine = await startEngineApp({ env });
    const refusal = t.notAllowed({ name: 'Claude Fable 5.1', choices: '`haiku`' });
    expect(await engine.ask('eve', '/model fable')).toEqual([refusal]);
    expect(await engine.ask('eve', '/model claude-fable-5-1')).toEqual([refusal]);
    await engine.ask('eve', QUESTION);
    expect(modelsAsked(engine)).toEqual(['claude-haiku-5-5']);
    const list = (await engine.ask('eve', '/model list')).join();
    expect(list).toContain('Claude Haiku 5.5');
    expect(list).not.toContain('Fable');
    expect((await engine.ask('boss', '/model list')).join()).toContain('Fable');
  });

  it('is given to an administrator, and to anybody where the operator lists it', async () => {
    const engine = await startEngineApp({ env, config: { models: { choices: ['sonnet'] } } });
    expect(await engine.ask('boss', '/model fable')).toEqual([t.switched({ name: 'Claude Fable 5.1' })]);
    await engine.ask('boss', QUESTION);
    expect(await engine.ask('eve', '/model sonnet')).toEqual([t.switched({ name: 'Claude Sonnet 5.5' })]);
    await engine.ask('eve', QUESTION);
    expect(modelsAsked(engine)).toEqual(['claude-fable-5-1', 'claude-sonnet-5-5']);
  });

  it('that was chosen earlier answers no more: the configured one does, and the log says so', async () => {
    const servers = await startServers();
    const dear = { ...env, FINCLAW_MODEL: 'fable' };
    const first = await startEngineApp({ servers, env: dear });
    await first.ask('eve', '/model opus');
    await first.stop();
    const second = await startEngineApp({ servers, env, dataDir: first.dataDir, clock: first.clock });
    expect(await second.ask('eve', QUESTION)).toEqual(['ok']);
    expect(modelsAsked(second)).toEqual(['claude-haiku-5-5']);
    const said = 'The model chosen for a conversation is now reserved for administrators';
    expect(countInLog(second.log, said)).toBe(1);
  });
});

describe('a budget that nobody set', () => {
  const definitions = {
    'dear-model': {
      provider: 'anthropic',
      contextWindow: 100_000,
      maxOutputTokens: 1_000,
      pricing: { inputPerMillion: 1_000, outputPerMillion: 1_000 },
    },
  };
  const options = { config: { models: { definitions } }, env: { FINCLAW_MODEL: 'dear-model' } };

  it('is in force where a platform is on, and the start says so', async () => {
    const env = { ...options.env, DISCORD_BOT_TOKEN: 'a.b.c' };
    const engine = await startEngineApp({ ...options, env });
    expect(engine.log.join('')).toContain('Budgets a day: $2 for each person, $20 in all');
    expect(await engine.ask('ann', QUESTION)).toEqual(['ok']);
    expect((await engine.ask('ann', QUESTION)).map(withoutErrorId)).toEqual([
      gateTexts('en').budgetUser({ zone: 'Asia/Seoul', errorId: '…' }),
    ]);
    expect((await engine.ask('ann', '/usage', { locale: 'en' })).join()).toContain(
      modelUsageTexts('en').limit({ limit: '$2.00', left: '$0.00' }),
    );
  });

  it('is none in the terminal', async () => {
    const engine = await startEngineApp(options);
    for (let question = 0; question < 2; question += 1)
      expect(await engine.ask('ann', QUESTION)).toEqual(['ok']);
    expect(engine.log.join('')).not.toContain('Budgets a day');
  });
});

describe('a person who has their data deleted', () => {
  it('gets no second budget for the day', async () => {
    const engine = await startEngineApp({ config: { budgets: { perUserUsd: 0.0005 } } });
    await engine.ask('ann', QUESTION);
    await engine.ask('ann', '/privacy delete --yes');
    const [refused] = await engine.ask('ann', QUESTION);
    expect(withoutErrorId(refused)).toBe(gateTexts('en').budgetUser({ zone: 'Asia/Seoul', errorId: '…' }));
    expect(engine.claude.history).toHaveLength(1);
  });
});
