import { type Gate, type GateVerdict, PASS } from './gate.ts';
import type { DepsOfAll } from '#src/kernel/intersection.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { allowList } from './allow-list.ts';
import { blank } from './blank.ts';
import { botLoop } from './bot-loop.ts';
import { bots, itself } from './bots.ts';
import { budget } from './budget.ts';
import { directPolicy } from './direct-policy.ts';
import { guildChannels } from './guild-channels.ts';
import { guildRoles } from './guild-roles.ts';
import { length } from './length.ts';
import { marketHours } from './market-hours.ts';
import { mention } from './mention.ts';
import { rateLimit } from './rate-limit.ts';
import { secrets } from './secrets.ts';
import { storage } from './storage.ts';

export type GateDecision = GateVerdict & { readonly gate: string };

/** Checks the gates in order. The first drop decides, and later gates are not checked. */
export const composeGates =
  (gates: readonly Gate[]) =>
  async (message: MsgContext): Promise<GateDecision> => {
    for (const gate of gates) {
      const verdict = await gate.check(message);
      if (verdict.verdict === 'drop') return { ...verdict, gate: gate.name };
    }
    return { ...PASS, gate: '' };
  };

/**
 * In checking order: cheap and silent gates first. Before `mention`, nobody in a group gets a reply unless they mentioned
 * the bot, because it is not known yet whether a message is meant for it.
 */
const GATES = [
  bots,
  allowList,
  directPolicy,
  guildChannels,
  guildRoles,
  mention,
  botLoop,
  blank,
  rateLimit,
  length,
  secrets,
  storage,
  budget,
  marketHours,
] as const;

/** Everything that some gate needs. */
export type GatesDeps = DepsOfAll<(typeof GATES)[number]>;

/** Two bots that reply to each other's refusals would never stop. */
const silentToBots = (gate: Gate): Gate => ({
  name: gate.name,
  check: async (message) => {
    const verdict = await gate.check(message);
    return message.isFromBot && verdict.verdict === 'drop'
      ? { verdict: 'drop', reason: verdict.reason }
      : verdict;
  },
});

export const createGates = (deps: GatesDeps): readonly Gate[] =>
  [itself(), ...GATES.map((create) => create(deps))].map(silentToBots);
