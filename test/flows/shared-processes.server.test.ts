import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Receipt } from '#src/kernel/channel/host.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import { asId, type ChatId, type ThreadId } from '#src/kernel/ids.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { createApp } from '#src/app.ts';
import { CHANNELS } from '#channels/index.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { codeIn } from '#test/support/broker.ts';
import { answer, holds } from '#test/support/engine-app.ts';
import { startProcesses, type TestProcess, type TestProcesses, written } from '#test/support/processes.ts';
import { TestChannel } from '#test/support/channel.ts';
import { recordingLogger } from '#test/support/context.ts';
import { held, lastTurnOf } from './gateway-support.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const start = async (options: Omit<Parameters<typeof startProcesses>[0], 'databaseUrl'> = {}) =>
  startProcesses({ ...options, databaseUrl: await postgres.createDatabase() });

const ended = async (...receipts: readonly Receipt[]): Promise<void> => {
  await Promise.all(receipts.flatMap((receipt) => (receipt.outcome === 'accepted' ? [receipt.settled] : [])));
};

/** The one that works on ann's conversation, with a model that takes its time, and another one. */
const startBusy = async (options: Parameters<typeof start>[0] = {}, first = answer('first')) => {
  const processes = await start(options);
  const { reply, letGo } = held(first);
  processes.claude.reply(reply);
  processes.claude.otherwise((body) => answer(`to: ${lastTurnOf(body).join(' | ')}`));
  const [a, b] = processes.all;
  if (!a || !b) throw new Error('Two processes are needed');
  const receipt = await a.channel.receive(written('ann', 'one'));
  await vi.waitUntil(() => processes.claude.history.length === 1, { timeout: 30_000 });
  return { processes, letGo, receipt, a, b };
};

const isTried = ({ channel }: TestProcess): boolean => channel.attempts.length > 0;

const problemsIn = ({ all }: TestProcesses): readonly string[] =>
  all.flatMap(({ log }) => log.filter((line) => /"level":"(?:warn|error)"/.test(line)));

/** A thousand messages take too long for a usual run. */
const ROUNDS =
  process.env['FINCLAW_FAULTS'] === 'all'
    ? [2, 3].map((count) => ({ count, persons: 42, perPerson: 24 }))
    : [{ count: 3, persons: 12, perPerson: 6 }];

