import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { operationsTexts } from '#commands/admin/texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { freePort } from '#test/support/database.ts';
import {
  answer,
  callsTool,
  CLAUDE_KEYS,
  type EngineApp,
  filesWith,
  GPT_KEY,
  startEngineApp,
  status,
  until,
} from '#test/support/engine-app.ts';
import { endsIn, held, IN_GROUP, OVERHEARD, query, settled } from './gateway-support.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';

const t = operationsTexts('en');
const ERROR_ID = /\((?:error|오류) ([0-9a-f]{8})\)/;
const errorIdIn = (text = ''): string => ERROR_ID.exec(text)?.[1] ?? 'none';

const onPort = async (more: Parameters<typeof startEngineApp>[0] = {}) => {
  const port = await freePort();
  const app = await startEngineApp({ ...more, env: { FINCLAW_HTTP_PORT: String(port), ...more.env } });
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
  return { app, get };
};

/** What one number of the program is, all its labels together. */
const sumOf = (metrics: string, name: string): number =>
  [...metrics.matchAll(new RegExp(`^finclaw_${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

describe('the pages for the machine', () => {
  it('count what was taken, turned away, asked, paid and sent', async () => {
    const { app, get } = await onPort();
    app.claude.reply(callsTool('AAPL'), answer('As asked.'), status(529));
    await app.ask('ann', 'How is Apple?');
    await app.ask('ann', 'And Tesla?');
    await app.ask('ann', '/help');
    await app.send('ann', 'Nobody asked you.', OVERHEARD);
    const metrics = await (await get('/metrics')).text();
    expect(sumOf(metrics, 'messages_accepted_total')).toBe(3);
    expect(sumOf(metrics, 'messages_dropped_total')).toBe(1);
    expect(sumOf(metrics, 'deliveries_total')).toBe(3);
    expect(sumOf(metrics, 'model_request_duration_seconds_count')).toBe(4);
    expect(sumOf(metrics, 'tool_calls_total')).toBe(1);
    expect(sumOf(metrics, 'pipeline_duration_seconds_count')).toBe(3);
    for (const kind of ['output', 'cache_read', 'cache_write'])
      expect(sumOf(metrics, `model_tokens_total\\{.*kind="${kind}"\\}`), kind).toBeGreaterThan(0);
    expect(sumOf(metrics, 'model_cost_usd_total')).toBeGreaterThan(0);
    for (const stage of ['normalize', 'command', 'ack', 'context', 'execute', 'deliver'])
      expect(metrics).toContain(`finclaw_stage_duration_seconds_count{stage="${stage}",`);
    expect(sumOf(metrics, 'inbox_messages')).toBe(0);
  });

  it('count what waits, and messages that were merged or superseded', async () => {
    const { app, get } = await onPort();
    const { reply, letGo } = held();
    app.claude.reply(reply);
    const receipts = [await app.send('ann', 'one')];
    await until(() => app.claude.history.length === 1);
    receipts.push(await app.send('ann', 'two'), await app.send('ann', 'three'));
    const waiting = await (await get('/metrics')).text();
    expect(sumOf(waiting, 'queue_waiting')).toBe(2);
    expect(sumOf(waiting, 'queue_running')).toBe(1);
    expect(sumOf(waiting, 'inbox_messages')).toBe(3);
    expect(await (await get('/healthz')).json()).toMatchObject({
      status: 'ok',
      queue: { sessions: 1, running: 1, waiting: 2 },
    });
    letGo();
    await settled(...receipts);
    await app.ask('ann', '/queue interrupt');
    app.claude.reply({ kind: 'stall' });
    const first = await app.send('ann', 'four');
    await until(() => app.claude.history.length === 3);
    await app.ask('ann', 'five');
    await settled(first);
    const metrics = await (await get('/metrics')).text();
    expect(sumOf(metrics, 'messages_merged_total')).toBe(1);
    expect(sumOf(metrics, 'messages_superseded_total')).toBe(1);
    expect(sumOf(metrics, 'queue_waiting')).toBe(0);
  });

  it('say when the program cannot take messages', async () => {
    const { app, get } = await onPort();
    const ready = await get('/readyz');
    expect(ready.status).toBe(200);
    await app.channel.stop();
    const after = await get('/readyz');
    expect(after.status).toBe(503);
    expect(await after.json()).toEqual({
      ok: false,
      channels: { test: 'down: not connected; the log says more' },
      database: true,
    });
    expect((await get('/healthz')).status).toBe(200);
  });
});

describe('/status', () => {
  it('tells an administrator how the bot is doing, and nobody else', async () => {
    const app = await startEngineApp();
    await app.ask('ann', 'How is Apple?');
    const [shown = ''] = await app.ask('boss', '/status');
    expect(shown).toContain('FinClaw 0.0.0-test');
    expect(shown).toContain('`test` connected');
    expect(shown).toContain(t.status.noDeadLetters());
    expect(shown).toMatch(/\*\*Models today\*\* — \$\S+ · 1 request/);
    for (const command of ['/status', '/debug last', '/config'])
      expect(await app.ask('ann', command)).toEqual([
        commandTexts('en').missingRole({ name: command.slice(1).split(' ')[0] ?? '' }),
      ]);
    const inGroup = await app.ask('boss', '/상태', IN_GROUP);
    expect(inGroup).toEqual([expect.stringContaining('가동 시간')]);
    expect(app.channel.sent.at(-1)?.payload.ephemeral).toBe(true);
  });
});

describe('/debug last', () => {
  it('shows what became of the last messages of this conversation, with the stages and the error id', async () => {
    const app = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'none' } });
    await app.ask('ann', 'Something else.');
    app.claude.reply(answer('ok'), { kind: 'answer', text: '', stopReason: 'refusal' });
    await app.ask('boss', 'How is Apple?');
    const [refused] = await app.ask('boss', 'Do something bad.');
    const [last = ''] = await app.ask('boss', '/debug last');
    expect(last).toContain(t.lastRuns.errorId({ errorId: `\`${errorIdIn(refused)}\`` }));
    for (const stage of ['normalize', 'command', 'ack', 'context', 'execute'])
      expect(last).toContain(`\`${stage}\``);
    expect(last).not.toContain('`deliver`');
    const [all = ''] = await app.ask('boss', '/debug last 5');
    expect(all).toContain(t.lastRuns.title({ count: 3 }));
    expect(all).toContain('`deliver`');
  });

  it.each([
    ['Claude', 'claude', 'sonnet', status(529)],
    ['GPT', 'gpt', 'gpt', { kind: 'cut', answer: { text: 'Ha' } }],
    ['a compatible server', 'gpt', 'llama', { kind: 'cut', answer: { text: 'Ha' } }],
  ] as const)('names the requests to %s as the provider does, failed ones too', async (...row) => {
    const [, server, model, fault] = row;
    const config = {
      providers: { openai: { api: model === 'llama' ? 'chat' : 'responses' } },
      models: {
        definitions: { llama: { provider: 'openai', contextWindow: 200_000, maxOutputTokens: 2_000 } },
      },
    };
    const app = await startEngineApp({ env: { FINCLAW_MODEL: model, FINCLAW_FALLBACKS: 'none' }, config });
    const { [server]: provider } = app;
    provider.reply(fault, answer('Whole.'));
    expect(await app.ask('boss', '애플 어때?')).toEqual(['Whole.']);
    const [failed = '', whole = ''] = provider.history.map(({ requestId }) => requestId);
    const { requestId, outcomes } = operationsTexts('ko').lastRuns;
    const [last = ''] = await app.ask('boss', '/진단 최근');
    expect(last.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      expect.stringContaining(`${outcomes.failed} · ${requestId({ id: `\`${failed}\`` })}`),
      expect.stringMatching(new RegExp(`${outcomes.ok} · .*${whole}.* · .*(?:msg_|resp_|chatcmpl-)\\w+`)),
    ]);
    expect(app.log.find((line) => line.includes('answered after failures'))).toContain(`request ${failed}`);

    await app.ask('boss', '/privacy export');
    const file = app.channel.sent.at(-1)?.payload.media?.[0];
    const exported = readFileSync(fileURLToPath(file?.url ?? ''), 'utf8');
    for (const id of [failed, whole]) expect(exported).toContain(`"requestId": "${id}"`);
    await app.ask('boss', '/privacy delete --yes');
    expect(filesWith(app.dataDir, whole)).toEqual([]);
  });
});

describe('/config', () => {
  it('shows every setting with its source, and no secret', async () => {
    const app = await startEngineApp({
      env: { FINCLAW_SECRET_KEY: secretKeyOf(7), FINCLAW_RATE_LIMIT: '33' },
      config: { gates: { maxMessageChars: 5_000 }, pipeline: { privacyNote: false } },
      channel: { maxMessageLength: 100_000 },
    });
    const [set = ''] = await app.ask('boss', '/config');
    expect(set).toContain('`gates.maxMessageChars` — `5000`');
    expect(set).toContain('`gates.rateLimitPerMinute` — `33` · environment');
    expect(set).not.toContain('queue.maxPerSession');
    const [all = ''] = await app.ask('boss', '/config all');
    expect(all).toContain('`queue.maxPerSession` — `50`');
    expect(all).toContain('ANTHROPIC_API_KEY');
    const secrets = [...CLAUDE_KEYS, GPT_KEY, secretKeyOf(7)];
    for (const secret of secrets) expect(`${set}${all}`).not.toContain(secret);
    expect(await app.ask('boss', '/config queue.mode')).toEqual([expect.stringContaining('`collect`')]);
  });
});

/** An app that ended with a message in the inbox which brought the process down so many times. */
const crashed = async (attempts: number, body: string): Promise<EngineApp> => {
  const app = await startEngineApp();
  app.claude.reply({ kind: 'stall' });
  await app.send('ann', body);
  await until(() => app.claude.history.length === 1);
  await app.stop();
  query(app.dataDir, 'update inbox set attempts = ?', attempts);
  return app;
};

describe('a message that brought the process down', () => {
  it('three times is given up: its sender is told with an error id, and administrators see it', async () => {
    const before = await crashed(3, '애플 어때요?');
    const { app, get } = await onPort({ servers: before, dataDir: before.dataDir });
    const [told] = await app.channel.waitForSent(1);
    const errorId = errorIdIn(told?.payload.text);
    expect(told?.payload.text).toBe(failureTexts('ko').internalError({ errorId }));
    // Also where the eyes are those of an earlier process.
    await until(() => app.channel.visibleReactions.includes('⚠️'));
    expect(app.channel.reactions[0]).toMatchObject({ action: 'remove', emoji: '👀' });
    const [shown = ''] = await app.ask('boss', '/status');
    expect(shown).toContain(t.status.deadLetters({ count: 1 }));
    expect(shown).toMatch(
      new RegExp(`\`${errorId}\` — .* · test · 3 attempts · \`The process ended again and again`),
    );
    expect(sumOf(await (await get('/metrics')).text(), 'messages_dead_total')).toBe(1);
    expect(before.claude.history).toHaveLength(1);
    await app.stop();
    expect(endsIn(app.dataDir)).toMatchObject({ '애플 어때요?': 'failed' });
    expect(query(app.dataDir, 'select error_id from inbox order by id limit 1')).toEqual([
      { error_id: errorId },
    ]);

    const next = await startEngineApp({ servers: before, dataDir: before.dataDir });
    expect(await next.ask('ann', 'Hello')).toEqual(['ok']);
    expect(next.channel.texts).toEqual(['ok']);
  });

  it('twice is tried once more', async () => {
    const before = await crashed(2, 'How is Apple?');
    const app = await startEngineApp({ servers: before, dataDir: before.dataDir });
    await app.channel.waitForSent(1);
    expect(app.channel.texts).toEqual(['ok']);
  });
});
