import { errorMessage } from '#src/kernel/errors.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { asId, type EventId, type MessageId } from '#src/kernel/ids.ts';
import type { InteractionReply } from '#src/kernel/message.ts';
import type { ApprovalVerdict } from '#src/kernel/ports.ts';
import { decide, verdictOf } from './approvals.ts';
import { ratingOfAction } from './feedback.ts';
import { openForm } from './forms.ts';
import { handleHomeClick } from './home-clicks.ts';
import { senderOf } from './inbound.ts';
import {
  formSenderOf,
  type InteractionDeps,
  localeNow,
  placeOfInteraction,
  receiveInteraction,
  tellPrivately,
} from './interactions.ts';
import { type Block, CHOICE_ACTION, effectOfAction, ownerOfBlock } from './render.ts';
import { readCommand } from './read-command.ts';

/** The fields we read of a clicked button. */
export interface ButtonEvent {
  readonly user?: { readonly id?: string; readonly team_id?: string };
  readonly channel?: { readonly id?: string; readonly name?: string };
  readonly container?: {
    readonly channel_id?: string;
    readonly thread_ts?: string;
    readonly is_ephemeral?: boolean;
  };
  readonly message?: {
    readonly ts?: string;
    readonly thread_ts?: string;
    readonly text?: string;
    readonly blocks?: readonly Block[];
  };
  /** Instead of a message. */
  readonly view?: { readonly type?: string };
  readonly trigger_id?: string;
  readonly response_url?: string;
  readonly actions?: readonly {
    readonly action_id?: string;
    readonly block_id?: string;
    readonly value?: string;
  }[];
}

const readClick = (event: ButtonEvent) => {
  const [action] = event.actions ?? [];
  const userId = event.user?.id;
  const channelId = event.channel?.id ?? event.container?.channel_id;
  const { trigger_id: trigger, response_url: url } = event;
  if (!action?.action_id || !userId || !channelId || !trigger || !url) return undefined;
  return {
    userId,
    teamId: event.user?.team_id,
    channelId,
    channelName: event.channel?.name,
    threadTs: event.message?.thread_ts ?? event.container?.thread_ts,
    trigger,
    url,
    actionId: action.action_id,
    isEphemeral: event.container?.is_ephemeral === true,
    ownerId: ownerOfBlock(action.block_id ?? ''),
    message: event.message,
    value: action.value ?? '',
  };
};

type Click = NonNullable<ReturnType<typeof readClick>>;

const decideApproval = async (
  deps: InteractionDeps,
  { userId, value: id, url, threadTs }: Click,
  verdict: ApprovalVerdict,
): Promise<void> => {
  await deps.directory.person(userId);
  const locale = localeNow(deps, userId, '');
  try {
    const refusal = await decide(deps.host, { id, verdict, userId }, locale);
    if (refusal !== undefined) await tellPrivately(deps, url, refusal, threadTs);
  } catch (error) {
    deps.logger.error('Slack: could not store a decision', { error });
    await tellPrivately(deps, url, channelMessages(locale).notStored(), threadTs);
  }
};

/** Everybody in the chat has a verdict of their own, so only whoever clicked is told. */
const rate = async (
  deps: InteractionDeps,
  { userId, url, threadTs }: Click,
  { answerId, verdict }: NonNullable<ReturnType<typeof ratingOfAction>>,
): Promise<void> => {
  await deps.directory.person(userId);
  const { channelId, senderId, locale } = formSenderOf(deps, userId, '');
  const { text } = await deps.host.feedback.rate(answerId, verdict, { channelId, userId: senderId, locale });
  await tellPrivately(deps, url, text, threadTs);
};

/** Takes the buttons from the message, so that they cannot be pressed again. */
const removeButtons = async (deps: InteractionDeps, { url, message }: Click): Promise<void> => {
  if (!message?.blocks) return;
  const blocks = message.blocks.filter(({ type }) => type !== 'actions');
  try {
    await deps.respond(url, { text: message.text ?? '', blocks }, { isPrivate: false, replaces: true });
  } catch (error) {
    deps.logger.warn('Slack: could not remove buttons that were used', { reason: errorMessage(error) });
  }
};

