import { type Gate, type GateVerdict, PASS } from '#src/kernel/gate.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { allowList, type AllowListDeps } from './allow-list.ts';
import { blank } from './blank.ts';
import { botLoop, type BotLoopDeps } from './bot-loop.ts';
import { bots, type BotsDeps, itself } from './bots.ts';
import { budget, type BudgetDeps } from './budget.ts';
import { directPolicy, type DirectPolicyDeps } from './direct-policy.ts';
import { guildChannels, type GuildChannelsDeps } from './guild-channels.ts';
import { length, type LengthDeps } from './length.ts';
import { marketHours, type MarketHoursDeps } from './market-hours.ts';
import { mention, type MentionDeps } from './mention.ts';
import { rateLimit, type RateLimitDeps } from './rate-limit.ts';
import { secrets, type SecretsDeps } from './secrets.ts';

export type GateDecision = GateVerdict & { readonly gate: string };

/** Asks the gates in order; the first that drops decides, and the ones behind it are not asked. */
export const composeGates =
  (gates: readonly Gate[]) =>
  async (message: InboundMessage): Promise<GateDecision> => {
    for (const gate of gates) {
      const verdict = await gate.check(message);
      if (verdict.verdict === 'drop') return { ...verdict, gate: gate.name };
    }
    return { ...PASS, gate: '' };
  };

export type GatesDeps = AllowListDeps &
  BotLoopDeps &
  BotsDeps &
  BudgetDeps &
  DirectPolicyDeps &
  GuildChannelsDeps &
  LengthDeps &
  MarketHoursDeps &
  MentionDeps &
  RateLimitDeps &
  SecretsDeps;

const withoutReply = (verdict: GateVerdict): GateVerdict =>
  verdict.verdict === 'drop' ? { verdict: 'drop', reason: verdict.reason } : PASS;

/** A bot that is told why it was not heard may answer that, and be told again. */
const silentToBots = (gate: Gate): Gate => ({
  name: gate.name,
  check: async (message) => {
    const verdict = await gate.check(message);
    return message.isFromBot ? withoutReply(verdict) : verdict;
  },
});

/**
 * In the order in which they are asked: the cheap and the silent first. Before `mention` nobody in a group is told
 * anything who did not call the bot by name, because until then nobody knows whether it was meant.
 */
export const createGates = (deps: GatesDeps): readonly Gate[] =>
  [
    itself(),
    bots(deps),
    allowList(deps),
    directPolicy(deps),
    guildChannels(deps),
    mention(deps),
    botLoop(deps),
    blank(deps),
    rateLimit(deps),
    length(deps),
    secrets(deps),
    budget(deps),
    marketHours(deps),
  ].map(silentToBots);
