import type { FakeView, Json } from '../api.ts';
import { checkBlocks, LIMITS } from '../check-blocks.ts';
import type { Desk } from '../desk.ts';
import { refusalWithReasons } from '../errors.ts';
import { type Methods, optional, required } from '../method.ts';
import { wireView } from '../view-wire.ts';

const TITLE_LENGTH = 24;

export const checkView = (value: unknown): Json => {
  const view = (typeof value === 'object' && value !== null ? value : {}) as Json;
  const problems: string[] = [];
  if (view['type'] !== 'modal' && view['type'] !== 'home')
    problems.push('unsupported type [json-pointer:/view/type]');
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
  checkBlocks(blocks, LIMITS.viewBlocks);
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
    run: ({ args }) => answer(desk.openView(checkView(args['view']), required(args, 'user_id'), '')),
  },
});