/** Whether the pressed button is shown as a warning, because it deletes something. */
const isWarned = ({ actionId, message }: Click): boolean =>
  (message?.blocks ?? [])
    .flatMap(({ elements }) => (Array.isArray(elements) ? (elements as readonly Block[]) : []))
    .some(({ action_id: id, style }) => id === actionId && style === 'danger');

/** Slack edits an ephemeral message only over the `response_url`. */
const pressedMessage = ({ isEphemeral, message }: Click): Pick<InteractionReply, 'pressedMessageId'> =>
  isEphemeral || message?.ts === undefined ? {} : { pressedMessageId: asId<MessageId>(message.ts) };

/** Runs the command of a button for whoever clicked it, in the chat of its message. */
const choose = async (deps: InteractionDeps, click: Click): Promise<void> => {
  const { host, self, directory, clock } = deps;
  const { userId, channelId, channelName, threadTs, trigger, url, value } = click;
  const [word = '', ...rest] = value.split(' ');
  const command = readCommand({ command: word, text: rest.join(' ') }, host.commands());
  if (command.kind === 'unknown') {
    const { choiceGone } = channelMessages(localeNow(deps, userId, ''));
    await tellPrivately(deps, url, choiceGone(), threadTs);
    return;
  }
  const form = host.forms.open(command.body, formSenderOf(deps, userId, value));
  if (form) {
    await openForm(deps, form, { trigger, url, userId, text: value });
    return;
  }
  const [person, place] = await Promise.all([
    directory.person(userId),
    placeOfInteraction(deps, channelId, channelName, userId, threadTs),
  ]);
  const { isForeign, ...where } = place;
  const effect = effectOfAction(click.actionId);
  const isOwn = click.isEphemeral || where.chatType === 'direct' || click.ownerId === userId;
  if (!isOwn && isWarned(click)) {
    const { notYourButton } = channelMessages(localeNow(deps, userId, ''));
    await tellPrivately(deps, url, notYourButton(), threadTs);
    return;
  }
  // Anybody else gets an answer of their own, and the message stays as it is.
  const isForOne = command.isPrivate || isForeign || (effect !== undefined && !isOwn);
  // The text of an ephemeral message is not known, so it cannot stay without its buttons.
  const updates = isOwn && (effect === 'replaces' || (effect === 'ends' && click.isEphemeral));
  const isTaken = await receiveInteraction(
    deps,
    {
      ...senderOf(userId, { self, person }, click.teamId),
      ...where,
      id: asId<EventId>(`press:${trigger}`),
      messageId: asId<MessageId>(`press:${trigger}`),
      isFromSelf: false,
      mentionsBot: true,
      interaction: updates
        ? { token: url, isPrivate: click.isEphemeral, updates, ...pressedMessage(click) }
        : { token: url, isPrivate: isForOne },
      body: command.body,
      timestamp: clock.now(),
    },
    url,
  );
  // Last: a press that could not be stored can be repeated.
  if (isTaken && isOwn && effect === 'ends') await removeButtons(deps, click);
};

export const handleButton = async (
  deps: InteractionDeps,
  event: ButtonEvent,
  ack: () => Promise<void>,
): Promise<void> => {
  await ack();
  if (event.view?.type === 'home') {
    await handleHomeClick(deps, event);
    return;
  }
  const click = readClick(event);
  if (!click) return;
  const rating = ratingOfAction(click.actionId, click.value);
  const verdict = verdictOf(click.actionId);
  if (rating) await rate(deps, click, rating);
  else if (verdict) await decideApproval(deps, click, verdict);
  else if (click.actionId.startsWith(CHOICE_ACTION)) await choose(deps, click);
};
