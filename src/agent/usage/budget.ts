import type { ChannelId, Timestamp, UserId } from '#src/kernel/ids.ts';
import { NoAnswerError } from '#src/kernel/errors.ts';
import { counted } from '#src/kernel/locale.ts';
import { NO_USAGE, type ProviderIds, type TokenUsage } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { Uses } from '#src/platform/services.ts';
import type { BudgetLedger, BudgetScope, DaySums, PlannedRequest } from '#src/agent/store/budget-ledger.ts';
import type { UsageEntry } from '#src/agent/store/usage.ts';
import { dayAround, dayOf } from './periods.ts';

/** Requests waiting for reserved money, one queue per budget. */
class WaitingLine {
  readonly #lines = new Map<string, (() => void)[]>();
  readonly #clock: Clock;
  #version = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Changes with every `call`, so that a caller that checked before it and waits after it misses nothing. */
  get version(): number {
    return this.#version;
  }

  isEmpty(name: string): boolean {
    return !this.#lines.has(name);
  }

  /** Wakes the first request in each of these queues, because money was released. */
  call(...names: readonly string[]): void {
    this.#version += 1;
    for (const name of names) this.#lines.get(name)?.[0]?.();
  }

  /** Resolves on `call` or after `waitMs`. Rejects with the signal's reason on abort. */
  wait(name: string, isFirst: boolean, waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.#lines.get(name) ?? [];
      this.#lines.set(name, line);
      const leave = (): void => {
        cancel();
        signal.removeEventListener('abort', onAbort);
        line.splice(line.indexOf(onCall), 1);
        if (line.length === 0) this.#lines.delete(name);
      };
      const onCall = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
      };
      const cancel = this.#clock.after(waitMs, onCall);
      if (isFirst) line.unshift(onCall);
      else line.push(onCall);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

export interface BudgetDeps extends Uses<'clock' | 'logger'> {
  readonly ledger: BudgetLedger;
  /** The time zone whose midnight starts a new day. */
  readonly timeZone: string;
  /** Daily limit for all people together. */
  readonly perDayUsd?: Decimal | undefined;
  /** Daily limit per person. */
  readonly perUserUsd?: Decimal | undefined;
  /** No other process uses the database, so open entries of others are orphans. */
  readonly isExclusive: boolean;
}

interface Exceeded {
  readonly verdict: 'exceeded';
  readonly scope: BudgetScope;
  readonly limitUsd: Decimal;
  readonly spentUsd: Decimal;
  readonly resetsAt: Timestamp;
}

export type BudgetVerdict = { readonly verdict: 'ok' } | Exceeded;

/** A request about to be sent to a model. */
export interface RequestToPay extends Pick<
  UsageEntry,
  'channelId' | 'userId' | 'sessionKey' | 'provider' | 'model' | 'profileId'
> {
  /** Estimated input and its cost; the cost is null if the price is unknown. */
  readonly inputTokens: number;
  readonly inputUsd: Decimal | null;
  /** The maximum cost; zero if the price is unknown. */
  readonly mostUsd: Decimal;
}

/** Money reserved for one request. Nothing here rejects: an answer must not be lost to a booking error. */
export interface Reservation {
  /** The request was sent and has ended, with whatever result. */
  readonly settle: (
    outcome: UsageEntry['outcome'],
    used: TokenUsage,
    costUsd: Decimal | null,
    ids: ProviderIds,
  ) => Promise<void>;
  /** The request was never sent. */
  readonly cancel: () => Promise<void>;
}

export type ReserveOutcome =
  | { readonly verdict: 'reserved'; readonly reservation: Reservation }
  | Exceeded
  /** Money is left, but running requests have reserved it and did not end in time. */
  | { readonly verdict: 'busy' };

/** The error of a request that the budget does not admit. */
export const overBudget = (
  outcome: Exclude<ReserveOutcome, { readonly verdict: 'reserved' }>,
  now: Timestamp,
): NoAnswerError => {
  if (outcome.verdict === 'busy')
    return new NoAnswerError('budget-busy', 'Requests under way have reserved what is left of the budget');
  const { scope, spentUsd, limitUsd, resetsAt } = outcome;
  const message = `The daily budget (${scope}) is spent: ${spentUsd.toFixed()} of ${limitUsd.toFixed()} USD`;
  const retryAfterMs = now.until(resetsAt).total('milliseconds');
  return new NoAnswerError(scope === 'user' ? 'user-budget' : 'total-budget', message, { retryAfterMs });
};

export interface Budget {
  /** Whether any of the day's budget is left. Requests with unknown price do not count. */
  readonly check: (channelId: ChannelId, userId: UserId) => Promise<BudgetVerdict>;
  /** The share of the person's daily limit that is spent. Undefined without a limit. */
  readonly used: (channelId: ChannelId, userId: UserId) => Promise<number | undefined>;
  /**
   * Call before every request. A request is admitted if its maximum cost fits beside all running ones, or if
   * nothing else is running and any money is left: so a budget is overspent by one request at most, and a small
   * one remains usable. Otherwise it waits for the running ones. Rejects with the signal's reason on abort.
   */
  readonly reserve: (request: RequestToPay, signal: AbortSignal) => Promise<ReserveOutcome>;
  /** Called at the start: closes entries of dead processes and sums up today's bookings. */
  readonly recover: () => Promise<void>;
}

/** Maximum wait for reserved money. */
const LONGEST_WAIT_MS = 60_000;
/** Other processes do not notify us, so the wait polls. */
const POLL_MS = 5_000;
/** No request takes longer, so its process is dead. */
const DEAD_AFTER = { hours: 1 };
const RELEASE_EVERY_MS = 60_000;

const NOTHING = new Decimal(0);

type Limits = Readonly<Record<BudgetScope, Decimal | undefined>>;

const SCOPES = ['user', 'all'] as const satisfies readonly BudgetScope[];

/** The queue of a request for this budget. */
const lineOf = ({ channelId, userId }: RequestToPay, scope: BudgetScope): string =>
  scope === 'all' ? scope : `${channelId}\0${userId}`;

/** The daily budget. Reaching the limit counts as exceeding it, so a limit of 0 allows nothing. */
export const createBudget = (deps: BudgetDeps): Budget => {
  const { ledger, clock, timeZone, logger } = deps;
  const limits: Limits = {
    user: deps.perUserUsd,
    all: deps.perDayUsd,
  };
  const hasLimit = SCOPES.some((scope) => limits[scope] !== undefined);
  const line = new WaitingLine(clock);
  const underWay = new Set<string>();
  let releasedAtMs = -Infinity;

  /** Returns true if money was released. */
  const releaseDead = async (): Promise<boolean> => {
    if (clock.monotonicMs() - releasedAtMs < RELEASE_EVERY_MS) return false;
    releasedAtMs = clock.monotonicMs();
    const deadBefore = clock.now().subtract(DEAD_AFTER);
    const released = await ledger.releaseDead(
      (id, at) => !underWay.has(id) && (deps.isExclusive || Temporal.Instant.compare(at, deadBefore) < 0),
    );
    if (released === 0) return false;
    const requests = counted(released, 'request to a model', 'requests to models');
    logger.warn(`A process ended during ${requests}: the input is booked`);
    return true;
  };

  const reservationFor = (request: RequestToPay, planned: PlannedRequest): Reservation => {
    const end = async (write: () => Promise<void>): Promise<void> => {
      try {
        await write();
      } catch (error) {
        // The entry stays open and is later closed as orphaned, with its input booked.
        const { model, id } = planned.entry;
        logger.error('The usage of a model could not be booked', { model, id, error });
      }
      underWay.delete(planned.entry.id);
      line.call(lineOf(request, 'user'), 'all');
    };
    return {
      settle: (outcome, used, costUsd, ids) =>
        end(() => ledger.settle(planned, { ...planned.entry, outcome, usage: used, costUsd, ids })),
      cancel: () => end(() => ledger.cancel(planned)),
    };
  };

  const tryToReserve = async (
    request: RequestToPay,
  ): Promise<
    Exclude<ReserveOutcome, { readonly verdict: 'busy' }> | { readonly takenScope: BudgetScope }
  > => {
    const { inputTokens, inputUsd, mostUsd, ...who } = request;
    const at = clock.now();
    const entry: UsageEntry = {
      ...who,
      id: newId(),
      outcome: 'failed',
      usage: { ...NO_USAGE, inputTokens },
      costUsd: inputUsd,
      ids: {},
    };
    // Without a limit there is nothing to reserve from.
    const reservedUsd = hasLimit ? mostUsd : NOTHING;
    const planned: PlannedRequest = { entry, at, day: dayOf(at, timeZone), mostUsd: reservedUsd };
    // Add before writing: the search for orphans must not find it without its owner.
    underWay.add(entry.id);
    try {
      const opened = await ledger.open(
        planned,
        hasLimit
          ? (found) =>
              !exceeded(limits, timeZone, found, at) && takenScope(limits, found, mostUsd) === undefined
          : undefined,
      );
      if (opened.isOpen) return { verdict: 'reserved', reservation: reservationFor(request, planned) };
      underWay.delete(entry.id);
      const found = exceeded(limits, timeZone, opened.sums, at);
      return found ?? { takenScope: takenScope(limits, opened.sums, mostUsd) ?? 'all' };
    } catch (error) {
      underWay.delete(entry.id);
      throw error;
    }
  };

  return {
    check: async (channelId, userId) => {
      if (!hasLimit) return { verdict: 'ok' };
      const at = clock.now();
      const sums = await ledger.sums(dayOf(at, timeZone), channelId, userId);
      return exceeded(limits, timeZone, sums, at) ?? { verdict: 'ok' };
    },

    used: async (channelId, userId) => {
      if (limits.user === undefined || limits.user.isZero()) return undefined;
      const { user } = await ledger.sums(dayOf(clock.now(), timeZone), channelId, userId);
      return user.spentUsd.dividedBy(limits.user).toNumber();
    },

    reserve: async (request, signal) => {
      const giveUpAtMs = clock.monotonicMs() + LONGEST_WAIT_MS;
      // A later request must not overtake waiting ones.
      let waitFor = SCOPES.find((scope) => !line.isEmpty(lineOf(request, scope)));
      let waitedIn: BudgetScope | undefined;
      for (;;) {
        if (waitFor) {
          const leftMs = giveUpAtMs - clock.monotonicMs();
          if (leftMs <= 0) return { verdict: 'busy' };
          await line.wait(lineOf(request, waitFor), waitedIn === waitFor, Math.min(leftMs, POLL_MS), signal);
          waitedIn = waitFor;
        }
        const { version } = line;
        const outcome = await tryToReserve(request);
        // There may be room for the next request too.
        if (waitedIn && !('takenScope' in outcome && outcome.takenScope === waitedIn))
          line.call(lineOf(request, waitedIn));
        if ('verdict' in outcome) return outcome;
        const isFree = await releaseDead();
        waitFor = isFree || version !== line.version ? undefined : outcome.takenScope;
      }
    },

    recover: async () => {
      const { start } = dayAround(clock.now(), timeZone);
      await ledger.seed(dayOf(start, timeZone), start);
      await releaseDead();
    },
  };
};

const exceeded = (limits: Limits, timeZone: string, sums: DaySums, at: Timestamp): Exceeded | undefined => {
  for (const scope of SCOPES) {
    const limitUsd = limits[scope];
    const { spentUsd } = sums[scope];
    if (limitUsd?.lessThanOrEqualTo(spentUsd))
      return { verdict: 'exceeded', scope, limitUsd, spentUsd, resetsAt: dayAround(at, timeZone).end };
  }
  return undefined;
};

/** The budget that is over-reserved; the sums include this request. */
const takenScope = (limits: Limits, sums: DaySums, mostUsd: Decimal): BudgetScope | undefined =>
  SCOPES.find((scope) => {
    const limitUsd = limits[scope];
    const { spentUsd, reservedUsd } = sums[scope];
    if (limitUsd === undefined || mostUsd.isZero()) return false;
    const isAlone = reservedUsd.lessThanOrEqualTo(mostUsd);
    return !isAlone && spentUsd.plus(reservedUsd).greaterThan(limitUsd);
  });
