import { z } from 'zod';
import { errorMessage } from '#src/kernel/errors.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { asId, type EventId, type MessageId } from '#src/kernel/ids.ts';
import type { InteractionReply } from '#src/kernel/chat/message.ts';
import type { ApprovalVerdict } from '#src/kernel/agent/approvals.ts';
import { decide, verdictOf } from './approvals.ts';
import { ratingOfAction } from '../send/feedback.ts';
import { openForm } from './forms.ts';
import { senderOf } from '../receive/inbound.ts';
import {
  actorOf,
  type InteractionDeps,
  localeNow,
  placeOfInteraction,
  receiveInteraction,
  tellPrivately,
  receiveOrTell,
  tellOnHome,
  toOwnMessage,
} from './interactions.ts';
import { type Block, CHOICE_ACTION, effectOfAction, ownerOfBlock } from '../send/render.ts';
import { readCommand } from '../receive/read-command.ts';
import { fields, listOf } from '../wire.ts';
import { isOfNotice, questionOfAction, REFRESH_ACTION } from '../home/home-view.ts';
import { openQuestion } from './questions.ts';

/** The fields we read of a press. */
const PRESS_FIELDS = {
  user: fields({ id: z.string(), team_id: z.string() }),
  trigger_id: z.string(),
  actions: listOf(fields({ action_id: z.string(), block_id: z.string(), value: z.string() })),
} as const;
type HomeClick = z.infer<ReturnType<typeof fields<typeof PRESS_FIELDS>>>;

/**
 * A press on the home tab, which has neither a message nor a `response_url`. What changes the page is answered there, and
 * everything else in the direct chat.
 */
const handleHomeClick = async (deps: InteractionDeps, event: HomeClick): Promise<void> => {
  const [{ action_id: actionId = '', block_id: blockId = '', value = '' } = {}] = event.actions ?? [];
  const { user, trigger_id: trigger } = event;
  const userId = user?.id;
  if (!userId || !trigger) return;
  if (actionId === REFRESH_ACTION) {
    deps.home.open(userId);
    return;
  }
  const tell = (text: string): Promise<void> => tellOnHome(deps, userId, text);
  const question = questionOfAction(actionId, value);
  if (question) {
    const by = { ...actorOf(deps, { userId, teamId: user.team_id }), locale: question.locale };
    await openQuestion(deps, { id: question.id, by, trigger, isOnHome: question.id !== 'ask', tell });
    return;
  }
  if (!actionId.startsWith(CHOICE_ACTION)) return;
  const [word = '', ...rest] = value.split(' ');
  const command = readCommand({ command: word, text: rest.join(' ') }, deps.host.commands());
  if (command.kind === 'unknown') {
    await tell(channelTexts(localeNow(deps, userId, '')).choiceGone());
    return;
  }
  const message = await toOwnMessage(deps, {
    userId,
    teamId: user.team_id,
    id: `press:${trigger}`,
    body: command.body,
    isOnHome: isOfNotice(blockId) || effectOfAction(actionId) === 'replaces',
  });
  await receiveOrTell(deps, message, tell);
};

/** The fields we read of a clicked button. */
export const BUTTON_EVENT = fields({
  ...PRESS_FIELDS,
  channel: fields({ id: z.string(), name: z.string() }),
  container: fields({ channel_id: z.string(), thread_ts: z.string(), is_ephemeral: z.boolean() }),
  message: fields({
    ts: z.string(),
    thread_ts: z.string(),
    text: z.string(),
    blocks: listOf(z.looseObject({ type: z.string() })),
  }),
  /** Instead of a message. */
  view: fields({ type: z.string() }),
  response_url: z.string(),
});
type ButtonEvent = z.infer<typeof BUTTON_EVENT>;

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
  click: Click,
  verdict: ApprovalVerdict,
): Promise<void> => {
  const { userId, value: id, url, threadTs } = click;
  await deps.directory.person(userId);
  const by = actorOf(deps, click);
  try {
    const refusal = await decide(deps.host, { id, verdict, by });
    if (refusal !== undefined) await tellPrivately(deps, url, refusal, threadTs);
  } catch (error) {
    deps.logger.error('Slack: could not store a decision', { error });
    await tellPrivately(deps, url, channelTexts(by.locale).notStored(), threadTs);
  }
};

/** Everybody in the chat has a verdict of their own, so only whoever clicked is told. */
const rate = async (
  deps: InteractionDeps,
  click: Click,
  { answerId, verdict }: NonNullable<ReturnType<typeof ratingOfAction>>,
): Promise<void> => {
  await deps.directory.person(click.userId);
  const { text } = await deps.host.feedback.rate(answerId, verdict, actorOf(deps, click));
  await tellPrivately(deps, click.url, text, click.threadTs);
};

const elementsOf = ({ elements }: Block): readonly Block[] =>
  Array.isArray(elements) ? (elements as readonly Block[]) : [];

/** Takes buttons from the message, so that they cannot be pressed again. */
const removeButtons = async (
  deps: InteractionDeps,
  { url, message, actionId }: Click,
  which: 'all' | 'pressed',
): Promise<void> => {
  if (!message?.blocks) return;
  const blocks = message.blocks.flatMap((block) => {
    if (block.type !== 'actions') return [block];
    const left = which === 'all' ? [] : elementsOf(block).filter((each) => each['action_id'] !== actionId);
    return left.length > 0 ? [{ ...block, elements: left }] : [];
  });
  try {
    await deps.respond(url, { text: message.text ?? '', blocks }, { isPrivate: false, replaces: true });
  } catch (error) {
    deps.logger.warn('Slack: could not remove buttons that were used', { reason: errorMessage(error) });
  }
};

/** Whether the pressed button is shown as a warning, because it deletes something. */
const isWarned = ({ actionId, message }: Click): boolean =>
  (message?.blocks ?? [])
    .flatMap(elementsOf)
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
    const { choiceGone } = channelTexts(localeNow(deps, userId, ''));
    await tellPrivately(deps, url, choiceGone(), threadTs);
    return;
  }
  const form = host.forms.open(command.body, actorOf(deps, click, value));
  if (form) {
    await openForm(deps, form, {
      trigger,
      url,
      userId,
      text: value,
      chat: { channelId, channelName, threadTs },
    });
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
    const { notYourButton } = channelTexts(localeNow(deps, userId, ''));
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
  if (!isTaken || !isOwn) return;
  if (effect === 'ends') await removeButtons(deps, click, 'all');
  if (effect === 'once' && !click.isEphemeral) await removeButtons(deps, click, 'pressed');
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
