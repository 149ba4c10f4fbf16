import { type Gate, type GateVerdict, PASS } from './gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { type MsgContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import { Dedupe } from '#src/platform/concurrency/dedupe.ts';
import type { PairingStore } from '#src/people/store/pairings.ts';
import { type AdminSettings, isAdmin, isListed } from '../context/admins.ts';
import { type AllowListDeps, isPersonAllowed } from './allow-list.ts';
import { createThrottledReply, replyLocale, type ThrottledReplyDeps } from './throttled-reply.ts';

interface DirectPolicyDeps extends ThrottledReplyDeps {
  readonly direct: {
    readonly policy: 'open' | 'allowlist' | 'pairing';
    readonly users: readonly string[];
  };
  readonly admins: AdminSettings;
  readonly pairings: Pick<PairingStore, 'isPaired' | 'request'>;
}

const TELL_AGAIN_MS = 60_000;

/** Who may write directly, as the configuration and the administrators say. */
export interface DirectRules
  extends Pick<DirectPolicyDeps, 'direct' | 'admins'>, Pick<AllowListDeps, 'allow'> {
  readonly pairings: Pick<PairingStore, 'isPaired'>;
}

type DirectSender = Pick<MsgContext, 'channelId' | 'senderId' | 'senderRoles' | 'ownsBot'>;

/** Whether the gates let a person write to the bot directly. Asks nobody for a code. */
export const mayWriteDirectly = async (
  sender: DirectSender,
  { allow, direct, admins, pairings }: DirectRules,
): Promise<boolean> => {
  if (isAdmin(sender, admins)) return true;
  if (direct.policy === 'open') return isPersonAllowed(allow, sender);
  const { channelId, senderId } = sender;
  if (isListed(direct.users, channelId, senderId)) return true;
  return direct.policy === 'pairing' && pairings.isPaired(channelId, senderId);
};

/** Decides who may write to the bot directly. */
export const directPolicy = ({ direct, admins, pairings, ...deps }: DirectPolicyDeps): Gate => {
  const dropWithReply = createThrottledReply(deps);
  const told = new Dedupe(deps.clock, TELL_AGAIN_MS);

  /** Repeats the code for a person who writes again, as the first reply may be lost, but at most once a minute. */
  const askForPairing = async (message: MsgContext): Promise<GateVerdict> => {
    const { channelId, senderId: userId, senderName: userName } = message;
    const locale = replyLocale(message, deps);
    const request = { channelId, userId, userName, target: replyTargetOf(message), locale };
    const result = await pairings.request(request);
    const drop = { verdict: 'drop', reason: 'pairing-required' } as const;
    switch (result.outcome) {
      case 'paired':
        return PASS;
      case 'waiting':
      case 'code': {
        const person = `${channelId}\0${userId}`;
        if (result.outcome === 'waiting' && told.has(person)) return drop;
        told.add(person);
        return { ...drop, reply: gateTexts(locale).pairingCode({ code: result.code }) };
      }
      case 'denied':
        return dropWithReply(message, 'pairing-denied', (spoken) => gateTexts(spoken).pairingDenied());
    }
    return result satisfies never;
  };

  return {
    name: 'direct-policy',
    check: async (message) => {
      const { chatType, channelId, senderId } = message;
      if (chatType !== 'direct' || direct.policy === 'open') return PASS;
      if (isAdmin(message, admins) || isListed(direct.users, channelId, senderId)) return PASS;
      // A bot cannot pass on a code, and would take the place of a waiting person.
      if (direct.policy === 'allowlist' || message.isFromBot) {
        const id = `${channelId}:${senderId}`;
        return dropWithReply(message, 'direct-not-allowed', (locale) =>
          gateTexts(locale).directNotAllowed({ id }),
        );
      }
      return (await pairings.isPaired(channelId, senderId)) ? PASS : askForPairing(message);
    },
  };
};
