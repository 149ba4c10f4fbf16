import { approvalAction, approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import type { Approval } from '#src/kernel/agent/approval-store.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ApprovalId, ChannelId, SessionKey } from '#src/kernel/ids.ts';
import {
  asksFirst,
  type Choice,
  type MsgContext,
  numberedChoices,
  type ReplyTarget,
  replyTargetOf,
  type TypedReply,
} from '#src/kernel/chat/message.ts';
import type { Approvals } from '#src/kernel/agent/approvals.ts';
import type { Uses } from '#src/platform/services.ts';
import { readListChoice } from '#src/reading/ordinals.ts';
import { readYesNo, type TypedAnswer } from '#src/reading/yes-no.ts';
import type { AnsweredMessage, OpenQuestions } from '#src/chat/store/open-questions.ts';

interface TypedRepliesDeps extends Uses<'clock'> {
  readonly questions: OpenQuestions;
  readonly approvals: {
    readonly get: (id: ApprovalId) => Promise<Approval | undefined>;
    readonly decide: Approvals['decide'];
  };
  readonly messageOf: (id: InboxEntry['id']) => Promise<InboxEntry | undefined>;
  /** Without mentions and control characters. */
  readonly readable: (body: string) => string;
  readonly localeOf: (message: MsgContext) => Locale;
  /** Whether the channel shows all choices with numbers. */
  readonly numbersChoices: (channelId: ChannelId) => boolean;
  /** Never throws. */
  readonly tell: (target: ReplyTarget, text: string) => Promise<void>;
}

/** The meaning of a message: an answer to a question, or a text to process instead of the typed one. */
export type Understood =
  | { readonly reply: TypedReply }
  /** With the recordings of a request that was spoken. */
  | (Pick<MsgContext, 'body' | 'media'> & { readonly locale: Locale });

/** Who said something, where and when. */
type Said = Pick<MsgContext, 'channelId' | 'senderId' | 'chatType' | 'timestamp'>;

export type TypedReplies = ReturnType<typeof createTypedReplies>;

const AGAIN: ReadonlySet<string> = new Set([
  'again',
  'again please',
  'ask again',
  'ask me again',
  '다시',
  '다시요',
  '다시 물어봐',
  '다시 물어봐줘',
  '다시 물어봐 줘',
  '다시 물어봐 주세요',
]);
const isAgain = (words: string): boolean =>
  AGAIN.has(
    words
      .toLowerCase()
      .replace(/[.!~]{1,3}$/u, '')
      .trim(),
  );

/** How long a list or a confirmation of a command can be answered by typing. */
const OFFER_LIFE = { minutes: 10 };
/** How long `again` repeats a request whose approval ended. */
const ENDED_LIFE = { hours: 24 };
/** The most by which a platform's clock may differ from ours. */
const SKEW = { seconds: 30 };

const DONE = { settled: Promise.resolve() };
const VERDICTS = { yes: 'approved', no: 'denied' } as const;

/** Approval of a private request is asked in the direct chat, wherever the request was made. */
const isShownIn = (approval: Approval, message: Said, sessionKey: SessionKey): boolean =>
  approval.sessionKey === sessionKey ||
  (message.chatType === 'direct' && approval.target.interaction?.isPrivate === true);

/** Whether the text is only a yes or a no. */
export const isClearAnswer = (words: string): boolean => clearAnswer(readYesNo(words)) !== undefined;

const clearAnswer = (reading: TypedAnswer): 'yes' | 'no' | undefined =>
  reading.kind === 'yes' || reading.kind === 'no' ? reading.kind : undefined;

const TO_ALL =
  /(?<!\p{L})(?:(?:to )?(?:both|all)(?: of (?:them|these))?|(?:둘|셋) ?다|(?:모두|전부)(?: ?다)?)(?![\p{L}\d])/iu;
/** `all good` is not an answer to every question; `yes to all` and `allow all` are. */
const VAGUE_ALL = /(?<!\bto )\ball(?! of )(?=\s{1,3}\S)/iu;

/** A yes or a no to all questions; `bare` for `both` without a yes or a no. */
const readToAll = (words: string): 'yes' | 'no' | 'bare' | undefined => {
  if (!TO_ALL.test(words) || VAGUE_ALL.test(words)) return undefined;
  const rest = words.replace(TO_ALL, ' ').trim();
  return /[\p{L}\p{N}\p{S}?]/u.test(rest) ? clearAnswer(readYesNo(rest)) : 'bare';
};

/** One answer to several open questions: those listed by "which one?", otherwise all. */
const readDecisions = (
  words: string,
  last: AnsweredMessage | undefined,
  open: readonly Approval[],
): Understood | undefined => {
  const toAll = readToAll(words);
  const asked = last?.entry.message.reply;
  const listed = asked?.kind === 'which' ? asked : undefined;
  const approvalIds = open.map(({ id }) => id).filter((id) => listed?.approvalIds.includes(id) ?? true);
  if (toAll === undefined || approvalIds.length < 2) return undefined;
  const verdict = toAll === 'bare' ? (listed?.verdict ?? 'approved') : VERDICTS[toAll];
  return { reply: { kind: 'decisions', verdict, approvalIds } };
};

/** Reads a yes or a no as an answer to the open questions. */
const readAgainst = (
  open: readonly Approval[],
  reading: TypedAnswer,
  hasOtherQuestion: boolean,
): Understood | undefined => {
  const approvalIds = open.map(({ id }) => id);
  const [only] = approvalIds;
  const answer = clearAnswer(reading);
  if (only === undefined) return undefined;
  if (reading.kind === 'unclear' || (answer && hasOtherQuestion))
    return { reply: { kind: 'unclear', approvalIds } };
  if (!answer) return undefined;
  const verdict = VERDICTS[answer];
  return open.length === 1
    ? { reply: { kind: 'decision', approvalId: only, verdict } }
    : { reply: { kind: 'which', verdict, approvalIds } };
};

/** Reads the number that answers "which one?". */
const readWhich = (
  words: string,
  last: AnsweredMessage | undefined,
  open: readonly Approval[],
): Understood | undefined => {
  const asked = last?.entry.message.reply;
  if (asked?.kind !== 'which') return undefined;
  const place = readListChoice(words, asked.approvalIds.length);
  const approvalId = place?.kind === 'one' ? asked.approvalIds[place.index] : undefined;
  const isOpen = open.some(({ id }) => id === approvalId);
  return approvalId === undefined || !isOpen
    ? undefined
    : { reply: { kind: 'decision', approvalId, verdict: asked.verdict } };
};

/** Reads what people type instead of pressing a button: a yes, a no, a place in a list, "again". */
export const createTypedReplies = (deps: TypedRepliesDeps) => {
  const { questions, approvals, clock } = deps;

  const { offerOf, readOffer, readSure, readEnded } = createReadings(deps);

  const openFor = async (message: Said, sessionKey: SessionKey): Promise<readonly Approval[]> =>
    (await questions.approvalsOf(message.channelId, message.senderId)).filter(
      (approval) =>
        isShownIn(approval, message, sessionKey) &&
        Temporal.Instant.compare(clock.now(), approval.expiresAt) < 0 &&
        // An older message cannot answer the question.
        Temporal.Instant.compare(message.timestamp.add(SKEW), approval.createdAt) >= 0,
    );

  const read = async (message: MsgContext, sessionKey: SessionKey): Promise<Understood | undefined> => {
    if (message.isFromBot || message.media?.length || message.forwarded?.length) return undefined;
    const words = deps.readable(message.body);
    const reading = readYesNo(words);
    const answer = clearAnswer(reading);
    const again = isAgain(words);
    // Most messages end here, without a database query.
    const isChoice = readListChoice(words, Infinity) !== null || readToAll(words) !== undefined;
    if (!answer && reading.kind !== 'unclear' && !again && !isChoice) return undefined;
    const [open, last] = await Promise.all([
      openFor(message, sessionKey),
      questions.lastMessageOf(sessionKey, message.senderId),
    ]);
    const offer = offerOf(last);
    if (open.length > 0 && !again) {
      const isAlsoAsked = offer?.choices.some(({ answers }) => answers === 'yes') === true;
      const decisions = isAlsoAsked ? undefined : readDecisions(words, last, open);
      const answered = decisions ?? readWhich(words, last, open) ?? readAgainst(open, reading, isAlsoAsked);
      if (answered) return answered;
    }
    const offered = readSure(answer, last) ?? (offer && readOffer(words, answer, offer));
    if (offered) return offered;
    if (open.length > 0 || (!again && !answer)) return undefined;
    return readEnded(message, sessionKey, again ? 'again' : (answer ?? 'no'), last);
  };

  const tellAbout = async (
    message: MsgContext,
    ids: readonly ApprovalId[],
    say: (t: ReturnType<typeof approvalTexts>, acts: readonly string[]) => string,
  ): Promise<void> => {
    const asked = (await Promise.all(ids.map(approvals.get))).filter((approval) => approval !== undefined);
    const [first] = asked;
    if (first)
      await deps.tell(replyTargetOf(message), say(approvalTexts(first.locale), asked.map(approvalAction)));
  };

  const decide = async (
    message: MsgContext,
    { approvalId, verdict }: Extract<TypedReply, { kind: 'decision' }>,
  ): Promise<{ readonly settled: Promise<void> }> => {
    const { channelId, senderId: userId, senderRoles: userRoles } = message;
    const outcome = await approvals.decide(approvalId, verdict, { channelId, userId, userRoles });
    if (outcome.outcome === 'recorded') return outcome;
    const approval = await approvals.get(approvalId);
    // Decided before a crash: the decision stands, and the run resumes by itself.
    const isTheirs = approval?.decidedBy === `${channelId}:${userId}`;
    if (!isTheirs) await tellAbout(message, [approvalId], (t) => t.tooLate());
    return DONE;
  };

  return {
    /** Undefined if the message answers no question of the bot. */
    read,
    /** Whether spoken words would answer an open approval request. Nothing acts on them: only buttons and text decide. */
    answersRequest: async (words: string, said: Said, sessionKey: SessionKey): Promise<boolean> => {
      const isAnswer = readYesNo(words).kind !== 'other' || readToAll(words) !== undefined;
      return isAnswer && (await openFor(said, sessionKey)).length > 0;
    },
    /**
     * Whether to accept a message in a group without a mention. A yes or a no must answer an open approval request; the
     * question of a command needs a mention.
     */
    isExpected: async (message: MsgContext, sessionKey: SessionKey): Promise<boolean> => {
      const understood = await read(message, sessionKey);
      if (!understood) return false;
      const words = deps.readable(message.body);
      if (!('reply' in understood)) return !isClearAnswer(words);
      const { kind } = understood.reply;
      // In a group, a bare `both` may be meant for anybody.
      return kind === 'decision' || kind === 'which' || (kind === 'decisions' && readToAll(words) !== 'bare');
    },
    /** Acts on a reply, after a crash possibly twice. `settled` resolves when the approved run has ended. */
    act: async (message: MsgContext, reply: TypedReply): Promise<{ readonly settled: Promise<void> }> => {
      switch (reply.kind) {
        case 'decision':
          return decide(message, reply);
        case 'decisions': {
          const { verdict } = reply;
          const decided: Promise<void>[] = [];
          // Each decision stays bound to its own call.
          for (const approvalId of reply.approvalIds)
            decided.push((await decide(message, { kind: 'decision', approvalId, verdict })).settled);
          return { settled: Promise.all(decided).then(() => undefined) };
        }
        case 'unclear':
          await tellAbout(message, reply.approvalIds, (t, acts) => t.unclear({ what: acts.join('; ') }));
          return DONE;
        case 'which':
          await tellAbout(message, reply.approvalIds, (t, acts) => t.which({ acts }));
          return DONE;
        case 'expired':
          await tellAbout(message, [reply.approvalId], (t, [what = '']) => t.expired({ what }));
          return DONE;
        case 'sure':
          await deps.tell(replyTargetOf(message), approvalTexts(reply.locale).sure({ what: reply.label }));
          return DONE;
        case 'declined':
          await deps.tell(replyTargetOf(message), approvalTexts(deps.localeOf(message)).declined());
          return DONE;
      }
      return reply satisfies never;
    },
  };
};

/** Readings of what is typed below an answer. */
const createReadings = (deps: TypedRepliesDeps) => {
  const { questions, clock } = deps;
  const isRecent = (at: Temporal.Instant, life: Temporal.DurationLike): boolean =>
    Temporal.Instant.compare(clock.now(), at.add(life)) < 0;
  const isNumbered = ({ entry }: AnsweredMessage): boolean => deps.numbersChoices(entry.message.channelId);

  const offerOf = (last: AnsweredMessage | undefined): AnsweredMessage | undefined =>
    last?.choices.some(({ answers }) => answers !== undefined || isNumbered(last)) &&
    isRecent(last.acceptedAt, OFFER_LIFE)
      ? last
      : undefined;

  /** The choices that a number picks. A list of one is no list, unless its number is shown. */
  const listedIn = (offer: AnsweredMessage): readonly Choice[] => {
    if (isNumbered(offer)) return numberedChoices(offer.choices);
    const listed = offer.choices.filter(({ answers }) => answers === 'pick');
    return listed.length > 1 ? listed : [];
  };

  const says = (command: string, { entry }: AnsweredMessage): Understood => ({
    body: command,
    locale: deps.localeOf(entry.message),
  });

  /** Reads the text as a press of a button below the newest answer. */
  const readOffer = (
    words: string,
    answer: 'yes' | 'no' | undefined,
    offer: AnsweredMessage,
  ): Understood | undefined => {
    const means = offer.choices.find(({ answers }) => answers === answer && answer !== undefined);
    if (means) return says(means.command, offer);
    const isQuestion = offer.choices.some(({ answers }) => answers === 'yes');
    if (answer === 'no' && isQuestion) return { reply: { kind: 'declined' } };
    const listed = listedIn(offer);
    const place = listed.length > 0 ? readListChoice(words, listed.length) : null;
    const picked = place?.kind === 'one' ? listed[place.index] : undefined;
    if (!picked) return undefined;
    const { command, label } = picked;
    const locale = deps.localeOf(offer.entry.message);
    return asksFirst(picked) ? { reply: { kind: 'sure', command, label, locale } } : says(command, offer);
  };

  /** Reads a yes or a no to the question whether something is to be deleted. */
  const readSure = (
    answer: 'yes' | 'no' | undefined,
    last: AnsweredMessage | undefined,
  ): Understood | undefined => {
    const asked = last?.entry.message.reply;
    if (!answer || asked?.kind !== 'sure' || !last || !isRecent(last.acceptedAt, OFFER_LIFE))
      return undefined;
    return answer === 'yes' ? { body: asked.command, locale: asked.locale } : { reply: { kind: 'declined' } };
  };

  /** Handles an ended request: a late answer gets a notice, and `again` repeats the request. */
  const readEnded = async (
    message: MsgContext,
    sessionKey: SessionKey,
    asked: 'again' | 'yes' | 'no',
    last: AnsweredMessage | undefined,
  ): Promise<Understood | undefined> => {
    const ended = await questions.lastApprovalOf(sessionKey, message.senderId);
    if (!ended || !isRecent(ended.expiresAt, ENDED_LIFE)) return undefined;
    if (asked === 'again') {
      const request =
        ended.status === 'expired' || ended.status === 'denied'
          ? await deps.messageOf(ended.inboxId)
          : undefined;
      if (!request) return undefined;
      const spoken = request.message.media?.filter(({ isVoice }) => isVoice);
      return {
        body: request.message.body,
        locale: ended.locale,
        ...(spoken?.length ? { media: spoken } : {}),
      };
    }
    // If the person wrote another message since, a yes or a no answers that one.
    const isTheNewest = last?.entry.id === ended.inboxId;
    return ended.status === 'expired' && isTheNewest
      ? { reply: { kind: 'expired', approvalId: ended.id } }
      : undefined;
  };

  return { offerOf, readOffer, readSure, readEnded };
};
