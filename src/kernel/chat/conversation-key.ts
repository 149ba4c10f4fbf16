import { fromKeyPart, type PersonRef, type SessionKey } from '../ids.ts';

/** The chat type in the key of a conversation that one person alone has with the bot in a shared chat. */
export const PRIVATE = 'private';

/** The parts of `agent:{agent}:{channel}:{account}:{chat type}:{chat}`. `rest`: the thread or, if it is private, the chat. */
export const partsOfKey = (key: SessionKey) => {
  const [, , ...parts] = key.split(':').map(fromKeyPart);
  const [channelId = '', accountId = '', chatType = '', chat = '', rest = ''] = parts;
  return { channelId, accountId, chatType, chat, rest };
};

const isWith = (key: SessionKey, { channelId, userId }: PersonRef, chatTypes: readonly string[]): boolean => {
  const parts = partsOfKey(key);
  return parts.channelId === channelId && chatTypes.includes(parts.chatType) && parts.chat === userId;
};

/** Whether it is a conversation that this person alone has in a shared chat, with any agent. */
export const isPrivateOf = (key: SessionKey, person: PersonRef): boolean => isWith(key, person, [PRIVATE]);

/** Whether nobody but this person takes part in the conversation, with any agent and account. */
export const isOfOnly = (key: SessionKey, person: PersonRef): boolean =>
  isWith(key, person, ['direct', PRIVATE]);
