import { checkShape, type FieldMap, type FieldsOf, listOf, named, type Shape } from '../fields.ts';
import type { Json } from './api.ts';
import { refusalWithReasons } from './errors.ts';

const ofType =
  (shapes: Readonly<Record<string, FieldMap>>): FieldsOf =>
  ({ type }) => ({ ...named('type'), ...shapes[String(type)] });

const TEXT = ofType({ plain_text: named('text emoji'), mrkdwn: named('text verbatim') });
const CONFIRM: FieldMap = { ...named('style'), title: TEXT, text: TEXT, confirm: TEXT, deny: TEXT };
const OPTION: FieldMap = { ...named('value url'), text: TEXT, description: TEXT };
const SELECT: FieldMap = {
  ...named('action_id focus_on_load'),
  placeholder: TEXT,
  confirm: CONFIRM,
  options: listOf(OPTION),
  initial_option: OPTION,
};
const CONVERSATIONS: FieldMap = {
  ...SELECT,
  ...named('initial_channel initial_conversation initial_user response_url_enabled filter'),
};
const TYPED: FieldMap = {
  ...named('action_id initial_value focus_on_load dispatch_action_config'),
  placeholder: TEXT,
};
const RATED: FieldMap = { ...named('value accessibility_label'), text: TEXT };
const ELEMENT = ofType({
  button: { ...named('action_id url value style accessibility_label'), text: TEXT, confirm: CONFIRM },
  feedback_buttons: { ...named('action_id'), positive_button: RATED, negative_button: RATED },
  icon_button: {
    ...named('icon action_id value accessibility_label visible_to_user_ids'),
    text: TEXT,
    confirm: CONFIRM,
  },
  image: named('image_url slack_file alt_text'),
  static_select: { ...SELECT, option_groups: listOf({ label: TEXT, options: listOf(OPTION) }) },
  external_select: { ...SELECT, ...named('min_query_length') },
  users_select: CONVERSATIONS,
  channels_select: CONVERSATIONS,
  conversations_select: CONVERSATIONS,
  overflow: { ...named('action_id'), options: listOf(OPTION), confirm: CONFIRM },
  checkboxes: { ...SELECT, initial_options: listOf(OPTION) },
  radio_buttons: SELECT,
  plain_text_input: { ...TYPED, ...named('multiline min_length max_length') },
  number_input: { ...TYPED, ...named('is_decimal_allowed min_value max_value') },
  email_text_input: TYPED,
  url_text_input: TYPED,
  datepicker: { ...named('action_id initial_date focus_on_load'), placeholder: TEXT, confirm: CONFIRM },
  timepicker: {
    ...named('action_id initial_time focus_on_load timezone'),
    placeholder: TEXT,
    confirm: CONFIRM,
  },
  plain_text: named('text emoji'),
  mrkdwn: named('text verbatim'),
});

const block = (fields: FieldMap): FieldMap => ({ ...named('block_id'), ...fields });
const BLOCK = ofType({
  actions: block({ elements: listOf(ELEMENT) }),
  context: block({ elements: listOf(ELEMENT) }),
  context_actions: block({ elements: listOf(ELEMENT) }),
  divider: block({}),
  file: block(named('external_id source')),
  header: block({ text: TEXT }),
  image: block({ ...named('alt_text image_url slack_file'), title: TEXT }),
  input: block({ ...named('dispatch_action optional'), label: TEXT, element: ELEMENT, hint: TEXT }),
  markdown: block(named('text')),
  rich_text: block(named('elements')),
  section: block({ ...named('expand'), text: TEXT, fields: listOf(TEXT), accessory: ELEMENT }),
  table: block(named('rows column_settings')),
  data_table: block(named('caption rows page_size row_header_column_index')),
});

const VIEW = ofType({
  modal: {
    ...named('private_metadata callback_id external_id clear_on_close notify_on_close submit_disabled'),
    title: TEXT,
    submit: TEXT,
    close: TEXT,
    blocks: listOf(BLOCK),
  },
  home: { ...named('private_metadata callback_id external_id'), blocks: listOf(BLOCK) },
});

const MESSAGE: FieldMap = {
  // That an edit takes the last two is not documented; it may add a link.
  ...named(
    'channel text attachments markdown_text parse link_names as_user mrkdwn unfurl_links unfurl_media',
  ),
  blocks: listOf(BLOCK),
  metadata: named('event_type event_payload'),
};

/** By method, as documented. What is not here reads, or takes two or three fields. */
const METHODS: Readonly<Record<string, FieldMap>> = {
  'chat.postMessage': { ...MESSAGE, ...named('thread_ts reply_broadcast username icon_emoji icon_url') },
  'chat.update': { ...MESSAGE, ...named('ts reply_broadcast file_ids') },
  'chat.postEphemeral': { ...MESSAGE, ...named('user thread_ts username icon_emoji icon_url') },
  'chat.delete': named('channel ts as_user'),
  'chat.startStream': {
    ...named('channel thread_ts markdown_text recipient_user_id recipient_team_id chunks task_display_mode'),
  },
  'chat.appendStream': named('channel ts markdown_text chunks'),
  'chat.stopStream': {
    ...named('channel ts markdown_text chunks'),
    blocks: listOf(BLOCK),
    metadata: named('event_type event_payload'),
  },
  'views.open': { ...named('trigger_id interactivity_pointer'), view: VIEW },
  'views.update': { ...named('view_id external_id hash'), view: VIEW },
  'views.publish': { ...named('user_id hash'), view: VIEW },
  'reactions.add': named('channel timestamp name'),
  'reactions.remove': named('channel timestamp name file file_comment'),
  'assistant.threads.setStatus': named(
    'channel_id thread_ts status loading_messages icon_emoji icon_url username',
  ),
  'assistant.threads.setTitle': named('channel_id thread_ts title'),
  'assistant.threads.setSuggestedPrompts': {
    ...named('channel_id thread_ts title'),
    prompts: listOf(named('title message')),
  },
  // The name that the SDK has for the text is ignored, which the fake notes by itself.
  'files.getUploadURLExternal': named('filename length alt_txt alt_text snippet_type'),
  'files.completeUploadExternal': {
    ...named('channel_id channels thread_ts initial_comment blocks'),
    files: listOf(named('id title highlight_type')),
  },
  'conversations.open': named('channel users return_im prevent_creation'),
  'conversations.history': named('channel cursor inclusive latest limit oldest include_all_metadata'),
  'conversations.replies': named('channel ts cursor inclusive latest limit oldest include_all_metadata'),
  'conversations.info': named('channel include_locale include_num_members'),
  'conversations.members': named('channel cursor limit'),
  'users.info': named('user include_locale'),
  response_url: {
    ...named('text attachments response_type replace_original delete_original thread_ts mrkdwn'),
    // Not documented for it, and known to be heard.
    ...named('parse link_names unfurl_links unfurl_media'),
    blocks: listOf(BLOCK),
  },
};

/** Refuses fields that Slack does not document: it ignores some, and refuses others. Throws `SlackRefusal`. */
export const checkFields = (method: string, args: Json): void => {
  const shape: Shape | undefined = METHODS[method];
  const found: string[] = [];
  if (shape) checkShape(args, shape, (path) => void found.push(`additional property: ${path}`));
  if (found.length > 0) throw refusalWithReasons('invalid_arguments', ...found);
};
