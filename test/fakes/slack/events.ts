import type { ChannelKind, Json } from './api.ts';
import type { Core } from './core.ts';
import { channelTypeOf, wireMessage } from './wire.ts';
import { APP_ID, BOT, type StoredMessage, TEAM } from './world.ts';

const MESSAGE_EVENTS: Readonly<Record<ChannelKind, string>> = {
  public: 'message.channels',
  private: 'message.groups',
  im: 'message.im',
  mpim: 'message.mpim',
};

/** Sends an event with all that Slack puts around it; the id is made also where nobody subscribed. */
export const tell = (core: Core, event: Json, subscription = String(event['type'])): string => {
  const { world, clock, settings } = core;
  const eventId = world.newId('Ev');
  if (settings.events !== undefined && !settings.events.includes(subscription)) return eventId;
  const channel = typeof event['channel'] === 'string' ? world.channels.get(event['channel']) : undefined;
  core.send({
    envelopeType: 'events_api',
    what: String(event['type']),
    eventId,
    payload: {
      token: 'verification-token',
      team_id: TEAM.id,
      context_team_id: TEAM.id,
      api_app_id: APP_ID,
      event,
      type: 'event_callback',
      event_id: eventId,
      event_time: Math.floor(clock.now().epochMilliseconds / 1_000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: TEAM.id,
          user_id: BOT.userId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: channel?.isShared ?? false,
      event_context: `4-${eventId}`,
    },
  });
  return eventId;
};

/** An event of the `message` family; none where the bot is no member. */
const tellOfMessage = (core: Core, channelId: string, event: Json): string | undefined => {
  const channel = core.world.channelOf(channelId);
  if (!channel.members.includes(BOT.userId)) return undefined;
  return tell(
    core,
    {
      type: 'message',
      channel: channelId,
      channel_type: channelTypeOf(channel),
      event_ts: core.world.newTs(),
      ...event,
    },
    MESSAGE_EVENTS[channel.kind],
  );
};

/** Posted: by a person, another app or the bot itself, which hears its own words too. */
export const tellPosted = (core: Core, message: StoredMessage, fields: Json = {}): string | undefined =>
  tellOfMessage(core, message.channel, {
    ...wireMessage(core.world, message, { metadata: false }),
    ...(message.isBroadcast ? { subtype: 'thread_broadcast' } : {}),
    event_ts: message.ts,
    ...fields,
  });

export const tellChanged = (core: Core, message: StoredMessage, before: Json): string | undefined =>
  tellOfMessage(core, message.channel, {
    subtype: 'message_changed',
    hidden: true,
    message: wireMessage(core.world, message, { metadata: false }),
    previous_message: before,
    ts: core.world.newTs(),
  });

export const tellDeleted = (core: Core, message: StoredMessage): string | undefined =>
  tellOfMessage(core, message.channel, {
    subtype: 'message_deleted',
    hidden: true,
    deleted_ts: message.ts,
    previous_message: wireMessage(core.world, message, { metadata: false }),
    ts: core.world.newTs(),
  });

export const tellReaction = (
  core: Core,
  type: 'reaction_added' | 'reaction_removed',
  { user, name, message }: { readonly user: string; readonly name: string; readonly message: StoredMessage },
): string =>
  tell(core, {
    type,
    user,
    reaction: name,
    item: { type: 'message', channel: message.channel, ts: message.ts },
    item_user: message.user,
    event_ts: core.world.newTs(),
  });
