import type { Selectable } from 'kysely';
import type { AlertCondition, AlertRecord } from '#src/kernel/people/alerts.ts';
import { type AlertId, asId, type OwnerId, type Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { sharedChatOf } from '#src/kernel/chat/message.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { NewAlert } from './store-types.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

type AlertRow = Selectable<Database['alerts']>;

/** The columns that are stored as one JSON. Only `target`, the zone and, at a split, `condition` ever change. */
type Details = Omit<NewAlert, 'ownerId' | 'expiresAt' | 'memory'>;

/** The properties of any condition that are amounts. */
const AMOUNTS = ['price', 'percent', 'basePrice', 'level', 'multiple'] as const;

const plainAmounts = (condition: AlertCondition): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(condition).map(([name, value]) => [
      name,
      value instanceof Decimal ? value.toFixed() : value,
    ]),
  );

const decodeDetails = (text: string): Details => {
  const { condition, ...details } = JSON.parse(text) as Omit<Details, 'condition'> & {
    readonly condition: Record<string, unknown>;
  };
  for (const name of AMOUNTS) {
    const amount = condition[name];
    if (typeof amount === 'string') condition[name] = new Decimal(amount);
  }
  return { ...details, condition: condition as unknown as AlertCondition };
};

export const encodeDetails = (alert: NewAlert): string => {
  const { instrument, split, isRepeating, cooldownMinutes, usesExtendedHours } = alert;
  const { target, setByName, locale, timeZone, zoneGuess } = alert;
  const details = {
    instrument,
    condition: plainAmounts(alert.condition),
    split,
    isRepeating,
    cooldownMinutes,
    usesExtendedHours,
    target,
    setByName,
    locale,
    timeZone,
    zoneGuess,
  } satisfies Readonly<Record<keyof Details, unknown>>;
  return JSON.stringify(details);
};

const instant = (text: string): Timestamp => Temporal.Instant.from(text);

export const toAlert = (row: AlertRow): AlertRecord => ({
  id: asId<AlertId>(row.id),
  ownerId: asId<OwnerId>(row.owner_id),
  ...decodeDetails(row.details),
  status: row.status,
  side: row.side,
  memory: row.memory,
  firedCount: row.fired_count,
  createdAt: instant(row.created_at),
  version: row.version,
  ...(row.expires_at === null ? {} : { expiresAt: instant(row.expires_at) }),
  ...(row.snoozed_until === null ? {} : { snoozedUntil: instant(row.snoozed_until) }),
  ...(row.last_fired_at === null ? {} : { lastFiredAt: instant(row.last_fired_at) }),
});

/** A new alert, which was never evaluated. */
export const alertRow = (
  alert: NewAlert,
  { channelId, userId }: PersonRef,
  requestId: string,
  at: Timestamp,
): Omit<AlertRow, 'id'> => ({
  owner_id: alert.ownerId,
  channel_id: channelId,
  user_id: userId,
  request_id: requestId,
  symbol: alert.instrument.symbol,
  status: 'active',
  side: 'unknown',
  memory: alert.memory ?? '{}',
  details: encodeDetails(alert),
  expires_at: alert.expiresAt ? toStoredTime(alert.expiresAt) : null,
  snoozed_until: null,
  fired_count: 0,
  last_fired_at: null,
  created_at: toStoredTime(at),
  version: 1,
  chat_key: sharedChatOf(alert.target) ?? null,
});
