import {
  asId,
  type AccountId,
  type ChannelId,
  type ChatId,
  type OwnerId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { WatchlistStore } from '#src/features/watchlist/store.ts';

/** Somebody in a direct chat, in English. */
export const requesterOf = (name: string, more: Partial<Requester> = {}): Requester => {
  const userId = asId<UserId>(name);
  const channelId = asId<ChannelId>('test');
  return {
    channelId,
    userId,
    name,
    locale: 'en',
    timeZone: 'Asia/Seoul',
    isDirect: true,
    target: {
      channelId,
      accountId: asId<AccountId>('local'),
      chatId: asId<ChatId>(name),
      recipientId: userId,
      isDirect: true,
    },
    requestId: `request of ${name}`,
    ...more,
  };
};

/** The same person in a channel, by a slash command. */
export const inChannel = (name: string, more: Partial<Requester> = {}): Requester =>
  requesterOf(name, {
    isDirect: false,
    target: {
      channelId: asId<ChannelId>('test'),
      accountId: asId<AccountId>('local'),
      chatId: asId<ChatId>('general'),
      recipientId: asId<UserId>(name),
      interaction: { token: 'secret', isPrivate: true },
    },
    ...more,
  });

export const ownerOf = ({ channelId, userId }: PersonRef): OwnerId => asId<OwnerId>(`${channelId}/${userId}`);
export const owners = { ownerOf: async (person: PersonRef) => ownerOf(person) };

/** Lists in memory, as the database keeps them. */
export const memoryWatchlists = (): WatchlistStore => {
  const lists = new Map<OwnerId, readonly Instrument[]>();
  const of = (ownerId: OwnerId): readonly Instrument[] => lists.get(ownerId) ?? [];
  return {
    list: async (ownerId) => of(ownerId),
    add: async (ownerId, instruments, limit) => {
      const known = new Set(of(ownerId).map(({ symbol }) => symbol));
      const added = instruments.filter(({ symbol }) => !known.has(symbol));
      if (known.size + added.length > limit) return 'full';
      lists.set(ownerId, [...of(ownerId), ...added]);
      return added;
    },
    remove: async (ownerId, symbols) => {
      const gone = of(ownerId).filter(({ symbol }) => symbols.includes(symbol));
      lists.set(
        ownerId,
        of(ownerId).filter(({ symbol }) => !symbols.includes(symbol)),
      );
      return gone.map(({ symbol }) => symbol);
    },
    clear: async (ownerId) => {
      const { length } = of(ownerId);
      lists.delete(ownerId);
      return length;
    },
  };
};
