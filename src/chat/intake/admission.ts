import type { Actor } from '#src/kernel/chat/actor.ts';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { Feedback } from '#src/kernel/people/feedback.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Uses } from '#src/platform/services.ts';
import { isAdmin } from '../context/admins.ts';
import { isChatAllowed, isDirectOpen, isPersonAllowed, refusalByLists } from '../gates/allow-list.ts';
import { type DirectRules, mayWriteDirectly } from '../gates/direct-policy.ts';
import { isChatChosen } from '../gates/guild-channels.ts';
import { hasChosenRole } from '../gates/guild-roles.ts';
import { LRUCache } from 'lru-cache';

interface AdmissionDeps extends DirectRules, Uses<'clock' | 'guildSettings.of'> {
  /** Of messages. The limit of presses is the same, counted apart. 0: no limit. */
  readonly rateLimitPerMinute: number;
  readonly ownsBot: (person: PersonRef) => Promise<boolean>;
}

type AskingHost = Omit<ChannelHost, 'requestShutdown'>;

/** The members that act for their caller. */
type UnaskingHost = Omit<AskingHost, 'refusalFor' | 'approvals' | 'feedback'> &
  Uses<'approvals.decide'> & { readonly feedback: Pick<Feedback, 'rate'> };

/** Every letter that somebody types into an option asks for suggestions. */
const SUGGESTIONS_PER_PRESS = 10;

/** Asks of everything that is no message what the gates ask of messages. */
export const createAdmission = (deps: AdmissionDeps) => {
  const { allow, admins, guildSettings, clock } = deps;
  const presses = createActLimit(deps.rateLimitPerMinute, clock);
  const suggestions = createActLimit(deps.rateLimitPerMinute * SUGGESTIONS_PER_PRESS, clock);

  /** Undefined if the place admits the person. Direct chats have a policy beside it. */
  const refusalByPlace = (actor: Omit<Actor, 'locale'>) => {
    const reason = refusalByLists(actor, deps);
    if (reason !== undefined || actor.chatType === 'direct') return reason;
    const settings = guildSettings.of(actor.channelId, actor.guildId);
    const isChosen = isChatChosen(settings, actor) && hasChosenRole(settings, actor);
    return isChosen ? undefined : 'not-chosen';
  };

  const refusalHere = async (actor: Actor): Promise<string | undefined> => {
    const id = `${actor.channelId}:${actor.senderId}`;
    const isDirect = actor.chatType === 'direct';
    const reason = refusalByPlace(actor);
    if (reason === 'user-not-allowed' && isDirect) return gateTexts(actor.locale).notAllowed({ id });
    if (reason !== undefined) return channelTexts(actor.locale).notHere();
    if (!isDirect || (await mayWriteDirectly(actor, deps))) return undefined;
    return gateTexts(actor.locale).directNotAllowed({ id });
  };

  const refusalFor: ChannelHost['refusalFor'] = async (actor) => {
    const refusal = await refusalHere(actor);
    if (refusal !== undefined || isAdmin(actor, admins)) return refusal;
    const seconds = presses.waitSeconds(actor);
    return seconds > 0 ? gateTexts(actor.locale).rateLimited({ seconds }) : undefined;
  };

  return {
    /** Whether the gates leave this person without any answer here. */
    isIgnored: (actor: Omit<Actor, 'locale'>): boolean => refusalByLists(actor, deps) === 'guild-not-allowed',
    /** The refusal for somebody who may not act here; undefined if they may. Rate limits do not count. */
    refusalHere,

    /** Whether a person may still be sent what they once asked for. */
    mayBeTold: async ({
      channelId,
      chatId,
      recipientId: senderId,
      isDirect,
      askedIn,
    }: ReplyTarget): Promise<boolean> => {
      const sender = { channelId, senderId, senderRoles: [] };
      if (isAdmin(sender, admins)) return true;
      const isAskedHere = isDirect === true && !askedIn;
      const place = { channelId, chatId: askedIn?.chatId ?? chatId };
      // The server and the roles of the person are not known here.
      const isLeft = isAskedHere
        ? await mayWriteDirectly(sender, deps)
        : isChatAllowed({ channels: allow.channels }, place) &&
          (allow.roles !== undefined || isPersonAllowed(allow, sender));
      return isLeft || (await deps.ownsBot({ channelId, userId: senderId }));
    },

    /** Whether the bot answers in a server's chat at all, whoever writes there. */
    answersIn: (chat: Parameters<typeof isChatAllowed>[1]): boolean => isChatAllowed(allow, chat),

    /** Whether everybody may write to the bot directly. */
    isOpenToAll: isDirectOpen(deps),

    /** The host with the same questions before all that acts. Messages have gates of their own. */
    before: (host: UnaskingHost): AskingHost => ({
      ...host,
      refusalFor,
      approvals: {
        decide: async (id, verdict, by) => {
          const text = await refusalFor(by);
          if (text !== undefined) return { outcome: 'not-admitted', text };
          const { channelId, senderId: userId, senderRoles: userRoles } = by;
          return host.approvals.decide(id, verdict, { channelId, userId, userRoles });
        },
      },
      feedback: {
        rate: async (answerId, verdict, by) => {
          const text = await refusalFor(by);
          return text === undefined
            ? host.feedback.rate(answerId, verdict, { ...by, userId: by.senderId })
            : { outcome: 'failed', text };
        },
      },
      suggest: async (source, typed, actor, limit, filled) => {
        if ((await refusalHere(actor)) !== undefined) return [];
        if (suggestions.waitSeconds(actor) > 0) return [];
        return host.suggest(source, typed, actor, limit, filled);
      },
      forms: {
        open: (commandText, actor) =>
          refusalByPlace(actor) === undefined ? host.forms.open(commandText, actor) : undefined,
        submit: async (formId, values, actor) =>
          (await refusalFor(actor)) ?? host.forms.submit(formId, values, actor),
      },
    }),
  };
};

const WINDOW_MS = 60_000;
const MAX_PEOPLE = 2_000;

interface ActWindow {
  readonly beganAtMs: number;
  count: number;
}

/** Counts what people do at this process besides writing messages. 0: no limit. */
const createActLimit = (perMinute: number, clock: Clock) => {
  const windows = new LRUCache<string, ActWindow>({ max: MAX_PEOPLE });

  return {
    /** Counts one more; 0 if it is allowed. */
    waitSeconds: ({ channelId, senderId }: Pick<Actor, 'channelId' | 'senderId'>): number => {
      if (perMinute === 0) return 0;
      const key = `${channelId}:${senderId}`;
      const nowMs = clock.monotonicMs();
      const known = windows.get(key);
      const isOver = !known || nowMs - known.beganAtMs >= WINDOW_MS;
      const window = isOver ? { beganAtMs: nowMs, count: 0 } : known;
      if (isOver) windows.set(key, window);
      if (window.count >= perMinute) return Math.ceil((window.beganAtMs + WINDOW_MS - nowMs) / 1_000);
      window.count += 1;
      return 0;
    },
  };
};