describe('several processes on one database', () => {
  it('answer an event that two of them receive once', async () => {
    const processes = await start();
    const message = written('ann', '/price AAPL');
    const receipts = await Promise.all(processes.all.map(({ channel }) => channel.receive(message)));
    await ended(...receipts);
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'duplicate']);
    expect(processes.sent).toHaveLength(1);
    expect(problemsIn(processes)).toEqual([]);
  });

  it.for(ROUNDS)(
    'answer everything once and in the order of each chat, whoever receives it: $count of them, $persons people, $perPerson messages each',
    { timeout: 300_000 },
    async ({ count, persons, perPerson }) => {
      // The model answers only when more requests are open than one process may run, so the work must be shared.
      const maxConcurrency = Math.ceil(persons / count);
      const processes = await start({ count, config: { lanes: { main: { maxConcurrency } } } });
      const allBusy = Promise.withResolvers<void>();
      let asked = 0;
      processes.claude.otherwise((body) => {
        asked += 1;
        if (asked > maxConcurrency) allBusy.resolve();
        return holds(allBusy.promise, answer(`to: ${lastTurnOf(body).join(' | ')}`));
      });
      const people = Array.from({ length: persons }, (_, index) => `person-${index}`);
      const receipts: Receipt[] = [];
      for (let number = 0; number < perPerson; number += 1) {
        const round = people.flatMap((person, index) => {
          const receiver = processes.all[(number + index) % processes.all.length];
          return receiver ? [receiver.channel.receive(written(person, `${person} says ${number}`))] : [];
        });
        receipts.push(...(await Promise.all(round)));
      }
      await ended(...receipts);
      for (const person of people)
        expect(
          processes.sent.filter(({ target }) => target.chatId === person).map(({ payload }) => payload.text),
        ).toEqual(Array.from({ length: perPerson }, (_, number) => `to: ${person} says ${number}`));
      expect(processes.all.filter(({ channel }) => channel.sent.length > 0).length).toBeGreaterThan(1);
      expect(problemsIn(processes)).toEqual([]);
    },
  );

  it('collect what others receive while a turn runs into the next turn of its holder', async () => {
    const { processes, letGo, receipt, a, b } = await startBusy({ mode: 'collect' });
    const more = [
      await b.channel.receive(written('ann', 'two')),
      await a.channel.receive(written('ann', 'three')),
    ];
    await vi.waitUntil(() => processes.claude.history.length === 1, { timeout: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 400));
    letGo();
    await ended(receipt, ...more);
    expect(processes.texts()).toEqual(['first', 'to: two\n\nthree']);
  });

  it('answer a message that is stored late before later ones of its sender that still wait', async () => {
    const { processes, letGo, receipt, a, b } = await startBusy();
    const early = written('ann', 'two');
    const late = written('ann', 'three', { timestamp: early.timestamp.add({ milliseconds: 10 }) });
    const third = await a.channel.receive(late);
    await new Promise((resolve) => setTimeout(resolve, 400));
    const second = await b.channel.receive(early);
    await new Promise((resolve) => setTimeout(resolve, 400));
    letGo();
    await ended(receipt, second, third);
    expect(processes.texts()).toEqual(['first', 'to: two', 'to: three']);
  });

  it('steer a running turn from another process, after /queue was typed there too', async () => {
    const { processes, letGo, receipt, b } = await startBusy(
      {},
      { kind: 'answer', toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL'] } }] },
    );
    await ended(await b.channel.receive(written('ann', '/queue steer')));
    const steering = await b.channel.receive(written('ann', 'in euros please'));
    await new Promise((resolve) => setTimeout(resolve, 400));
    letGo();
    await ended(receipt, steering);
    expect(processes.claude.history).toHaveLength(2);
    expect(JSON.stringify(processes.claude.history[1]?.body.messages)).toContain('in euros please');
  });

  it('interrupt a running turn from another process', async () => {
    const { processes, letGo, receipt, b } = await startBusy({ mode: 'interrupt' });
    const newer = await b.channel.receive(written('ann', 'two'));
    await ended(receipt, newer);
    letGo();
    expect(processes.texts()).toEqual(['to: two']);
  });

  it('stop a turn with /stop at another process within a second', async () => {
    const { processes, receipt, b } = await startBusy();
    const startedMs = performance.now();
    const stopped = await b.channel.receive(written('ann', '/stop'));
    await ended(receipt, stopped);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(processes.texts().join('\n')).toMatch(/stopped/i);
    expect(processes.claude.history).toHaveLength(1);
  });

  it('stop a turn in a thread with a /stop in its channel, though another process runs it', async () => {
    const processes = await start();
    const { reply } = held();
    processes.claude.reply(reply);
    const [a, b] = processes.all;
    const place = { chatId: asId<ChatId>('C1'), chatType: 'channel' as const, mentionsBot: true };
    const asked = await a?.channel.receive(
      written('ann', 'one', { ...place, threadId: asId<ThreadId>('T1') }),
    );
    await vi.waitUntil(() => processes.claude.history.length === 1, { timeout: 30_000 });
    const stopped = await b?.channel.receive(written('ann', '/stop', place));
    if (asked && stopped) await ended(asked, stopped);
    expect(processes.texts().join('\n')).toMatch(/stopped/i);
  });

  it('run an approved call once, whichever process the button is pressed at', async () => {
    const plugin = `export default { name: 'broker', setup: ({ registerTool, defineTool, z }) => registerTool(defineTool({
      name: 'buy_stock', description: 'Buys a stock', group: 'finance', isTransactional: true,
      input: z.object({ symbol: z.string() }), describe: ({ symbol }) => 'Buy ' + symbol,
      run: async ({ symbol }) => ({ content: 'bought ' + symbol, isError: false }) })) };`;
    const processes = await start({ files: { 'broker.mjs': plugin }, config: { plugins: ['./broker.mjs'] } });
    const buy = { kind: 'answer' as const, toolCalls: [{ name: 'buy_stock', input: { symbol: 'AAPL' } }] };
    processes.claude.reply(buy, answer('Bought.'));
    const [a, b] = processes.all;
    const asked = await a?.channel.receive(written('ann', 'Buy Apple'));
    if (asked) await ended(asked);
    await vi.waitUntil(() => processes.sent.length === 1, { timeout: 30_000 });
    const decided = await b?.channel.receive(written('ann', `/approve ${codeIn(processes.texts()[0])}`));
    if (decided) await ended(decided);
    await vi.waitUntil(() => processes.texts().includes('Bought.'), { timeout: 30_000 });
    expect(processes.claude.history).toHaveLength(2);
    expect(JSON.stringify(processes.claude.history[1]?.body.messages)).toContain('bought AAPL');
  });

  it('go on within two seconds with what a process leaves that is asked to end', async () => {
    const { processes, letGo, receipt, a, b } = await startBusy();
    const holder = processes.all.find(({ log }) => log.some((line) => line.includes('execution:start'))) ?? a;
    const startedMs = performance.now();
    await holder.app.stop();
    await vi.waitUntil(() => processes.claude.history.length === 2, { timeout: 30_000 });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    letGo();
    await vi.waitUntil(() => processes.sent.length === 1, { timeout: 30_000 });
    await ended(holder === b ? receipt : { outcome: 'duplicate' });
    expect(processes.texts()).toEqual(['to: one']);
  });

  it('send a picture that another process drew and could not send', async () => {
    const processes = await start();
    const unreachable = new ChannelError('unreachable', 'The platform is down');
    for (const { channel } of processes.all)
      channel.onSend = () => {
        throw unreachable;
      };
    await processes.all[0]?.channel.receive(written('ann', '/chart AAPL'));
    await vi.waitUntil(() => processes.all.some(isTried), { timeout: 20_000 });
    const maker = processes.all.find(isTried);
    const other = processes.all.find((each) => each !== maker);
    if (!maker || !other) throw new Error('Nobody drew it');
    other.channel.onSend = () => undefined;
    await maker.app.stop();
    await vi.waitUntil(() => other.channel.sent.length > 0, { timeout: 30_000 });
    const [drawn] = maker.channel.attempts[0]?.payload.media ?? [];
    const [sent] = other.channel.sent[0]?.payload.media ?? [];
    const bytes = await readFile(fileURLToPath(sent?.url ?? ''));
    expect([sent?.name, bytes.length]).toEqual([drawn?.name, drawn?.sizeBytes]);
    expect(sent?.url).not.toBe(drawn?.url);
  });

  it('of which one only receives: the others answer, and act on what it receives', async () => {
    const processes = await start({ roles: ['gateway', 'worker', 'worker'] });
    const [gateway, ...workers] = processes.all;
    const { reply } = held();
    processes.claude.reply(reply);
    const asked = await gateway?.channel.receive(written('ann', 'one'));
    await vi.waitUntil(() => processes.claude.history.length === 1, { timeout: 30_000 });
    const stopped = await gateway?.channel.receive(written('ann', '/stop'));
    if (asked && stopped) await ended(asked, stopped);
    const listed = await gateway?.channel.receive(written('boss', '/status'));
    if (listed) await ended(listed);
    expect(processes.texts().join('\n')).toMatch(/stopped/i);
    expect(processes.texts().at(-1)).toMatch(/`gateway` · .*\n.*`worker` · .*\n.*`worker` · /);
    expect(gateway?.channel.attempts).toEqual([]);
    expect(workers.flatMap(({ channel }) => channel.attempts).length).toBeGreaterThan(2);
    expect(problemsIn(processes)).toEqual([]);
  });

  it('apply a setting of a server that was changed at another process', async () => {
    const processes = await start();
    const [a, b] = processes.all;
    const place = {
      chatId: asId<ChatId>('C1'),
      chatType: 'channel' as const,
      mentionsBot: true,
      guildId: 'G1',
    };
    const changed = await a?.channel.receive(written('boss', '/settings language ko', place));
    if (changed) await ended(changed);
    processes.claude.otherwise((body) =>
      answer(JSON.stringify(body.system).includes('Korean') ? 'ko' : 'en'),
    );
    const asked = await b?.channel.receive(written('ann', '/help', place));
    if (asked) await ended(asked);
    expect(processes.texts().at(-1)).toContain('명령');
  });

  it('are listed by /status, and one of them runs alerts and briefings', async () => {
    const processes = await start();
    await processes.join();
    const [first] = processes.all;
    await vi.waitUntil(() => first?.log.some((line) => line.includes('alerts and briefings')), {
      timeout: 30_000,
    });
    const asked = await first?.channel.receive(written('boss', '/status'));
    if (asked) await ended(asked);
    const [text = ''] = processes.texts();
    expect(text).toContain('**Processes** — 3');
    expect(text.match(/0\.0\.0-test \(commit unknown\) · test · \d+ conversations? now/g)).toHaveLength(3);
    expect(text.match(/this one/g)).toHaveLength(1);
    const leading = processes.all.filter(({ log }) =>
      log.some((line) => line.includes('alerts and briefings')),
    );
    expect(leading).toHaveLength(1);
  });

  it('refuse a second terminal, whose answers would appear at the first one', async () => {
    const databaseUrl = await postgres.createDatabase();
    const open = async () => {
      const dataDir = temporaryDir();
      const config = loadConfig(
        { FINCLAW_MARKET: 'sample', DATABASE_URL: databaseUrl, FINCLAW_DATA_DIR: dataDir },
        dataDir,
        CHANNELS,
      );
      const { logger } = recordingLogger();
      const channels = [new TestChannel({ id: 'console', capabilities: { isOwnersTerminal: true } })];
      return createApp(config, { version: '0', platforms: CHANNELS, channels, clock: systemClock, logger });
    };
    const first = await open();
    await expect(open()).rejects.toMatchObject({ code: 'TERMINAL_IN_USE', isOperational: true });
    await first.stop();
  });
});
