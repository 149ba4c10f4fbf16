import { z } from 'zod';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { isOfNotice, questionOfAction, REFRESH_ACTION } from '../home/home-view.ts';
import {
  actorOf,
  type InteractionDeps,
  localeNow,
  receiveOrTell,
  tellOnHome,
  toOwnMessage,
} from './interactions.ts';
import { openQuestion } from './questions.ts';
import { CHOICE_ACTION, effectOfAction } from '../send/render.ts';
import { readCommand } from '../receive/read-command.ts';
import { fields, listOf } from '../wire.ts';

/** The fields we read of a press. */
export const PRESS_FIELDS = {
  user: fields({ id: z.string(), team_id: z.string() }),
  trigger_id: z.string(),
  actions: listOf(fields({ action_id: z.string(), block_id: z.string(), value: z.string() })),
} as const;
type HomeClick = z.infer<ReturnType<typeof fields<typeof PRESS_FIELDS>>>;

/**
 * A press on the home tab, which has neither a message nor a `response_url`. What changes the page is answered there, and
 * everything else in the direct chat.
 */
export const handleHomeClick = async (deps: InteractionDeps, event: HomeClick): Promise<void> => {
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
