import { z } from 'zod';
import { type AccountId, asId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { ReceiverDeps } from './receiver.ts';
import { SLACK } from '../settings.ts';
import { fields } from '../wire.ts';

export const JOIN_EVENT = fields({
  user: z.string(),
  channel: z.string(),
  /** The person who added the bot. */
  inviter: z.string(),
});

export const OPEN_EVENT = fields({ user: z.string(), tab: z.string() });

type WelcomeDeps = Pick<ReceiverDeps, 'host' | 'self' | 'directory'>;

/** Has the bot introduce itself in a channel that it was added to. Rejects if storing failed. */
export const welcomeChannel = async (
  { host, self, directory }: WelcomeDeps,
  { user, channel, inviter }: z.infer<typeof JOIN_EVENT>,
): Promise<void> => {
  if (user !== self.userId || channel === undefined || !host.welcomes) return;
  const person = inviter === undefined ? undefined : await directory.person(inviter);
  await host.welcomes.joined({
    channelId: SLACK,
    accountId: asId<AccountId>(self.teamId),
    guildId: self.teamId,
    subject: channel,
    chatId: asId<ChatId>(channel),
    botId: asId<UserId>(self.userId),
    locale: person?.locale,
  });
};

/** Has the bot introduce itself to somebody who looks at their direct chat. Rejects if storing failed. */
export const welcomePerson = async (
  { host, self, directory }: WelcomeDeps,
  { user, tab }: z.infer<typeof OPEN_EVENT>,
): Promise<void> => {
  if (user === undefined || tab !== 'messages' || !host.welcomes) return;
  const person = await directory.person(user);
  if (person?.isBot) return;
  await host.welcomes.met({
    channelId: SLACK,
    accountId: asId<AccountId>(self.teamId),
    userId: asId<UserId>(user),
    locale: person?.locale,
    timeZone: person?.timeZone,
  });
};
