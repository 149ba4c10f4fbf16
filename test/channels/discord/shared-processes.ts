import type { OtherProcesses, ReceivedPart } from '#src/kernel/channel.ts';
import { systemClock } from '#src/platform/clock.ts';
import { sleepWithAbort } from '#src/platform/retry.ts';
import { SerialQueue } from '#src/platform/serial-queue.ts';
import type { FakeDiscord } from '#test/fakes/discord/api.ts';
import { type Bot, makeBot, StubHost } from './fixture.ts';

type Turn = Parameters<OtherProcesses['receiveInParts']>[1];

export interface SharingBot extends Bot {
  /** Makes it receive a part, which it then has until it is taken. */
  readonly give: (part: number) => void;
  readonly take: (part: number) => Promise<void>;
  /** Another process has its parts, and it does not know yet, as after it stood still for long. */
  readonly lose: () => void;
  /** It is not known who has its parts, as while the database is away. */
  readonly doubt: () => void;
  /** Nothing that it stores from here on is kept, as if it were killed now. */
  readonly isolate: () => void;
}

export interface SharedDatabase {
  readonly join: (settings?: { readonly identifyPauseMs?: number }) => Promise<SharingBot>;
  /** What is stored of a part. */
  readonly stateOf: (part: number) => string | undefined;
}

/** What the processes on one database share, as Discord sees it. The test says which of them receives what. */
export const shareDatabase = (fake: FakeDiscord, parts: number): SharedDatabase => {
  const states = new Map<number, string>();
  const turns = new SerialQueue();
  const takeTurn: OtherProcesses['takeTurn'] = async (what, pauseMs, signal) => {
    const leave = await turns.enter(what);
    void sleepWithAbort(pauseMs, systemClock, signal).then(leave, leave);
  };
  return {
    stateOf: (part) => states.get(part),
    join: async (settings = {}) => {
      const { promise: turn, resolve } = Promise.withResolvers<Turn>();
      const held = new Set<number>();
      let isKept = true;
      let isLost = false;
      let confirmed: Promise<boolean> | undefined;
      const take = async (part: number): Promise<void> => {
        if (held.delete(part)) await (await turn).end(part);
      };
      const others: OtherProcesses = {
        onlySends: false,
        onJoined: () => undefined,
        takeTurn,
        receiveInParts: async (_of, given) => {
          resolve(given);
          return { stop: async () => void (await Promise.all([...held].map(take))) };
        },
      };
      const host = Object.assign(new StubHost(), { others });
      const own = { token: fake.token, apiUrl: fake.apiUrl, ...settings };
      const bot = makeBot(fake, { settings: own }, host);
      await bot.channel.start(host);
      const { begin } = await turn;
      const save = async (part: number, state: string): Promise<void> => {
        if (isKept) states.set(part, state);
      };
      return {
        ...bot,
        give: (part) => {
          held.add(part);
          const given: ReceivedPart = {
            part,
            parts,
            state: states.get(part),
            save: (state) => save(part, state),
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
