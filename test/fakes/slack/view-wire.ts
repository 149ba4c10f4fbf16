import type { FakeView, Json, ViewValues } from './api.ts';
import { withBlockIds } from './wire.ts';
import { APP_ID, BOT, TEAM } from './world.ts';

/** A typed value is short for what a plain text field sends. */
const stateOf = (values: ViewValues): Json =>
  Object.fromEntries(
    Object.entries(values).map(([block, actions]) => [
      block,
      Object.fromEntries(
        Object.entries(actions).map(([action, value]) => [
          action,
          typeof value === 'string' ? { type: 'plain_text_input', value } : value,
        ]),
      ),
    ]),
  );

export const wireView = ({ id, hash, view }: FakeView, values: ViewValues = {}): Json => ({
  ...view,
  blocks: withBlockIds((view['blocks'] ?? []) as readonly Json[], id),
  id,
  hash,
  team_id: TEAM.id,
  app_id: APP_ID,
  bot_id: BOT.botId,
  app_installed_team_id: TEAM.id,
  root_view_id: id,
  previous_view_id: null,
  private_metadata: view['private_metadata'] ?? '',
  callback_id: view['callback_id'] ?? '',
  external_id: view['external_id'] ?? '',
  state: { values: stateOf(values) },
});
