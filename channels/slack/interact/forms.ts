import { z } from 'zod';
import { completedBy, type Form } from '#src/kernel/chat/command.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { slackTexts } from '../send/texts.ts';
import type { ArgumentsOf } from '../api.ts';
import {
  actorOf,
  type ChatOfAct,
  type InteractionDeps,
  localeNow,
  sayCommand,
  tellPrivately,
} from './interactions.ts';
import { escapeText, withoutMassMentions } from '../send/render.ts';
import { fields } from '../wire.ts';

const FORM_CALLBACK = 'finclaw_form';

const MAX_TITLE = 24;
const MAX_LABEL = 2_000;
const MAX_INPUT = 3_000;
const MAX_SAID = 2_900;
const INPUT = 'value';

const plain = (text: string, limit: number) => ({
  type: 'plain_text' as const,
  text: text.slice(0, limit),
  emoji: true,
});

type View = ArgumentsOf<'views.open'>['view'];

interface Kept {
  readonly formId: string;
  readonly title: string;
  /** The outcome goes here if the form was closed. */
  readonly url: string;
  /** Where a command is said that the form completes. */
  readonly chat: ChatOfAct;
}

const viewOf = (form: Form, { url, chat }: Pick<Kept, 'url' | 'chat'>, locale: Locale): View => ({
  type: 'modal',
  callback_id: FORM_CALLBACK,
  private_metadata: JSON.stringify({ formId: form.id, title: form.title, url, chat } satisfies Kept),
  title: plain(form.title, MAX_TITLE),
  submit: plain(form.submitLabel, MAX_TITLE),
  close: plain(slackTexts(locale).formClose(), MAX_TITLE),
  blocks: form.fields.map(({ id, label, isRequired, maxLength }) => ({
    type: 'input',
    block_id: id,
    optional: !isRequired,
    label: plain(label, MAX_LABEL),
    element: { type: 'plain_text_input', action_id: INPUT, max_length: Math.min(maxLength, MAX_INPUT) },
  })),
});

/** The outcome replaces the form: nobody else sees it, and it is not a message. */
const outcomeView = (title: string, text: string, locale: Locale): View => ({
  type: 'modal',
  callback_id: `${FORM_CALLBACK}_done`,
  title: plain(title, MAX_TITLE),
  close: plain(slackTexts(locale).formClose(), MAX_TITLE),
  blocks: [
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: escapeText(withoutMassMentions(text)).replaceAll('**', '*').slice(0, MAX_SAID) || '…',
      },
    },
  ],
});

/** Never throws. If the form cannot be opened, the person is told. */
export const openForm = async (
  deps: InteractionDeps,
  form: Form,
  {
    trigger,
    userId,
    text,
    ...kept
  }: Pick<Kept, 'url' | 'chat'> & {
    readonly trigger: string;
    readonly userId: string;
    readonly text: string;
  },
): Promise<void> => {
  const locale = localeNow(deps, userId, text);
  try {
    await deps.api.call('views.open', { trigger_id: trigger, view: viewOf(form, kept, locale) });
  } catch (error) {
    deps.logger.warn('Slack: could not open a form', { reason: errorMessage(error) });
    await tellPrivately(deps, kept.url, channelTexts(locale).formGone());
  }
};

/** The fields we read of a submitted form. */
export const SUBMISSION = fields({
  user: fields({ id: z.string(), team_id: z.string() }),
  view: fields({
    id: z.string(),
    callback_id: z.string(),
    private_metadata: z.string(),
    state: fields({
      values: z.record(z.string(), z.record(z.string(), fields({ value: z.string() }).catch({}))),
    }),
  }),
});
export type Submission = z.infer<typeof SUBMISSION>;

const keptIn = (metadata: string | undefined): Kept | undefined => {
  try {
    const kept = JSON.parse(metadata ?? '') as Partial<Kept>;
    return typeof kept.formId === 'string' && typeof kept.url === 'string'
      ? {
          formId: kept.formId,
          url: kept.url,
          title: kept.title ?? 'FinClaw',
          chat: kept.chat ?? { channelId: '' },
        }
      : undefined;
  } catch {
    return undefined;
  }
};

type AckView = (response?: { readonly response_action: 'update'; readonly view: unknown }) => Promise<void>;

export const handleSubmission = async (
  deps: InteractionDeps,
  { user, view }: Submission,
  ack: AckView,
): Promise<void> => {
  const kept = view?.callback_id === FORM_CALLBACK ? keptIn(view.private_metadata) : undefined;
  if (!kept || !user?.id) {
    await ack();
    return;
  }
  const values = Object.fromEntries(
    Object.entries(view?.state?.values ?? {}).map(([id, inputs]) => [id, inputs[INPUT]?.value ?? '']),
  );
  const command = completedBy(kept.formId, values);
  if (command !== undefined) {
    await ack();
    const by = { userId: user.id, teamId: user.team_id, ...kept.chat, url: kept.url };
    await sayCommand(deps, by, { id: `form:${view?.id}`, body: command, isPrivate: true });
    return;
  }
  const locale = localeNow(deps, user.id, '');
  const waiting = outcomeView(kept.title, slackTexts(locale).formWorking(), locale);
  await ack({ response_action: 'update', view: waiting });
  const said = await deps.host.forms.submit(
    kept.formId,
    values,
    actorOf(deps, { userId: user.id, teamId: user.team_id }),
  );
  try {
    await deps.api.call('views.update', {
      view_id: view?.id ?? '',
      view: outcomeView(kept.title, said, locale),
    });
  } catch {
    // The person closed the form before the outcome was known.
    await tellPrivately(deps, kept.url, said);
  }
};
