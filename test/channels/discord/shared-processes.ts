import type { OtherProcesses, ReceivedShard, Receipt } from '#src/kernel/channel/host.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createChannelProgress } from '#src/chat/store/channel-progress.ts';
import { recordingLogger } from '#test/support/context.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { FakeDiscord } from '#test/fakes/discord/api.ts';
import { type Bot, makeBot, StubHost } from './fixture.ts';

type Turn = Parameters<OtherProcesses['receiveInShards']>[1];

export interface SharingBot extends Bot {
  /** Makes it receive a shard, which it then has until it is taken. */
  readonly give: (shard: number) => void;
  readonly take: (shard: number) => Promise<void>;
  /** Another process has its shards, and it does not know yet, as after it stood still for long. */
  readonly lose: () => void;
  /** It is not known who has its shards, as while the database is away. */
  readonly doubt: () => void;
  /** Nothing that it stores from here on is kept, as if it were killed now. */
  readonly isolate: () => void;
}

export interface SharedDatabase {
  readonly join: (settings?: { readonly identifyPauseMs?: number }) => Promise<SharingBot>;
}

/** What the processes on one database share, as Discord sees it. The test says which of them receives what. */
export const shareDatabase = async (fake: FakeDiscord, shards: number): Promise<SharedDatabase> => {
  const { storage } = await sqliteStorage();
  const accepted = new Set<string>();
  const turns = new SerialQueue();
  const takeTurn: OtherProcesses['takeTurn'] = async (what, pauseMs, signal) => {
    const leave = await turns.enter(what);
    void sleepWithAbort(pauseMs, systemClock, signal).then(leave, leave);
  };
  return {
    join: async (settings = {}) => {
      const { promise: turn, resolve } = Promise.withResolvers<Turn>();
      const held = new Set<number>();
      let isKept = true;
      let isLost = false;
      let confirmed: Promise<boolean> | undefined;
      const take = async (shard: number): Promise<void> => {
        if (held.delete(shard)) await (await turn).end(shard);
      };
      const others: OtherProcesses = {
        onlySends: false,
        onJoined: () => undefined,
        lostSince: async () => undefined,
        takeTurn,
        asNewest: (_what, work) => work(true),
        receiveInShards: async (_of, given) => {
          resolve(given);
          return { stop: async () => void (await Promise.all([...held].map(take))) };
        },
      };
      const host = Object.assign(new StubHost(), { others });
      const { receive } = host;
      const progress = createChannelProgress(
        {
          db: storage.db,
          write: async (work, durability) =>
            isKept ? storage.write(work, durability) : new Promise(() => undefined),
        },
        systemClock,
        recordingLogger().logger,
      );
      Object.assign(host, {
        progress,
        // As the inbox does.
        receive: async (message: MsgContext): Promise<Receipt> => {
          if (accepted.has(message.id)) return { outcome: 'duplicate' };
          const receipt = await receive(message);
          if (isKept) accepted.add(message.id);
          return receipt;
        },
      });
      const own = { token: fake.token, apiUrl: fake.apiUrl, identifyPauseMs: 0, ...settings };
      const bot = makeBot(fake, { settings: own }, host);
      await bot.channel.start(host);
      const { begin } = await turn;
      return {
        ...bot,
        give: (shard) => {
          held.add(shard);
          const given: ReceivedShard = {
            shard,
            shards,
            confirm: () => confirmed ?? Promise.resolve(!isLost),
          };
          begin(given);
        },
        take,
        doubt: () => {
          confirmed = new Promise(() => undefined);
        },
        lose: () => {
          isLost = true;
          isKept = false;
        },
        isolate: () => {
          isKept = false;
        },
      };
    },
  };
};
