import type { Membership } from '#src/kernel/channel.ts';
import { ChannelError } from '#src/kernel/errors.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { isRefusedWith, type SlackApi } from './api.ts';

/** Slack takes no more. */
const PAGE = 999;
/** In a channel with more people than that it is not known, and whoever asks goes on. */
const MAX_PAGES = 20;

const isActive = async (api: SlackApi, user: string): Promise<boolean> => {
  try {
    const { user: found } = await api.call('users.info', {
      user,
    });
    return found?.deleted !== true;
  } catch (error) {
    if (isRefusedWith(error, 'user_not_found')) return false;
    throw error;
  }
};

const isBotThere = async (api: SlackApi, channel: string): Promise<boolean> => {
  const { channel: found } = await api.call('conversations.info', { channel });
  return found?.is_member !== false && found?.is_archived !== true;
};

const isIn = async (api: SlackApi, channel: string, user: string, signal: AbortSignal): Promise<boolean> => {
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    signal.throwIfAborted();
    const answer = await api.call('conversations.members', {
      channel,
      limit: PAGE,
      ...(cursor === '' ? {} : { cursor }),
    });
    if (answer.members?.includes(user)) return true;
    cursor = answer.response_metadata?.next_cursor ?? '';
    if (cursor === '') return false;
  }
  throw new ChannelError('unreachable', 'Slack: the channel has too many members to look through');
};

/** The bot first: where it is not, nobody can be looked up. */
export const createMembership =
  (api: SlackApi) =>
  async ({ chatId, recipientId }: ReplyTarget, signal: AbortSignal): Promise<Membership> => {
    try {
      if (!(await isBotThere(api, chatId))) return 'bot-removed';
      if (!(await isActive(api, recipientId))) return 'left';
      return (await isIn(api, chatId, recipientId, signal)) ? 'member' : 'left';
    } catch (error) {
      if (isRefusedWith(error, 'channel_not_found', 'not_in_channel')) return 'bot-removed';
      throw error;
    }
  };
