import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type OwnerId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { Firing, NewAlert } from '#src/features/alerts/store-types.ts';

export const personOf = (channelId: string, userId: string): PersonRef => ({
  channelId: asId<ChannelId>(channelId),
  userId: asId<UserId>(userId),
});

export const ME = personOf('slack', 'U1');
export const MINE = asId<OwnerId>('person:slack:U1');
export const YOURS = asId<OwnerId>('person:slack:U2');

export const APPLE: Instrument = {
  symbol: 'AAPL',
  ticker: 'AAPL',
  name: { ko: '애플', en: 'Apple Inc.' },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
};

export const directTarget = ({ channelId, userId }: PersonRef): ReplyTarget => ({
  channelId,
  accountId: asId<AccountId>('T1'),
  chatId: asId<ChatId>(userId),
  recipientId: userId,
  isDirect: true,
});

export const newAlert = (overrides: Partial<NewAlert> = {}): NewAlert => ({
  ownerId: MINE,
  instrument: APPLE,
  condition: { kind: 'above', price: new Decimal('200') },
  isRepeating: false,
  cooldownMinutes: 60,
  usesExtendedHours: false,
  target: directTarget(ME),
  setByName: 'Mina',
  locale: 'ko',
  timeZone: 'Asia/Seoul',
  ...overrides,
});

export const firingOf = (alert: AlertRecord, at: Temporal.Instant): Firing => ({
  alert,
  at,
  payload: { text: 'AAPL > 200', choices: [{ label: '1h', command: `/alert snooze ${alert.id} 1h` }] },
  memory: '{"high":"201"}',
});
