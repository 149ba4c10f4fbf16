import type { ForwardedText } from '#src/kernel/chat/message.ts';

type Wire = Readonly<Record<string, unknown>>;

export interface OddEvent {
  readonly event: Wire;
  /** What becomes of it: the body of a message, a change, or nothing. */
  readonly becomes: { readonly body: string } | { readonly change: 'edited' | 'deleted' } | 'nothing';
  readonly isFromBot?: true;
  readonly media?: readonly string[];
  readonly forwarded?: readonly ForwardedText[];
}

const base = {
  type: 'message',
  channel: 'C012AB3CD',
  channel_type: 'channel',
  ts: '1355517523.000005',
} as const;
const text = { ...base, user: 'U2147483697', team: 'T0FINCLAW1', text: 'Hello' };

/** Shapes as Slack sends them, of what is not simply somebody writing something. */
export const ODD_EVENTS: Readonly<Record<string, OddEvent>> = {
  'an incoming webhook': {
    event: { ...base, subtype: 'bot_message', bot_id: 'B0WEBHOOK', username: 'deploys', text: 'Deployed' },
    becomes: { body: 'Deployed' },
    isFromBot: true,
  },
  'an app that writes attachments only': {
    event: {
      ...base,
      subtype: 'bot_message',
      bot_id: 'B0ALERT',
      text: '',
      attachments: [{ fallback: 'CPU is at 90 %', color: '#f00' }],
    },
    becomes: { body: 'CPU is at 90 %' },
    isFromBot: true,
  },
  'another bot, as a user': {
    event: { ...text, bot_id: 'B0OTHER', app_id: 'A0OTHER', bot_profile: { name: 'other' } },
    becomes: { body: 'Hello' },
    isFromBot: true,
  },
  'a notice of Slack in the direct chat': {
    event: { ...text, channel: 'D1', channel_type: 'im', user: 'USLACK', text: '<@U1> archived <#C1>' },
    becomes: 'nothing',
  },
  Slackbot: { event: { ...text, user: 'USLACKBOT', text: 'Reminder: tax' }, becomes: 'nothing' },
  'somebody joining': {
    event: { ...text, subtype: 'channel_join', text: '<@U2147483697> has joined the channel' },
    becomes: 'nothing',
  },
  'a new topic': { event: { ...text, subtype: 'channel_topic', topic: 'markets' }, becomes: 'nothing' },
  'a pinned item': { event: { ...text, subtype: 'pinned_item' }, becomes: 'nothing' },
  'the news that a thread has a reply': {
    event: { ...base, subtype: 'message_replied', hidden: true, message: { ...text, thread_ts: base.ts } },
    becomes: 'nothing',
  },
  'the start of an assistant thread': {
    event: { ...text, subtype: 'assistant_app_thread', text: 'New Assistant Thread' },
    becomes: 'nothing',
  },
  'an edit by an app of its own message': {
    event: {
      ...base,
      subtype: 'message_changed',
      hidden: true,
      message: { ...text, bot_id: 'B0OTHER', text: 'after' },
      previous_message: { ...text, bot_id: 'B0OTHER', text: 'before' },
    },
    becomes: 'nothing',
  },
  'an unfurl': {
    event: {
      ...base,
      subtype: 'message_changed',
      hidden: true,
      message: {
        ...text,
        attachments: [{ fallback: 'A page', text: 'A page', from_url: 'https://example.com' }],
      },
      previous_message: text,
    },
    becomes: 'nothing',
  },
  'an edit': {
    event: {
      ...base,
      subtype: 'message_changed',
      hidden: true,
      message: { ...text, text: 'Hello, you', edited: { user: 'U2147483697', ts: '1355517600.000000' } },
      previous_message: text,
    },
    becomes: { change: 'edited' },
  },
  'a deletion': {
    event: { ...base, subtype: 'message_deleted', hidden: true, deleted_ts: base.ts, previous_message: text },
    becomes: { change: 'deleted' },
  },
  'the deletion of a message that has replies': {
    event: {
      ...base,
      subtype: 'message_changed',
      hidden: true,
      message: { ...text, subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.' },
      previous_message: text,
    },
    becomes: { change: 'deleted' },
  },
  'a message of nobody': { event: { ...base, text: 'ghost' }, becomes: 'nothing' },
  'a message without a time': { event: { ...text, ts: 'soon' }, becomes: 'nothing' },
  'an event without a channel': {
    event: { type: 'message', text: 'x', user: 'U1', ts: base.ts },
    becomes: 'nothing',
  },
  'an empty message': { event: { ...text, text: '' }, becomes: 'nothing' },
  'a message about oneself': {
    event: { ...text, subtype: 'me_message', text: 'is here' },
    becomes: { body: 'is here' },
  },
  'a reply that is also sent to the channel': {
    event: { ...text, subtype: 'thread_broadcast', thread_ts: '1355517500.000001', root: { text: 'root' } },
    becomes: { body: 'Hello' },
  },
  'a voice message': {
    event: {
      ...text,
      text: '',
      subtype: 'file_share',
      files: [
        {
          id: 'F1',
          name: 'audio_message.m4a',
          mimetype: 'audio/mp4',
          subtype: 'slack_audio',
          size: 1_000,
          url_private: 'https://files.slack.com/files-pri/T1-F1/audio_message.m4a',
        },
      ],
    },
    becomes: { body: '' },
    media: ['audio https://files.slack.com/files-pri/T1-F1/audio_message.m4a'],
  },
  'a deleted file beside words': {
    event: { ...text, subtype: 'file_share', files: [{ id: 'F1', mode: 'tombstone' }] },
    becomes: { body: 'Hello' },
  },
  'a file of another workspace': {
    event: {
      ...text,
      subtype: 'file_share',
      user_team: 'T0OTHER',
      files: [{ id: 'F9', mode: 'file_access', file_access: 'check_file_info', created: 0 }],
    },
    becomes: { body: 'Hello' },
    media: ['file slack-file:F9'],
  },
  'a person of another workspace': {
    event: { ...text, user: 'W0STRANGER', user_team: 'T0OTHER', source_team: 'T0OTHER', user_profile: {} },
    becomes: { body: 'Hello' },
  },
  'a forwarded message': {
    event: {
      ...text,
      text: 'What about this?',
      attachments: [
        {
          is_share: true,
          is_msg_unfurl: true,
          author_id: 'U0BOB',
          author_name: 'Bob',
          text: 'Samsung &gt; 80,000\nsoon',
          fallback: '[bob] Samsung',
          ts: '1355517000.000001',
        },
      ],
    },
    becomes: { body: 'What about this?' },
    forwarded: [{ authorName: 'Bob', text: 'Samsung > 80,000\nsoon', isFromOthers: true }],
  },
};
