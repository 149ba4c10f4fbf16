import { channelMessages } from '#src/kernel/messages/channels.ts';
import { asId, type EventId, type MessageId } from '#src/kernel/ids.ts';
import { type SlackApprovals, verdictOf } from './approvals.ts';
import { openForm } from './forms.ts';
import { senderOf } from './inbound.ts';
import {
  formSenderOf,
  type InteractionDeps,
  localeNow,
  placeOfAct,
  receiveAct,
  tellPrivately,
} from './interactions.ts';
import { CHOICE_ACTION } from './render.ts';
import { readCommand } from './slash.ts';

/** What we look at of a press. */
export interface Press {
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

export interface PressDeps extends InteractionDeps {
  readonly approvals: SlackApprovals;
}

interface Pressed {
  readonly userId: string;
  readonly teamId: string | undefined;
  readonly channelId: string;
  readonly channelName: string | undefined;
  readonly threadTs: string | undefined;
  readonly trigger: string;
  readonly url: string;
  readonly actionId: string;
  readonly value: string;
}

const read = (press: Press): Pressed | undefined => {
  const [action] = press.actions ?? [];
  const userId = press.user?.id;
  const channelId = press.channel?.id ?? press.container?.channel_id;
  const { trigger_id: trigger, response_url: url } = press;
  if (!action?.action_id || !userId || !channelId || !trigger || !url) return undefined;
  return {
    userId,
    teamId: press.user?.team_id,
    channelId,
    channelName: press.channel?.name,
    threadTs: press.message?.thread_ts ?? press.container?.thread_ts,
    trigger,
    url,
    actionId: action.action_id,
    value: action.value ?? '',
  };
};

const decide = async (deps: PressDeps, pressed: Pressed, verdict: 'approved' | 'denied'): Promise<void> => {
  const { userId, value: id, url, threadTs } = pressed;
  await deps.directory.person(userId);
  const locale = localeNow(deps, userId, '');
  try {
    const refusal = await deps.approvals.decide(deps.host, { id, verdict, userId }, locale);
    if (refusal !== undefined) await tellPrivately(deps, url, refusal, threadTs);
  } catch (error) {
    deps.logger.error('A decision could not be stored', { error });
    await tellPrivately(deps, url, channelMessages(locale).notStored(), threadTs);
  }
};

/** A press says its command in the presser's name, where the message with the button is. */
const choose = async (deps: PressDeps, pressed: Pressed): Promise<void> => {
  const { host, self, directory, clock } = deps;
  const { userId, channelId, channelName, threadTs, trigger, url, value } = pressed;
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
    placeOfAct(deps, channelId, channelName, userId, threadTs),
  ]);
  const { isForeign, ...where } = place;
  await receiveAct(
    deps,
    {
      ...senderOf(userId, { self, person }, pressed.teamId),
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

export const handlePress = async (deps: PressDeps, press: Press, ack: () => Promise<void>): Promise<void> => {
  await ack();
  const pressed = read(press);
  if (!pressed) return;
  const verdict = verdictOf(pressed.actionId);
  if (verdict) await decide(deps, pressed, verdict);
  else if (pressed.actionId.startsWith(CHOICE_ACTION)) await choose(deps, pressed);
};
