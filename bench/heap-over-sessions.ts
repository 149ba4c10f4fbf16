import { fork } from 'node:child_process';
import { once } from 'node:events';
import { asId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { BENCH_CHANNEL, type BenchGateway, openBenchGateway } from './gateway-fixture.ts';

const SESSIONS = 5_000;
const PER_SESSION = 10;
const AT_ONCE = 64;
const MARK_EVERY = 10_000;
const BAR_MB = 20;
const COMMANDS: Readonly<Record<number, string>> = { 2: '/price AAPL', 5: '/help', 8: '/profile' };

interface Mark {
  readonly messages: number;
  readonly heapMb: number;
  readonly outsideMb: number;
  /** Of the process, so far. */
  readonly cpuSeconds: number;
}

const MEGABYTE = 2 ** 20;

const mark = async (messages: number): Promise<Mark> => {
  // What was just answered may still be on its way out.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  if (!globalThis.gc) throw new Error('Memory can be measured with --expose-gc only');
  for (let round = 0; round < 3; round += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    messages,
    heapMb: heapUsed / MEGABYTE,
    outsideMb: external / MEGABYTE,
    cpuSeconds: (user + system) / 1_000_000,
  };
};

/** One conversation from its first message to its last; then that person is never heard of again. */
const converse = async (gateway: BenchGateway, session: number): Promise<void> => {
  const name = `person-${session}`;
  for (let message = 0; message < PER_SESSION; message += 1) {
    const receipt = await gateway.receive(
      inboundMessage({
        channelId: BENCH_CHANNEL,
        chatId: asId<ChatId>(name),
        senderId: asId<UserId>(name),
        body: COMMANDS[message] ?? `How is Apple doing today? (${session}.${message})`,
        timestamp: Temporal.Now.instant(),
      }),
    );
    if (receipt.outcome !== 'accepted') throw new Error(`A message was not accepted: ${receipt.outcome}`);
    await receipt.settled;
  }
};

const measureHere = async (): Promise<readonly Mark[]> => {
  const gateway = await openBenchGateway({ stores: 'SQLite', model: 'instant' });
  const marks: Mark[] = [];
  let session = 0;
  try {
    for (let until = MARK_EVERY / PER_SESSION; until <= SESSIONS; until += MARK_EVERY / PER_SESSION) {
      const work = async (): Promise<void> => {
        while (session < until) {
          session += 1;
          await converse(gateway, session);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      marks.push(await mark(session * PER_SESSION));
    }
  } finally {
    await gateway.close();
  }
  return marks;
};

/** What is left of conversations that are over: the memory must not grow with those who ever wrote. */
export const benchHeapOverSessions = async (): Promise<void> => {
  const startedAtMs = performance.now();
  const child = fork(import.meta.filename, { execArgv: ['--expose-gc'], stdio: 'inherit' });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The measured process ended with ${String(code)} before it was done`);
  });
  const [marks] = (await Promise.race([once(child, 'message'), ended])) as [readonly Mark[]];
  // Its end is no failure any more.
  ended.catch(() => undefined);
  const heaps = marks.map(({ heapMb }) => heapMb);
  const grownMb = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? Number.NaN);
  const last = marks.at(-1);
  const elapsed = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
  console.log(
    `heap after ${marks.map(({ messages, heapMb }) => `${messages / 1_000}k ${heapMb.toFixed(1)} MB`).join(', ')} (outside of it ${last?.outsideMb.toFixed(1)} MB; ${elapsed} s, CPU ${last?.cpuSeconds.toFixed(0)} s)`,
  );
  console.log(
    `heap over ${SESSIONS * PER_SESSION} messages in ${SESSIONS} sessions: from the first mark to the last ${grownMb.toFixed(1)} MB; bar ${BAR_MB} MB`,
  );
};

if (import.meta.main) {
  const marks = await measureHere();
  process.send?.(marks);
  process.disconnect?.();
}
