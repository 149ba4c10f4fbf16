import type { Actor } from '#src/kernel/chat/actor.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { HOME_QUESTIONS, type HomeQuestionId } from '#src/kernel/people/home.ts';
import type { MessageId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { cut } from '#src/kernel/text.ts';
import { attemptWithin, NEVER_ABORTED, withTimeLimit } from '#src/platform/concurrency/abort.ts';
import type { Submission } from './forms.ts';
import { actorOf, type InteractionDeps, postDirectly, toOwnMessage } from './interactions.ts';
import { slackTexts } from '../send/texts.ts';

export const QUESTION_CALLBACK = 'finclaw_question';

const FIELD = 'question';
const INPUT = 'value';
const MAX_TITLE = 24;
const MAX_EXAMPLE = 150;
const MAX_QUESTION = 3_000;
const MAX_LINE = 300;
/** Slack gives three seconds for all of it. */
const QUOTE_MS = 800;
const STORE_MS = 1_500;

const plain = (text: string, limit: number) => ({
  type: 'plain_text' as const,
  text: cut(text, limit),
  emoji: true,
});

interface Kept {
  readonly id: HomeQuestionId;
  readonly locale: Locale;
  readonly isOnHome: boolean;
}

interface Opening extends Pick<Kept, 'id' | 'isOnHome'> {
  readonly by: Actor;
  readonly trigger: string;
  /** Tells the person that it did not open. Never throws. */
  readonly tell: (text: string) => Promise<void>;
}

/** A form with one field, for whoever may use the bot. Never throws. A trigger that is too old opens nothing. */
export const openQuestion = async (
  { api, host, logger }: InteractionDeps,
  { id, by, isOnHome, trigger, tell }: Opening,
): Promise<void> => {
  const { locale } = by;
  const refusal = await host.refusalFor(by);
  if (refusal !== undefined) {
    if (host.home.isFor(by)) await tell(refusal);
    return;
  }
  const { label, field, example, command } = host.home.question(id, locale);
  const isMessage = command === '';
  try {
    await api.call('views.open', {
      trigger_id: trigger,
      view: {
        type: 'modal',
        callback_id: QUESTION_CALLBACK,
        private_metadata: JSON.stringify({ id, locale, isOnHome } satisfies Kept),
        title: plain(label, MAX_TITLE),
        submit: plain(slackTexts(locale).send(), MAX_TITLE),
        close: plain(slackTexts(locale).formClose(), MAX_TITLE),
        blocks: [
          {
            type: 'input',
            block_id: FIELD,
            label: plain(field, MAX_EXAMPLE),
            element: {
              type: 'plain_text_input',
              action_id: INPUT,
              multiline: isMessage,
              max_length: isMessage ? MAX_QUESTION : MAX_LINE,
              placeholder: plain(example, MAX_EXAMPLE),
            },
          },
        ],
      },
    });
  } catch (error) {
    logger.warn('Slack: could not open a form', { reason: errorMessage(error) });
    await tell(channelTexts(locale).formGone());
  }
};

const keptIn = (metadata: string | undefined): Kept | undefined => {
  try {
    const { id, locale, isOnHome } = JSON.parse(metadata ?? '') as Partial<Kept>;
    const known = HOME_QUESTIONS.find((each) => each === id);
    return known && { id: known, locale: locale === 'ko' ? 'ko' : 'en', isOnHome: isOnHome === true };
  } catch {
    return undefined;
  }
};

/** Nobody sees in the direct chat what was typed into a form, so it is quoted above the answer. */
const quoteQuestion = (
  deps: InteractionDeps,
  userId: string,
  question: string,
  locale: Locale,
): Promise<MessageId> => {
  const quoted = question.split('\n').map((line) => `> ${line}`);
  return postDirectly(deps, userId, [slackTexts(locale).youAsked(), ...quoted].join('\n'));
};

type AckView = (response?: {
  readonly response_action: 'errors';
  readonly errors: Readonly<Record<string, string>>;
}) => Promise<void>;

/** The form closes when the question is stored. Otherwise it stays, with the reason, and nothing typed is lost. */
export const handleQuestion = async (
  deps: InteractionDeps,
  { user, view }: Submission,
  ack: AckView,
): Promise<void> => {
  const { host, clock, logger } = deps;
  const kept = keptIn(view?.private_metadata);
  const typed = (view?.state?.values?.[FIELD]?.[INPUT]?.value ?? '').trim();
  if (!kept || !user?.id || !view?.id || typed === '') {
    await ack();
    return;
  }
  const { id: userId } = user;
  const { locale, isOnHome } = kept;
  const t = channelTexts(locale);
  const refuse = (text: string): Promise<void> =>
    ack({ response_action: 'errors', errors: { [FIELD]: text } });
  const { command } = host.home.question(kept.id, locale);
  const refusal = await host.refusalFor({
    ...actorOf(deps, { userId, teamId: user.team_id }),
    locale,
  });
  if (refusal !== undefined) {
    await refuse(refusal);
    return;
  }
  const messageId = isOnHome
    ? undefined
    : await attemptWithin(() => quoteQuestion(deps, userId, typed, locale), QUOTE_MS, clock, NEVER_ABORTED);
  try {
    const message = await toOwnMessage(deps, {
      userId,
      teamId: user.team_id,
      id: `form:${view.id}`,
      body: `${command} ${typed}`.trim(),
      messageId,
      isOnHome,
    });
    const receipt = await withTimeLimit(host.receive(message), STORE_MS, clock);
    await (receipt.outcome === 'dropped' && !receipt.isTold ? refuse(t.notHere()) : ack());
  } catch (error) {
    logger.error('Slack: could not store a question', { error });
    await refuse(t.notStored());
  }
};
