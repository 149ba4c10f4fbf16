import { createModelCaller, type ModelCallerDeps } from '#src/agent/loop/model-caller.ts';
import { TokenEstimator } from '#src/agent/tokens.ts';
import { DEFAULT_FALLBACK_ON, type KeySource } from '#src/agent/models/fallback.ts';
import type { ProviderAdapter } from '#src/agent/providers/adapter.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { CircuitBreaker } from '#src/platform/concurrency/circuit-breaker.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { bookingBudget } from './booking-budget.ts';

interface SetUp extends Partial<Omit<ModelCallerDeps, 'settings'>> {
  readonly clock?: ManualClock;
  readonly settings?: Partial<ModelCallerDeps['settings']>;
  readonly maxConcurrency?: number;
  readonly keyIds?: readonly string[];
}

/** As many keys as named, all of them good; the first that was not tried yet. */
const keySource = (ids: readonly string[]): KeySource => ({
  resolve: async (_provider, { except }) => {
    const id = ids.find((candidate) => !except?.has(candidate));
    if (id === undefined) throw new FinClawError('There is no key', 'NO_API_KEY');
    return { profileId: id, apiKey: `secret of ${id}` };
  },
  reportSuccess: async () => undefined,
  reportFailure: async () => undefined,
});

/** The real caller in front of one provider, with a ledger in memory. No request is tried again unless asked for. */
export const callerOn = (provider: ProviderAdapter, setUp: SetUp = {}) => {
  const {
    clock = new ManualClock(),
    settings,
    maxConcurrency = Infinity,
    keyIds = ['key-1'],
    ...deps
  } = setUp;
  const recorded = recordingEvents();
  const { logger, records } = recordingLogger();
  const money = bookingBudget();
  const apiKeys: string[] = [];
  const limit = new Semaphore(maxConcurrency);
  const breaker = new CircuitBreaker({ name: 'scripted', clock, failureThreshold: 100 });
  const providers: ModelCallerDeps['providers'] = {
    adapterFor: async (id, apiKey) => {
      apiKeys.push(`${id}: ${apiKey}`);
      return provider;
    },
    limitOf: () => limit,
    breakerOf: () => breaker,
  };
  const estimator = new TokenEstimator();
  const askModel = createModelCaller({
    providers,
    keys: keySource(keyIds),
    budget: money,
    estimator,
    settings: {
      maxOutputTokens: 8_192,
      maxRetriesPerKey: 0,
      fallbackOn: DEFAULT_FALLBACK_ON,
      ...settings,
    },
    clock,
    events: recorded.events,
    logger,
    ...deps,
  });
  const { booked, reserved, canceled } = money;
  return { askModel, booked, reserved, canceled, apiKeys, clock, limit, records, estimator, ...recorded };
};
