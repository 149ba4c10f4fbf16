import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '#src/kernel/chat/feedback.ts';
import type { InboxId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { answer, type EngineApp, startEngineApp, status, until } from '#test/support/engine-app.ts';
import { actor } from '#test/support/messages.ts';
import { copyOf, IN_GROUP, query } from './gateway-support.ts';

const start = (more: Parameters<typeof startEngineApp>[0] = {}): Promise<EngineApp> =>
  startEngineApp({ channel: { capabilities: { feedbackMode: 'on' } }, ...more });

const lastRated = ({ channel }: EngineApp) => channel.sent.at(-1)?.payload.rated;

const answerTo = async (app: EngineApp, words: string, more = {}): Promise<InboxId> => {
  await app.ask('ann', words, more);
  const rated = lastRated(app);
  if (!rated) throw new Error('The answer cannot be rated');
  return rated.answerId;
};

const rate = (
  { channel }: EngineApp,
  answerId: string,
  verdict: Verdict,
  user = 'ann',
  locale: Locale = 'en',
) => channel.host.feedback.rate(answerId, verdict, actor(user, { locale }));

const stored = (app: EngineApp) =>
  query(copyOf(app), 'select user_id as user, verdict, provider, model from feedback order by user_id');

const counted = ({ log }: EngineApp): number =>
  log.filter((line) => line.includes('"feedback:verdict"')).length;

const lastFile = ({ channel }: EngineApp): string =>
  readFileSync(fileURLToPath(channel.sent.at(-1)?.payload.media?.[0]?.url ?? ''), 'utf8');

const SONNET = { provider: 'anthropic', model: expect.stringContaining('sonnet') };

describe('what people think of an answer', () => {
  it('is asked below answers of a model, with the model that wrote it, and below nothing else', async () => {
    const app = await start();
    await app.ask('ann', 'Hello');
    expect(lastRated(app)).toMatchObject(SONNET);
    for (const words of ['/price AAPL', '/help', '/why']) {
      await app.ask('ann', words);
      expect(lastRated(app)).toBeUndefined();
    }
    app.claude.reply({ kind: 'answer', text: '', stopReason: 'refusal' });
    app.gpt.otherwise(status(401));
    await app.ask('ann', 'Say something bad.');
    expect(lastRated(app)).toBeUndefined();
  });

  it('names the model that stood in for the chosen one', async () => {
    const app = await start({ env: { ANTHROPIC_API_KEY: 'geheim-claude-zwei-2222' } });
    app.claude.otherwise(status(401));
    app.gpt.reply(answer('from the other one'));
    await app.ask('ann', 'Hello');
    expect(lastRated(app)).toMatchObject({ provider: 'openai', model: expect.stringContaining('gpt') });
  });

  it('is not asked where it is off', async () => {
    const app = await start({ config: { feedback: { channels: { test: 'off' } } } });
    await app.ask('ann', 'Hello');
    expect(lastRated(app)).toBeUndefined();
  });

  it('is one verdict for each person, the newest, and counted where it is new', async () => {
    const app = await start({ env: { FINCLAW_LOG_LEVEL: 'debug' } });
    const id = await answerTo(app, 'Hello', IN_GROUP);
    const thanks = { outcome: 'stored', text: 'Thank you, noted 👍' };
    expect(await rate(app, id, 'up')).toEqual(thanks);
    expect(await rate(app, id, 'up')).toEqual(thanks);
    expect(await rate(app, id, 'down', 'stranger', 'ko')).toEqual({
      outcome: 'stored',
      text: '평가해 주셔서 고맙습니다 👎',
    });
    expect(stored(app)).toEqual([
      { user: 'ann', verdict: 'up', ...SONNET },
      { user: 'stranger', verdict: 'down', ...SONNET },
    ]);
    await rate(app, id, 'down');
    expect(stored(app)).toMatchObject([{ user: 'ann', verdict: 'down' }, { user: 'stranger' }]);
    expect(counted(app)).toBe(3);
  });

  it('of twenty presses at once is one', async () => {
    const app = await start({ env: { FINCLAW_LOG_LEVEL: 'debug' } });
    const id = await answerTo(app, 'Hello');
    await Promise.all(Array.from({ length: 20 }, () => rate(app, id, 'up')));
    expect(stored(app)).toHaveLength(1);
    expect(counted(app)).toBe(1);
  });

  it('survives a kill, after which a repeated press is not counted again', async () => {
    const app = await start();
    const id = await answerTo(app, 'Hello');
    await rate(app, id, 'up');
    const next = await start({ dataDir: copyOf(app), servers: app, env: { FINCLAW_LOG_LEVEL: 'debug' } });
    expect(await rate(next, id, 'up')).toMatchObject({ outcome: 'stored' });
    expect(counted(next)).toBe(0);
    expect(await rate(next, id, 'down')).toMatchObject({ outcome: 'stored' });
    expect(stored(next)).toMatchObject([{ verdict: 'down' }]);
    expect(counted(next)).toBe(1);
  });

  it.each([
    ['en', 'This answer is too old to be rated.'],
    ['ko', '너무 오래된 답변이라 평가할 수 없습니다.'],
  ] as const)('cannot be told of an answer that is gone or never was one (%s)', async (locale, text) => {
    const app = await start();
    const id = await answerTo(app, 'Hello');
    await rate(app, id, 'up');
    await app.ask('ann', '/privacy delete --yes');
    expect(stored(app)).toEqual([]);
    for (const gone of [id, 'nothing', ''])
      expect(await rate(app, gone, 'up', 'ann', locale)).toEqual({ outcome: 'unknown', text });
    expect(stored(app)).toEqual([]);
  });

  it('is shown by /privacy, exported with the data of the person alone, and removed by age', async () => {
    const app = await start({ config: { retentionDays: 1 } });
    const id = await answerTo(app, 'Hello', IN_GROUP);
    await rate(app, id, 'up');
    await rate(app, id, 'down', 'bob');
    expect(await app.ask('ann', '/privacy')).toEqual([
      expect.stringContaining('Your ratings of my answers: 1'),
    ]);
    await app.ask('ann', '/privacy export');
    expect(JSON.parse(lastFile(app))).toMatchObject({
      identities: [{ feedback: [{ verdict: 'up', ...SONNET }] }],
    });
    await app.clock.advance(3 * 24 * 3_600_000);
    await until(() => stored(app).length === 0);
  });

  it('is a file for administrators that names nobody', async () => {
    const app = await start();
    expect(await app.ask('boss', '/export feedback')).toEqual(['Nobody has rated an answer yet.']);
    const id = await answerTo(app, 'Hello');
    await rate(app, id, 'up');
    await rate(app, id, 'down', 'bob');
    await app.clock.advance(10_000);
    await app.ask('boss', '/export feedback');
    const file = lastFile(app);
    const lines = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { answerId: id, channel: 'test', verdict: 'up', ...SONNET },
      { answerId: id, channel: 'test', verdict: 'down', ...SONNET },
    ]);
    expect(file).not.toMatch(/"ann"|"bob"/);
    expect(await app.ask('ann', '/export feedback')).toEqual(['`/export feedback` is for administrators.']);
  });
});
