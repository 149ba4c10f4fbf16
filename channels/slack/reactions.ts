import type { ReplyTarget } from '#src/kernel/message.ts';
import { isRefusedWith, type SlackApi } from './api.ts';
import type { Directory } from './directory.ts';

/** Slack knows emoji by name. */
const NAMES: Readonly<Record<string, string>> = {
  '👀': 'eyes',
  '⚠️': 'warning',
  '⚠': 'warning',
  '✅': 'white_check_mark',
  '❌': 'x',
  '⏳': 'hourglass_flowing_sand',
  '👍': '+1',
  '⛔': 'no_entry',
};

/** A sign on the message; on a command or a press there is no message to put it on. */
export const react = async (
  api: SlackApi,
  directory: Directory,
  action: 'add' | 'remove',
  target: ReplyTarget,
  emoji: string,
): Promise<void> => {
  const name = NAMES[emoji];
  if (!name || target.interaction || !target.replyToMessageId) return;
  const channel = await directory.channelOf(target);
  try {
    await api.call(`reactions.${action}`, { channel, timestamp: target.replyToMessageId, name });
  } catch (error) {
    if (!isRefusedWith(error, 'already_reacted', 'no_reaction', 'message_not_found')) throw error;
  }
};
