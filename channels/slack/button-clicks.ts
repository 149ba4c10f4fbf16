import { channelMessages } from '#src/kernel/messages/channels.ts';
import { asId, type EventId, type MessageId } from '#src/kernel/ids.ts';
import type { ApprovalVerdict } from '#src/kernel/ports.ts';
import { decide, verdictOf } from './approvals.ts';
import { openForm } from './forms.ts';
import { senderOf } from './inbound.ts';
import {
  formSenderOf,
  type InteractionDeps,
  localeNow,
  placeOfInteraction,
  receiveInteraction,
  tellPrivately,
} from './interactions.ts';
import { CHOICE_ACTION } from './render.ts';
import { readCommand } from './slash.ts';

/** The fields we read of a clicked button. */
export interface ButtonEvent {
  readonly user?: { readonly id?: string; readonly team_id?: string };
  readonly channel?: { readonly id?: string; readonly name?: string };
  readonly container?: { readonly channel_id?: string; readonly thread_ts?: string };
  readonly message?: { readonly thread_ts?: string };
  readonly trigger_id?: string;
  readonly response_url?: string;
  readonly actions?: readonly {
    readonly action_id?: string;
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
  await receiveInteraction(
    deps,
    {
      ...senderOf(userId, { self, person }, click.teamId),
      ...where,
      id: asId<EventId>(`press:${trigger}`),
      messageId: asId<MessageId>(`press:${trigger}`),
      isFromSelf: false,
      mentionsBot: true,
      interaction: { token: url, isPrivate: command.isPrivate || isForeign },
      body: command.body,
      timestamp: clock.now(),
    },
    url,
  );
};

export const handleButton = async (
  deps: InteractionDeps,
  event: ButtonEvent,
  ack: () => Promise<void>,
): Promise<void> => {
  await ack();
  const click = readClick(event);
  if (!click) return;
  const verdict = verdictOf(click.actionId);
  if (verdict) await decideApproval(deps, click, verdict);
  else if (click.actionId.startsWith(CHOICE_ACTION)) await choose(deps, click);
};
