import { type Gate, PASS } from './gate.ts';
import { isListed } from '../context/admins.ts';

/** Ignores the bot's own messages, which it would otherwise answer forever. */
export const itself = (): Gate => ({
  name: 'itself',
  check: (message) => (message.isFromSelf ? { verdict: 'drop', reason: 'own-message' } : PASS),
});

interface BotsDeps {
  /** `platform:id`, or the id alone. */
  readonly allowBots: readonly string[];
}

/** Ignores other bots unless the configuration lists them. The drop is silent, because they would answer. */
export const bots = ({ allowBots }: BotsDeps): Gate => ({
  name: 'bots',
  check: ({ isFromBot, channelId, senderId }) =>
    isFromBot && !isListed(allowBots, channelId, senderId)
      ? { verdict: 'drop', reason: 'bot-not-allowed' }
      : PASS,
});
