import { channelMessages } from '#src/kernel/messages/channels.ts';
import { isOfNotice, questionOfAction, REFRESH_ACTION } from './home-view.ts';
import { type InteractionDeps, localeNow, receiveOrTell, tellOnHome, toOwnMessage } from './interactions.ts';
import { openQuestion } from './questions.ts';
import { CHOICE_ACTION, effectOfAction } from './render.ts';
import { readCommand } from './read-command.ts';

/** The fields we read of a press. */
interface HomeClick {
  readonly user?: { readonly id?: string; readonly team_id?: string };
  readonly trigger_id?: string;
  readonly actions?: readonly {
    readonly action_id?: string;
    readonly block_id?: string;
    readonly value?: string;
  }[];
}

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
    await openQuestion(deps, { ...question, trigger, isOnHome: question.id !== 'ask', tell });
    return;
  }
  if (!actionId.startsWith(CHOICE_ACTION)) return;
  const [word = '', ...rest] = value.split(' ');
  const command = readCommand({ command: word, text: rest.join(' ') }, deps.host.commands());
  if (command.kind === 'unknown') {
    await tell(channelMessages(localeNow(deps, userId, '')).choiceGone());
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
