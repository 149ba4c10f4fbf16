import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Ack, Json } from './api.ts';
import type { Chronicle } from './chronicle.ts';
import type { EnvelopeType, MessageEntry } from './history.ts';
import type { FakeSlackOptions } from './options.ts';
import { pingedBy } from './render.ts';
import type { StoredMessage, World } from './world.ts';

export type Settings = Required<
  Omit<FakeSlackOptions, 'onMoment' | 'events' | 'messagesPerSecondPerChannel' | 'requestUrl'>
> &
  Pick<FakeSlackOptions, 'events' | 'messagesPerSecondPerChannel' | 'requestUrl'>;

/** Something to be brought to the bot and acknowledged by it. */
export interface Parcel {
  readonly envelopeType: EnvelopeType;
  readonly what: string;
  readonly eventId?: string;
  readonly payload: Json;
  readonly onAck?: (ack: Ack) => void;
  readonly onGivenUp?: () => void;
}

/** What the parts of the fake have in common. */
export interface Core {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly chronicle: Chronicle;
  readonly world: World;
  readonly url: string;
  /** Returns the id of the envelope of the first delivery. */
  readonly send: (parcel: Parcel) => string;
}

/** People now see something else: noted, and a moment to step in. */
export const show = (
  { chronicle }: Core,
  type: MessageEntry['type'],
  message: StoredMessage,
  via: MessageEntry['via'] = 'api',
): void => {
  const { channel, ts, threadTs, text, ephemeralFor } = message;
  chronicle.note({
    type,
    channel,
    ts,
    ...(threadTs === undefined ? {} : { threadTs }),
    text,
    ...(ephemeralFor === undefined ? {} : { forUser: ephemeralFor }),
    via,
  });
  if (type !== 'deleted') {
    const pinged = pingedBy(message);
    if (pinged.length > 0) chronicle.offend('mass-mention', `${pinged.join(', ')} in ${channel} ${ts}`);
  }
  chronicle.moment({ name: type, channel, ts });
};
