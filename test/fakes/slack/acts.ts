import type { FakeSlack, FakeUser, FakeView, Json, MessageRef } from './api.ts';
import type { Core } from './core.ts';
import type { Desk } from './desk.ts';
import { checkView } from './methods/views.ts';
import { wireView } from './view-wire.ts';
import { wireMessage, withBlockIds } from './wire.ts';
import { APP_ID, BOT, type StoredMessage, TEAM } from './world.ts';

type Acts = Pick<FakeSlack, 'command' | 'press' | 'pressHome' | 'shortcut' | 'submitView' | 'closeView'>;

interface Found {
  readonly block: Json;
  readonly element: Json;
}

const elementsOf = (block: Json): readonly Json[] => [
  ...((block['elements'] as readonly Json[] | undefined) ?? []),
  ...(block['accessory'] === undefined ? [] : [block['accessory'] as Json]),
];

const elementIn = (blocks: readonly Json[], isIt: (element: Json) => boolean): Found | undefined => {
  for (const block of blocks) {
    const element = elementsOf(block).find(isIt);
    if (element) return { block, element };
  }
  return undefined;
};

const TEAM_FIELDS = {
  team: { id: TEAM.id, domain: TEAM.domain },
  enterprise: null,
  is_enterprise_install: false,
};

const userField = ({ id, name, teamId }: FakeUser): Json => ({ id, username: name, name, team_id: teamId });

const common = (user: FakeUser): Json => ({
  user: userField(user),
  api_app_id: APP_ID,
  token: 'verification-token',
  ...TEAM_FIELDS,
});

/** What people do beside writing: commands, buttons, shortcuts and forms. */
export const createActs = (core: Core, desk: Desk): Acts => {
  const { world } = core;

  const userOf = (id: string): FakeUser => {
    const user = world.users.get(id);
    if (!user) throw new Error(`No such user: ${id}`);
    return user;
  };

  const messageOf = (ref: MessageRef): StoredMessage => {
    const message = world.messageAt(ref);
    if (!message) throw new Error(`No such message: ${ref.channel} ${ref.ts}`);
    return message;
  };

  const channelField = (id: string): Json => {
    const { name, kind } = world.channelOf(id);
    return { id, name: kind === 'im' ? 'directmessage' : name };
  };

  /** What the bot answered to a form decides what becomes of it. */
  const settleView = (view: FakeView, payload: Json): void => {
    const { response_action: action, view: next } = payload;
    if (action === 'errors') return;
    if (action === 'update') return void desk.updateView(view.id, checkView(next));
    if (action === 'push') return void desk.openView(checkView(next), view.user, view.triggerId);
    desk.closeView(view.id);
  };

  const sendView = (type: 'view_submission' | 'view_closed', user: string, view: FakeView, wire: Json) =>
    desk.begin({
      envelopeType: 'interactive',
      what: type,
      scene: { user, view },
      payload: ({ triggerId }) => ({
        type,
        ...common(userOf(user)),
        trigger_id: triggerId,
        view: wire,
        ...(type === 'view_submission' ? { response_urls: [] } : { is_cleared: false }),
      }),
      onAck: (payload) => settleView(view, payload),
    });

  return {
    command: (user, channel, name, text = '') =>
      desk.begin({
        envelopeType: 'slash_commands',
        what: name,
        scene: { user, channel },
        payload: ({ triggerId, responseUrl }) => ({
          token: 'verification-token',
          team_id: userOf(user).teamId,
          team_domain: TEAM.domain,
          channel_id: channel,
          channel_name: channelField(channel)['name'],
          user_id: user,
          user_name: userOf(user).name,
          command: name,
          text,
          api_app_id: APP_ID,
          is_enterprise_install: 'false',
          response_url: responseUrl,
          trigger_id: triggerId,
        }),
      }),

    press: (user, ref, actionId, action = {}) => {
      const message = messageOf(ref);
      const found = elementIn(
        withBlockIds(message.blocks, message.ts),
        ({ action_id: id }) => id === actionId,
      );
      if (!found) throw new Error(`The message has no element ${actionId}`);
      const { type, text, value } = found.element;
      const isEphemeral = message.ephemeralFor !== undefined;
      return desk.begin({
        envelopeType: 'interactive',
        what: 'block_actions',
        scene: { user, channel: ref.channel, message },
        payload: ({ triggerId, responseUrl }) => ({
          type: 'block_actions',
          ...common(userOf(user)),
          container: {
            type: 'message',
            message_ts: ref.ts,
            channel_id: ref.channel,
            is_ephemeral: isEphemeral,
            ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
          },
          trigger_id: triggerId,
          channel: channelField(ref.channel),
          // Slack does not keep what only one person sees.
          ...(isEphemeral ? {} : { message: wireMessage(world, message, { metadata: true }) }),
          state: { values: {} },
          response_url: responseUrl,
          actions: [
            {
              action_id: actionId,
              block_id: found.block['block_id'],
              type,
              text,
              value,
              action_ts: world.newTs(),
              ...action,
            },
          ],
        }),
      });
    },

    pressHome: (user, isIt) => {
      const home = desk.homeOf(user);
      const found = home && elementIn(withBlockIds(home.view['blocks'] as readonly Json[], home.id), isIt);
      if (!found) throw new Error('The home tab has no such element');
      const { type, text, value, action_id: actionId } = found.element;
      return desk.begin({
        envelopeType: 'interactive',
        what: 'block_actions',
        scene: { user },
        payload: ({ triggerId }) => ({
          type: 'block_actions',
          ...common(userOf(user)),
          container: { type: 'view', view_id: home.id },
          trigger_id: triggerId,
          view: wireView(home),
          actions: [
            {
              action_id: actionId,
              block_id: found.block['block_id'],
              type,
              text,
              value,
              action_ts: world.newTs(),
            },
          ],
        }),
      });
    },

    shortcut: (user, callbackId, ref) => {
      const message = ref && messageOf(ref);
      return desk.begin({
        envelopeType: 'interactive',
        what: message ? 'message_action' : 'shortcut',
        scene: { user, ...(message ? { channel: message.channel, message } : {}) },
        payload: ({ triggerId, responseUrl }) => ({
          type: message ? 'message_action' : 'shortcut',
          ...common(userOf(user)),
          action_ts: world.newTs(),
          callback_id: callbackId,
          trigger_id: triggerId,
          ...(message
            ? {
                channel: channelField(message.channel),
                message_ts: message.ts,
                message: wireMessage(world, message, { metadata: false }),
                response_url: responseUrl,
              }
            : {}),
        }),
      });
    },

    submitView: (user, view, values) => sendView('view_submission', user, view, wireView(view, values)),
    closeView: (user, view) => sendView('view_closed', user, view, wireView(view)),
  };
};

/** How a mention of the bot is written. */
export const BOT_MENTION = `<@${BOT.userId}>`;
