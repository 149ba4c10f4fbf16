import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { createSlackChannel } from '#channels/slack/adapter.ts';
import { slackTexts } from '#channels/slack/send/texts.ts';
import type { SlackRefusalReason } from '#channels/slack/send/refusals.ts';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import type { FakeSlack } from '#test/fakes/slack/api.ts';
import { startFakeSlack } from '#test/fakes/slack/server.ts';
import { everyRow } from '#test/support/every-row.ts';
import { recordingLogger } from '#test/support/context.ts';
import { NEVER, outbound, targetIn, threadTarget } from './fixture.ts';

interface Row {
  readonly code: string;
  readonly goes: 'to the channel' | 'to the thread' | 'directly' | 'to the log' | 'out later';
  readonly why?: SlackRefusalReason;
}

/** The codes that Slack documents for posting. */
const ROWS: readonly Row[] = [
  { code: 'cannot_reply_to_message', goes: 'to the channel' },
  { code: 'restricted_action_non_threadable_channel', goes: 'to the channel' },
  { code: 'restricted_action_thread_locked', goes: 'to the channel', why: 'threadLocked' },
  { code: 'restricted_action_thread_only_channel', goes: 'to the thread' },
  { code: 'restricted_action', goes: 'directly', why: 'mayNotWrite' },
  { code: 'restricted_action_read_only_channel', goes: 'directly', why: 'mayNotWrite' },
  { code: 'not_in_channel', goes: 'directly', why: 'mayNotWrite' },
  { code: 'access_denied', goes: 'directly', why: 'mayNotWrite' },
  { code: 'no_permission', goes: 'directly', why: 'mayNotWrite' },
  { code: 'is_archived', goes: 'directly', why: 'channelArchived' },
  { code: 'channel_not_found', goes: 'directly', why: 'placeRefuses' },
  { code: 'is_inactive', goes: 'directly', why: 'placeRefuses' },
  { code: 'ekm_access_denied', goes: 'directly', why: 'placeRefuses' },
  { code: 'enterprise_is_restricted', goes: 'directly', why: 'placeRefuses' },
  { code: 'message_limit_exceeded', goes: 'directly', why: 'placeRefuses' },
  { code: 'messages_tab_disabled', goes: 'directly', why: 'placeRefuses' },
  { code: 'slack_connect_file_link_sharing_blocked', goes: 'directly', why: 'placeRefuses' },
  { code: 'slack_connect_canvas_sharing_blocked', goes: 'directly', why: 'placeRefuses' },
  { code: 'team_access_not_granted', goes: 'directly', why: 'placeRefuses' },
  { code: 'team_not_found', goes: 'directly', why: 'placeRefuses' },
  { code: 'a_code_of_tomorrow', goes: 'directly', why: 'placeRefuses' },
  { code: 'msg_too_long', goes: 'to the log' },
  { code: 'no_text', goes: 'to the log' },
  { code: 'invalid_arguments', goes: 'to the log' },
  { code: 'too_many_attachments', goes: 'to the log' },
  { code: 'metadata_too_large', goes: 'to the log' },
  { code: 'external_channel_migrating', goes: 'out later' },
  { code: 'service_unavailable', goes: 'out later' },
  { code: 'invalid_auth', goes: 'out later' },
  { code: 'not_authed', goes: 'out later' },
  { code: 'account_inactive', goes: 'out later' },
  { code: 'token_revoked', goes: 'out later' },
  { code: 'token_expired', goes: 'out later' },
  { code: 'missing_scope', goes: 'out later' },
  { code: 'not_allowed_token_type', goes: 'out later' },
  { code: 'two_factor_setup_required', goes: 'out later' },
  { code: 'org_login_required', goes: 'out later' },
  { code: 'team_added_to_org', goes: 'out later' },
  { code: 'fatal_error', goes: 'out later' },
  { code: 'internal_error', goes: 'out later' },
  { code: 'request_timeout', goes: 'out later' },
];

