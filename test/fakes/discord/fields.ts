import { invalid } from './errors.ts';
import { checkShape, type FieldMap, type FieldsOf, listOf, named } from '../fields.ts';
import { asNumber } from './wire.ts';

const MEDIA = named('url');
const EMBED: FieldMap = {
  ...named('title type description url timestamp color'),
  footer: named('text icon_url'),
  image: MEDIA,
  thumbnail: MEDIA,
  author: named('name url icon_url'),
  fields: listOf(named('name value inline')),
};

const EMOJI = named('id name animated');
const COMPONENTS: ReadonlyMap<number, FieldMap> = new Map<number, FieldMap>([
  [1, { components: listOf((part) => componentOf(part)) }],
  [2, { ...named('style label custom_id sku_id url disabled'), emoji: EMOJI }],
  [
    3,
    {
      ...named('custom_id placeholder min_values max_values required disabled'),
      options: listOf({ ...named('label value description default'), emoji: EMOJI }),
    },
  ],
  [4, named('custom_id style label min_length max_length required value placeholder')],
  [18, { ...named('label description'), component: (part) => componentOf(part) }],
]);

const componentOf: FieldsOf = (part) => ({
  ...named('type id'),
  ...COMPONENTS.get(asNumber(part['type'])),
});

const MESSAGE: FieldMap = {
  // discord.js sends the last two wherever it writes a message.
  ...named('content flags poll tts enforce_nonce'),
  embeds: listOf(EMBED),
  components: listOf(componentOf),
  allowed_mentions: named('parse roles users replied_user'),
  attachments: listOf(named('id filename title description duration_secs waveform is_spoiler')),
};

const optionOf: FieldsOf = (option) => ({
  ...named(
    'type name name_localizations description description_localizations required channel_types min_value max_value min_length max_length autocomplete',
  ),
  choices: listOf(named('name name_localizations value')),
  ...(asNumber(option['type']) <= 2 ? { options: listOf(optionOf) } : {}),
});

/** By method and route, as documented. What is not here has no body, or one of two fields. */
const BODIES: Readonly<Record<string, FieldMap>> = {
  'POST /channels/:channel/messages': {
    ...MESSAGE,
    ...named('nonce sticker_ids'),
    message_reference: named('type message_id channel_id guild_id fail_if_not_exists'),
  },
  'PATCH /channels/:channel/messages/:message': MESSAGE,
  'POST /webhooks/:application/:token': MESSAGE,
  'PATCH /webhooks/:application/:token/messages/:message': MESSAGE,
  'POST /interactions/:interaction/:token/callback': {
    ...named('type'),
    data: {
      ...MESSAGE,
      ...named('custom_id title'),
      choices: listOf(named('name name_localizations value')),
    },
  },
  'POST /users/@me/channels': named('recipient_id'),
};

const COMMAND: FieldMap = {
  ...named(
    'id name name_localizations description description_localizations default_member_permissions dm_permission integration_types contexts type nsfw',
  ),
  options: listOf(optionOf),
};

const refuse = (path: string, why: 'unknown' | 'no list'): void => {
  if (why === 'no list') throw invalid(path, 'BASE_TYPE_BAD_TYPE', 'Only lists are accepted.');
  // Discord ignores it; whoever sends it believes that it does something.
  throw invalid(path, 'UNKNOWN_FIELD', `There is no field ${path}.`);
};

/** Refuses fields that Discord does not document. Throws `ApiError`. */
export const checkFields = (method: string, route: string, json: unknown): void => {
  if (method === 'PUT' && Array.isArray(json)) checkShape(json, listOf(COMMAND), refuse);
  const shape = BODIES[`${method} ${route}`];
  if (shape) checkShape(json, shape, refuse);
};
