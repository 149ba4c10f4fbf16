import { asId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { BENCH_CHANNEL, type BenchGateway, type GatewayKind, openBenchGateway } from './gateway-fixture.ts';
import { median } from './statistics.ts';

const CHATS = 64;
const BURST = 256;
const ROUNDS = 5;
const COMMIT_DELAY_MS = 2;

/** The same for both models; without shared commits so slow that fewer messages must do. */
const STORES = {
  'inbox off': { stores: 'memory', perChat: 3 },
  'inbox on': { stores: 'SQLite', perChat: 3 },
  'slow disk': { stores: 'SQLite', commitDelayMs: COMMIT_DELAY_MS, perChat: 3 },
  'slow disk, commits not shared': {
    stores: 'SQLite',
    commitDelayMs: COMMIT_DELAY_MS,
    isCommitShared: false,
    perChat: 1,
  },
} as const satisfies Record<string, Omit<GatewayKind, 'model'> & { readonly perChat: number }>;

type Name = keyof typeof STORES;
const NAMES: readonly Name[] = ['inbox off', 'inbox on', 'slow disk', 'slow disk, commits not shared'];

interface Measured {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
  readonly commits: number;
}

interface Contender {
  readonly gateway: BenchGateway;
  readonly samples: Measured[];
}

let people = 0;

/** Somebody new every time: a conversation that grows would make later rounds slower. */
const newPerson = (gateway: BenchGateway): (() => Promise<number>) => {
  people += 1;
  const name = `person-${people}`;
  return async () => {
    const startedAtMs = performance.now();
    const receipt = await gateway.receive(
      inboundMessage({
        channelId: BENCH_CHANNEL,
        chatId: asId<ChatId>(name),
        senderId: asId<UserId>(name),
        timestamp: Temporal.Now.instant(),
      }),
    );
    if (receipt.outcome !== 'accepted') throw new Error(`A message was not accepted: ${receipt.outcome}`);
    await receipt.settled;
    return performance.now() - startedAtMs;
  };
};

/** Everybody writes at once, and the next message when the last was answered. */
const measure = async (gateway: BenchGateway, chats: number, perChat: number): Promise<Measured> => {
  const asking = Array.from({ length: chats }, () => newPerson(gateway));
  const tookMs: number[] = [];
  const commitsBefore = gateway.commits();
  const cpuBefore = process.cpuUsage();
  const startedAtMs = performance.now();
  await Promise.all(
    asking.map(async (ask) => {
      for (let message = 0; message < perChat; message += 1) tookMs.push(await ask());
    }),
  );
  const elapsedMs = performance.now() - startedAtMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    perSecond: (1_000 * sorted.length) / elapsedMs,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuUs: (user + system) / sorted.length,
    commits: (gateway.commits() - commitsBefore) / sorted.length,
  };
};

const medianOf = (samples: readonly Measured[], what: keyof Measured): number =>
  median(samples.map((sample) => sample[what]));

/** Round by round: what the machine does beside it slows both of a pair down. */
const comparedTo = (base: readonly Measured[], samples: readonly Measured[], what: keyof Measured): number =>
  median(samples.map((sample, round) => sample[what] / (base[round]?.[what] ?? Number.NaN)));

const describe = (samples: readonly Measured[]): string => {
  const [rate, p50, p99, cpu, commits] = (['perSecond', 'p50Ms', 'p99Ms', 'cpuUs', 'commits'] as const).map(
    (what) => medianOf(samples, what),
  );
  const share = commits ? `, ${commits.toFixed(2)} commits` : '';
  return `${rate?.toFixed(0)} messages/s, p50 ${p50?.toFixed(0)} ms, p99 ${p99?.toFixed(0)} ms, CPU ${cpu?.toFixed(0)} µs${share} a message`;
};

const compare = (base: readonly Measured[], samples: readonly Measured[]): string => {
  const less = 100 * (1 - comparedTo(base, samples, 'perSecond'));
  const laterMs = medianOf(samples, 'p50Ms') - medianOf(base, 'p50Ms');
  const cpu = comparedTo(base, samples, 'cpuUs');
  return `${less.toFixed(0)} % fewer messages/s, p50 ${laterMs.toFixed(0)} ms later, CPU ${cpu.toFixed(2)}×`;
};

const report = (model: GatewayKind['model'], of: (name: Name) => readonly Measured[]): void => {
  for (const name of NAMES)
    console.log(`router at ${CHATS} chats, ${model} model, ${name}: ${describe(of(name))}`);
  const aim = model === 'offline' ? '; aim at most 25 % fewer' : '';
  console.log(
    `what the inbox costs, ${model} model: ${compare(of('inbox off'), of('inbox on'))}${aim}; with ${COMMIT_DELAY_MS} ms more a commit: ${compare(of('inbox off'), of('slow disk'))}`,
  );
  const gain = comparedTo(of('slow disk, commits not shared'), of('slow disk'), 'perSecond');
  console.log(`what shared commits bring there, ${model} model: ${gain.toFixed(1)}× the messages/s`);
};

const benchModel = async (model: GatewayKind['model']): Promise<void> => {
  const contenders = new Map<Name, Contender>();
  const of = (name: Name): Contender => {
    const found = contenders.get(name);
    if (!found) throw new Error(`${name} is not open`);
    return found;
  };
  const bursts: Record<'inbox off' | 'inbox on', Measured[]> = { 'inbox off': [], 'inbox on': [] };
  try {
    for (const name of NAMES) {
      const gateway = await openBenchGateway({ ...STORES[name], model });
      contenders.set(name, { gateway, samples: [] });
      await measure(gateway, CHATS, Math.min(3, STORES[name].perChat));
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // In turns from both ends: a machine that gets busier must not always meet the same one.
      for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed())
        of(name).samples.push(await measure(of(name).gateway, CHATS, STORES[name].perChat));
      if (model === 'offline') continue;
      for (const name of ['inbox off', 'inbox on'] as const)
        bursts[name].push(await measure(of(name).gateway, BURST, 1));
    }
    report(model, (name) => of(name).samples);
    if (model === 'offline') return;
    for (const name of ['inbox off', 'inbox on'] as const)
      console.log(`${BURST} people at once, ${model} model, ${name}: ${describe(bursts[name])}`);
  } finally {
    for (const { gateway } of contenders.values()) await gateway.close();
  }
};

/**
 * What it costs that no accepted message can be lost: the router and the pipeline with the offline model, and
 * with one that answers at once, where nothing but the gateway is left to be measured.
 */
export const benchRouterThroughput = async (): Promise<void> => {
  await benchModel('offline');
  await benchModel('instant');
};
