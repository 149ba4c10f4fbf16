import { type Gate, PASS } from '#src/kernel/gate.ts';
import { isListed } from './listed.ts';

/** A bot that answers itself never stops. */
export const itself = (): Gate => ({
  name: 'itself',
  check: (message) => (message.isFromSelf ? { verdict: 'drop', reason: 'own-message' } : PASS),
});

export interface BotsDeps {
  /** As `channel:id`, or ids alone. */
  readonly allowBots: readonly string[];
}

/** Other bots are heard only where the configuration names them, and are never told so: they would answer. */
export const bots = ({ allowBots }: BotsDeps): Gate => ({
  name: 'bots',
  check: ({ isFromBot, channelId, senderId }) =>
    isFromBot && !isListed(allowBots, channelId, senderId)
      ? { verdict: 'drop', reason: 'bot-not-allowed' }
      : PASS,
});
