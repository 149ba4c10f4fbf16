import type { Storage } from './database.ts';
import { WAITING } from './notifications.ts';

/** The addresses of files in a stored message. */
export const filesIn = (payload: string): readonly string[] => {
  const { media = [] } = JSON.parse(payload) as {
    readonly media?: readonly { readonly url: string }[];
  };
  return media.map(({ url }) => url);
};

/** Files that a message still needs which was not sent yet. */
export const unsentFiles = async ({ db }: Pick<Storage, 'db'>): Promise<ReadonlySet<string>> => {
  const parts = await db
    .selectFrom('outbox')
    .select('payload')
    .where('status', '=', 'pending')
    .where('payload', 'like', '%"media"%')
    .execute();
  const notifications = await db
    .selectFrom('notifications')
    .select('payload')
    .where('status', 'in', WAITING)
    .where('payload', 'like', '%"media"%')
    .execute();
  return new Set([...parts, ...notifications].flatMap(({ payload }) => filesIn(payload)));
};
