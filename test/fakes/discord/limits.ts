import type { FakeDiscordFaults, RequestFilter } from './controls.ts';
import { ApiError, invalid } from './errors.ts';
import { asWires, type Wire } from './wire.ts';
import type { State } from './state.ts';

/** A request, before anything is done with it. */
export interface Incoming {
  readonly method: string;
  readonly route: string;
  readonly channelId: string | undefined;
  /** What has a limit of its own: a channel, a guild, an interaction. */
  readonly major: string | undefined;
  /** Interactions do not count against the global limit. */
  readonly isOpen: boolean;
}

type Fault = { readonly filter: RequestFilter; times: number } & (
  | { readonly kind: 'fail'; readonly status: number }
  | { readonly kind: 'lose-response' | 'lose-request' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'held'; readonly until: Promise<void> }
);

interface Storm {
  readonly untilMs: number;
  readonly channelId: string | undefined;
  readonly route: string | undefined;
  readonly isGlobal: boolean;
}

type Refused = Parameters<FakeDiscordFaults['refuse']>[1] & { readonly code: number };

const HAS: Readonly<Record<NonNullable<Refused['has']>, (body: Wire, files: number) => boolean>> = {
  reference: (body) => body['message_reference'] !== undefined,
  files: (_body, files) => files > 0,
  embeds: (body) => asWires(body['embeds']).length > 0,
  link: (body) => JSON.stringify(body).includes('https://'),
};

export type Limited = { readonly retryAfterMs: number; readonly isGlobal: boolean };

export interface Limits {
  readonly faults: FakeDiscordFaults;
  readonly isDown: () => boolean;
  /** Uses one of the faults of this kind up, if one fits. */
  readonly take: <Kind extends Fault['kind']>(
    kind: Kind,
    incoming: Incoming,
  ) => Extract<Fault, { readonly kind: Kind }> | undefined;
  /** Throws `ApiError` if this is to be refused. */
  readonly checkRefused: (incoming: Incoming, body: Wire, files: number) => void;
  /** Counts the request. A refused one is written down. */
  readonly count: (incoming: Incoming) => Limited | undefined;
  readonly headers: (incoming: Incoming) => Readonly<Record<string, string>>;
}

const fits = ({ method, route, channelId }: RequestFilter, incoming: Incoming): boolean =>
  (method ?? incoming.method) === incoming.method &&
  (route ?? incoming.route) === incoming.route &&
  (channelId === undefined || channelId === incoming.channelId);

const bucketOf = ({ method, route, major }: Incoming): string => `${method} ${route} ${major ?? ''}`;

export const createLimits = (state: State): Limits => {
  const { limit, windowMs } = state.options.rateLimit;
  const buckets = new Map<string, { used: number; resetMs: number }>();
  /** Until when senders were told to wait: by bucket, '' is everybody. */
  const told = new Map<string, { readonly untilMs: number; readonly atMs: number }>();
  let faults: Fault[] = [];
  let storms: Storm[] = [];
  let refused: Refused[] = [];
  let isDown = false;
  const second = { used: 0, resetMs: 0 };

  const add = (fault: Fault): void => void faults.push(fault);

  const bucketFor = (incoming: Incoming): { used: number; resetMs: number } => {
    const key = bucketOf(incoming);
    const known = buckets.get(key);
    if (known && known.resetMs > performance.now()) return known;
    const fresh = { used: 0, resetMs: performance.now() + windowMs };
    buckets.set(key, fresh);
    return fresh;
  };

  const stormOver = (incoming: Incoming): Storm | undefined =>
    storms.find(
      (storm) =>
        storm.untilMs > performance.now() &&
        (storm.isGlobal || storm.channelId === undefined || storm.channelId === incoming.channelId) &&
        (storm.route === undefined || storm.route === incoming.route),
    );

  const refuse = (incoming: Incoming, untilMs: number, isGlobal: boolean): Limited => {
    const now = performance.now();
    const key = isGlobal ? '' : bucketOf(incoming);
    const before = told.get(key);
    const isBlameworthy = before !== undefined && before.untilMs > now;
    state.record({
      type: 'rateLimited',
      method: incoming.method,
      route: incoming.route,
      ...(incoming.channelId === undefined ? {} : { channelId: incoming.channelId }),
      isGlobal,
      isBlameworthy,
      ...(before && isBlameworthy ? { toldMsAgo: now - before.atMs } : {}),
    });
    if (!isBlameworthy) told.set(key, { untilMs, atMs: now });
    return { retryAfterMs: untilMs - now, isGlobal };
  };

  return {
    faults: {
      storm: ({ forMs, channelId, route, isGlobal = channelId === undefined && route === undefined }) =>
        void storms.push({ untilMs: performance.now() + forMs, channelId, route, isGlobal }),
      failNext: (times, status, filter = {}) => add({ kind: 'fail', times, status, filter }),
      refuse: (code, filter = {}) => void refused.push({ ...filter, code }),
      loseResponses: (times, filter = {}) => add({ kind: 'lose-response', times, filter }),
      loseRequests: (times, filter = {}) => add({ kind: 'lose-request', times, filter }),
      slowDown: (times, delayMs, filter = {}) => add({ kind: 'slow', times, delayMs, filter }),
      hold: (times, until, filter = {}) => add({ kind: 'held', times, until, filter }),
      setDown: (value) => {
        isDown = value;
      },
      clear: () => {
        faults = [];
        storms = [];
        refused = [];
        told.clear();
        isDown = false;
      },
    },
    isDown: () => isDown,
    checkRefused: (incoming, body, files) => {
      const found = refused.find(
        (each) => fits(each, incoming) && (each.has === undefined || HAS[each.has](body, files)),
      );
      if (!found) return;
      const { code, status = 403, path } = found;
      throw path === undefined
        ? new ApiError(status, code, `Refused with ${code}`)
        : invalid(path, 'X', 'No.');
    },
    take: <Kind extends Fault['kind']>(kind: Kind, incoming: Incoming) => {
      const fault = faults.find((candidate) => candidate.kind === kind && fits(candidate.filter, incoming));
      if (!fault) return undefined;
      fault.times -= 1;
      if (fault.times <= 0) faults = faults.filter((other) => other !== fault);
      return fault as Extract<Fault, { readonly kind: Kind }>;
    },
    count: (incoming) => {
      const storm = stormOver(incoming);
      if (storm) return refuse(incoming, storm.untilMs, storm.isGlobal);
      if (performance.now() > second.resetMs) {
        second.used = 0;
        second.resetMs = performance.now() + 1_000;
      }
      if (!incoming.isOpen && second.used >= state.options.globalLimitPerSecond)
        return refuse(incoming, second.resetMs, true);
      if (!incoming.isOpen) second.used += 1;
      const bucket = bucketFor(incoming);
      if (bucket.used >= limit) return refuse(incoming, bucket.resetMs, false);
      bucket.used += 1;
      return undefined;
    },
    headers: (incoming) => {
      const bucket = bucketFor(incoming);
      const resetAfterMs = Math.max(0, bucket.resetMs - performance.now());
      return {
        'x-ratelimit-limit': `${limit}`,
        'x-ratelimit-remaining': `${Math.max(0, limit - bucket.used)}`,
        'x-ratelimit-reset': ((Date.now() + resetAfterMs) / 1_000).toFixed(3),
        'x-ratelimit-reset-after': (resetAfterMs / 1_000).toFixed(3),
        // The same for every channel: the channel is not part of the name.
        'x-ratelimit-bucket': Buffer.from(`${incoming.method} ${incoming.route}`).toString('hex'),
      };
    },
  };
};