const why = (reason: SlackRefusalReason): string => slackTexts('en')[reason]({ chat: '#stocks' });

describe('an answer that Slack refuses', () => {
  let fake: FakeSlack;
  let channel: ChannelPlugin;
  beforeAll(async () => {
    fake = await startFakeSlack();
    channel = createSlackChannel({
      settings: { botToken: fake.botToken, appToken: fake.appToken, apiUrl: fake.apiUrl },
      clock: systemClock,
      logger: recordingLogger().logger,
      locale: 'en',
    });
  });
  afterAll(async () => {
    await channel.close();
    await fake.close();
  });

  const ask = (isInThread = true) => {
    const person = fake.addUser({ name: 'kim' });
    const room = fake.addChannel({ name: 'stocks', members: [person.id, fake.bot.userId] });
    const asked = fake.say(room.id, person.id, 'how is Apple?', { events: 'none' });
    const target = isInThread
      ? { ...threadTarget(room.id, person.id, asked.ts), replyToMessageId: asId<MessageId>(asked.ts) }
      : targetIn(room.id, person.id, { replyToMessageId: asId<MessageId>(asked.ts) });
    return { person, room, asked, target };
  };
  const said = (chat: string) => fake.botMessagesIn(chat).map(({ text }) => text);

  everyRow(ROWS)('with $code goes $goes', async ({ code, goes, why: reason }) => {
    const { person, room, asked, target } = ask(goes !== 'to the thread');
    const times = goes.startsWith('to the ') || goes === 'out later' ? 1 : 9;
    fake.fail('chat.postMessage', { kind: 'error', error: code }, { channel: room.id, times });
    const message = outbound(target, 'Apple: $230.10');
    const sent = channel.send(message, NEVER);
    if (goes === 'to the log' || goes === 'out later') {
      const failure = goes === 'out later' ? 'unreachable' : 'refused';
      await expect(sent).rejects.toMatchObject({ failure });
      expect([...said(room.id), ...said(fake.directOf(person.id).id)]).toEqual([]);
      if (goes === 'out later') await channel.send(message, NEVER);
      expect(said(room.id)).toEqual(goes === 'out later' ? ['Apple: $230.10'] : []);
      return;
    }
    const { messageId } = await sent;
    const isDirect = goes === 'directly';
    const mention = isDirect ? '' : `<@${person.id}> `;
    expect(said(isDirect ? fake.directOf(person.id).id : room.id)).toEqual([
      ...(reason === undefined ? [] : [`${mention}${why(reason)}`]),
      'Apple: $230.10',
    ]);
    expect(said(isDirect ? room.id : fake.directOf(person.id).id)).toEqual([]);
    const thread = fake.messagesIn(room.id, asked.ts).map(({ ts }) => ts);
    expect(thread.includes(messageId)).toBe(goes === 'to the thread');
  });

  it('because its channel was archived while it was made leaves no half of it, and one reason for all parts', async () => {
    const { person, room, target } = ask();
    const { messageId: replaces } = await channel.send(outbound(target, 'working'), NEVER);
    for (const method of ['chat.postMessage', 'chat.update'])
      fake.fail(method, { kind: 'error', error: 'is_archived' }, { channel: room.id, times: 9 });
    await channel.send(outbound(target, 'part one', { replaces }), NEVER);
    await channel.send(outbound(target, 'part two'), NEVER);
    expect(said(room.id)).toEqual([]);
    expect(said(fake.directOf(person.id).id)).toEqual([why('channelArchived'), 'part one', 'part two']);
  });

  it('in the direct chat too is an error for the log', async () => {
    const { room, target } = ask();
    fake.fail('chat.postMessage', { kind: 'error', error: 'restricted_action' }, { channel: room.id });
    fake.fail('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' });
    await expect(channel.send(outbound(target, 'Apple: $230.10'), NEVER)).rejects.toMatchObject({
      message: 'Slack refused chat.postMessage: messages_tab_disabled',
    });
  });
});
