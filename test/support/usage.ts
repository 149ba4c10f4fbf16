import { asId, type ChannelId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { UsageSnapshot } from '#src/kernel/agent/usage.ts';
import { newId } from '#src/platform/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { bookUsage, createUsageLedger, type UsageEntry } from '#src/agent/store/usage.ts';

export const MINA = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('mina') };

/** A request of Mina's that cost a cent; every call is another one. */
export const usageEntry = (overrides: Partial<UsageEntry> = {}): UsageEntry => ({
  id: newId(),
  ...MINA,
  sessionKey: asId<SessionKey>('agent:main:slack:T1:direct:mina'),
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  profileId: 'profile-1',
  outcome: 'ok',
  usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 300, cacheWriteTokens: 4 },
  costUsd: new Decimal('0.01'),
  ids: {},
  ...overrides,
});

export const usageSnapshot = (overrides: Partial<UsageSnapshot> = {}): UsageSnapshot => ({
  ...NO_USAGE,
  requestCount: 0,
  failedCount: 0,
  unpricedCount: 0,
  costUsd: new Decimal(0),
  ...overrides,
});

/** With the cost as text: two decimals of the same value are not the same object. */
export const readable = ({ costUsd, ...rest }: UsageSnapshot) => ({ ...rest, costUsd: costUsd.toFixed() });

/** The ledger, with bookings of requests that nobody reserved money for. */
export const usageLedger = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  ...createUsageLedger(db),
  book: (entry: UsageEntry, at: Temporal.Instant): Promise<boolean> =>
    write((tx) => bookUsage(tx, entry, at)),
});
