import { asId, type ChannelId, type SessionKey, type UserId } from '#src/core/ids.ts';
import type { Storage } from './database.ts';
import { filesIn } from './unsent-files.ts';

/** Somebody on one platform. */
export interface Person {
  readonly channelId: ChannelId;
  readonly userId: UserId;
}

const decoded = (part = ''): string => part.replaceAll('%3A', ':').replaceAll('%25', '%');

/** `agent:{agent}:{channel}:{account}:direct:{user}`, whichever agent and account. */
const isDirectOf =
  ({ channelId, userId }: Person) =>
  (sessionKey: string): boolean => {
    const [, , channel, , chatType, user] = sessionKey.split(':');
    return decoded(channel) === channelId && chatType === 'direct' && decoded(user) === userId;
  };

const keysOf = (rows: readonly { readonly session_key: string }[]): readonly string[] =>
  rows.map((row) => row.session_key);

/** How a choice for one conversation is named among the queue modes. */
export const MODE_SCOPE = 'session:';

/** The person's direct conversations, of all that knows any; the last two are small, and read as a whole. */
export const directSessions = async (
  { db }: Pick<Storage, 'db'>,
  person: Person,
): Promise<readonly SessionKey[]> => {
  const { channelId, userId } = person;
  const [inbox, usage, settings, modes] = await Promise.all([
    db
      .selectFrom('inbox')
      .select('session_key')
      .distinct()
      .where('channel_id', '=', channelId)
      .where('sender_id', '=', userId)
      .execute(),
    db
      .selectFrom('usage')
      .select('session_key')
      .distinct()
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId)
      .execute(),
    db.selectFrom('session_settings').select('session_key').execute(),
    db.selectFrom('queue_modes').select('scope').where('scope', 'like', `${MODE_SCOPE}%`).execute(),
  ]);
  const keys = [
    ...keysOf(inbox),
    ...keysOf(usage),
    ...keysOf(settings),
    ...modes.map(({ scope }) => scope.slice(MODE_SCOPE.length)),
  ];
  return [...new Set(keys)].filter(isDirectOf(person)).map((key) => asId<SessionKey>(key));
};

/** What is still being answered stays until then, with all that became part of it. */
export const settledMessages = (db: Storage['db'], { channelId, userId }: Person) =>
  db
    .selectFrom('inbox')
    .select('inbox.id')
    .where('inbox.channel_id', '=', channelId)
    .where('inbox.sender_id', '=', userId)
    .where('inbox.status', '!=', 'pending')
    .where((is) =>
      is.not(
        is.and([
          is('inbox.status', '=', 'merged'),
          is.exists(
            is
              .selectFrom('inbox as leader')
              .select('leader.id')
              .whereRef('leader.id', '=', 'inbox.taken_by')
              .where('leader.status', '=', 'pending'),
          ),
        ]),
      ),
    );

/** The files that were sent with answers to the person. */
export const sentFiles = async (db: Storage['db'], person: Person): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('outbox')
    .select('payload')
    .where('inbox_id', 'in', settledMessages(db, person))
    .where('payload', 'like', '%"media"%')
    .execute();
  return rows.flatMap(({ payload }) => filesIn(payload));
};
