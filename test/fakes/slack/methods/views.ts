import type { FakeView, Json } from '../api.ts';
import { checkBlocks } from '../check-blocks.ts';
import { checkFields } from '../fields.ts';
import type { Desk } from '../desk.ts';
import { refusalWithReasons, SlackRefusal } from '../errors.ts';
import { type Methods, optional, required } from '../method.ts';
import { wireView } from '../view-wire.ts';

const TITLE_LENGTH = 24;
const METADATA_LENGTH = 3_000;
const CALLBACK_LENGTH = 255;

export const checkView = (value: unknown, wanted: 'modal' | 'home' = 'modal'): Json => {
  const view = (typeof value === 'object' && value !== null ? value : {}) as Json;
  checkFields('views.open', { view });
  const problems: string[] = [];
  if (view['type'] !== wanted) problems.push(`unsupported type, needs ${wanted} [json-pointer:/view/type]`);
  for (const name of ['title', 'submit', 'close'] as const) {
    if (wanted === 'home' && view[name] !== undefined)
      problems.push(`additional property: ${name} [json-pointer:/view]`);
    if ((optional((view[name] ?? {}) as Json, 'text') ?? '').length > TITLE_LENGTH)
      problems.push(`must be less than ${TITLE_LENGTH + 1} characters [json-pointer:/view/${name}/text]`);
  }
  if ((optional(view, 'private_metadata') ?? '').length > METADATA_LENGTH)
    problems.push('private_metadata is too long [json-pointer:/view]');
  if ((optional(view, 'callback_id') ?? '').length > CALLBACK_LENGTH)
    problems.push('callback_id is too long [json-pointer:/view]');
  const title = optional((view['title'] ?? {}) as Json, 'text') ?? '';
  if (view['type'] === 'modal' && (title === '' || title.length > TITLE_LENGTH)) {
    problems.push(`must be 1 to ${TITLE_LENGTH} characters [json-pointer:/view/title/text]`);
  }
  const blocks = Array.isArray(view['blocks']) ? (view['blocks'] as readonly Json[]) : [];
  if (
    blocks.some(({ type }) => type === 'input') &&
    view['type'] === 'modal' &&
    view['submit'] === undefined
  ) {
    problems.push('missing required field: submit [json-pointer:/view]');
  }
  if (problems.length > 0) throw refusalWithReasons('invalid_arguments', ...problems);
  checkBlocks(blocks, 'view');
  return view;
};

const answer = (view: FakeView): Json => ({ view: wireView(view) });

export const viewMethods = (desk: Desk): Methods => ({
  'views.open': {
    scopes: [],
    run: ({ core, args }) => {
      const triggerId = required(args, 'trigger_id');
      const view = checkView(args['view']);
      const interaction = desk.byTrigger(triggerId);
      interaction.useTrigger();
      const opened = desk.openView(view, interaction.scene.user, triggerId);
      core.chronicle.moment({ name: 'view-opened' });
      return answer(opened);
    },
  },
  'views.update': {
    scopes: [],
    run: ({ core, args }) => {
      const view = checkView(args['view']);
      const updated = desk.updateView(required(args, 'view_id'), view, optional(args, 'hash'));
      core.chronicle.moment({ name: 'view-updated' });
      return answer(updated);
    },
  },
  'views.publish': {
    scopes: [],
    run: ({ core, args }) => {
      const view = checkView(args['view'], 'home');
      const user = required(args, 'user_id');
      if (!core.world.users.has(user)) throw new SlackRefusal('user_not_found');
      return answer(desk.publishHome(view, user));
    },
  },
});
