import type { FakeFile, Json, SeenMessage } from './api.ts';
import type { StoredMessage, World } from './world.ts';
import { BOT } from './world.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const object = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

const decode = (words: string): string =>
  words.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** What stands in angle brackets is a link, a mention or a command to Slack; the rest is as written. */
const plainOf = (world: World, words: string): string =>
  decode(
    words.replaceAll(/<([^<>\n]+)>/g, (whole, inner: string) => {
      const [target = '', label] = inner.split('|');
      if (target.startsWith('@')) return `@${world.users.get(target.slice(1))?.name ?? target.slice(1)}`;
      if (target.startsWith('#')) return `#${label ?? world.channels.get(target.slice(1))?.name ?? ''}`;
      if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^')[0] ?? ''}`;
      return /^(https?|mailto|tel):/.test(target) ? (label ?? target) : whole;
    }),
  );

const richText = (world: World, element: Json): string => {
  switch (element['type']) {
    case 'text':
    case 'link':
      return text(element['text']) || text(element['url']);
    case 'emoji':
      return `:${text(element['name'])}:`;
    case 'user':
      return `@${world.users.get(text(element['user_id']))?.name ?? ''}`;
    case 'broadcast':
      return `@${text(element['range'])}`;
    case 'rich_text_list':
      return list(element['elements'])
        .map((item) => `• ${richText(world, item)}`)
        .join('\n');
    default: {
      const isWhole = element['type'] === 'rich_text';
      return list(element['elements'])
        .map((inner) => richText(world, inner))
        .join(isWhole ? '\n' : '');
    }
  }
};

const composition = (world: World, value: unknown): string => {
  const { type, text: words } = object(value);
  return type === 'mrkdwn' ? plainOf(world, text(words)) : text(words);
};

const cell = (world: World, value: Json): string =>
  value['type'] === 'rich_text'
    ? richText(world, value)
    : text(value['text']) || String(Number(value['value']));

const element = (world: World, value: Json): string => {
  if (value['type'] === 'button') return `[${text(object(value['text'])['text'])}]`;
  if (value['type'] === 'image') return text(value['alt_text']);
  if (value['type'] === 'mrkdwn' || value['type'] === 'plain_text') return composition(world, value);
  return `[${text(object(value['placeholder'])['text']) || text(value['type'])}]`;
};

const blockText = (world: World, block: Json): string => {
  switch (block['type']) {
    case 'section': {
      const parts = [block['text'], ...list(block['fields'])].map((part) => composition(world, part));
      const accessory = block['accessory'] === undefined ? [] : [element(world, object(block['accessory']))];
      return [...parts, ...accessory].filter((part) => part !== '').join('\n');
    }
    case 'header':
      return composition(world, block['text']);
    case 'markdown':
      return plainOf(world, text(block['text']));
    case 'context':
    case 'actions':
      return list(block['elements'])
        .map((value) => element(world, value))
        .join(' ');
    // Icons without words.
    case 'context_actions':
      return '';
    case 'divider':
      return '---';
    case 'image':
      return text(block['alt_text']);
    case 'rich_text':
      return richText(world, block);
    case 'table':
    case 'data_table':
      return (Array.isArray(block['rows']) ? (block['rows'] as readonly (readonly Json[])[]) : [])
        .map((row) => row.map((value) => cell(world, value)).join(' | '))
        .join('\n');
    default:
      return composition(world, block['text']) || composition(world, block['title']);
  }
};

type Written = Pick<StoredMessage, 'text' | 'blocks'>;

export const renderedOf = (world: World, { text: words, blocks }: Written): string =>
  blocks.length === 0
    ? plainOf(world, words)
    : blocks
        .filter(({ type }) => type !== 'context_actions')
        .map((block) => blockText(world, block))
        .join('\n');

/** Everything that Slack parses for mentions, as it came. */
const parsedTexts = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(parsedTexts);
  if (typeof value !== 'object' || value === null) return [];
  const { type, text: words, ...rest } = value as Json;
  if (type === 'plain_text' || type === 'raw_text' || type === 'text') return [];
  if (type === 'broadcast') return [`<!${text(rest['range'])}>`];
  if (type === 'usergroup') return [`<!subteam^${text(rest['usergroup_id'])}>`];
  return [...(typeof words === 'string' ? [words] : parsedTexts(words)), ...parsedTexts(Object.values(rest))];
};

const MASS = /<!(channel|here|everyone|subteam\^[A-Z0-9]+)(?:\|[^>]*)?>/g;
const LINKED_NAME = /(?<![\w&;])@(channel|here|everyone)\b/g;

export const pingedBy = ({
  text: words,
  blocks,
  attachments,
  flags,
}: Pick<StoredMessage, 'text' | 'blocks' | 'attachments' | 'flags'>): readonly string[] => {
  const texts = [words, ...parsedTexts(blocks), ...parsedTexts(attachments)].join('\n');
  const isLinking = flags['parse'] === 'full' || flags['link_names'] === true;
  const found = [...texts.matchAll(MASS), ...(isLinking ? texts.matchAll(LINKED_NAME) : [])].map(
    ([, name = '']) => `@${name.replace('subteam^', '')}`,
  );
  return [...new Set(found)];
};

const PERSON = /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/g;

/** Where there are blocks, Slack reads the mentions in them, and those in the text beside them ring as well. */
export const rungBy = ({
  text: words,
  blocks,
  ephemeralFor,
}: Pick<SeenMessage, 'text' | 'blocks' | 'ephemeralFor'>): readonly string[] =>
  ephemeralFor === undefined
    ? [
        ...new Set(
          [words, ...parsedTexts(blocks)]
            .join('\n')
            .matchAll(PERSON)
            .map(([, id = '']) => id),
        ),
      ]
    : [];

/** Files that are shown in blocks of the message. */
const picturesIn = (world: World, blocks: readonly Json[]): readonly FakeFile[] =>
  blocks.flatMap(({ type, slack_file: file }) =>
    type === 'image' ? (world.files.get(text(object(file)['id'])) ?? []) : [],
  );

export const seenOf = (world: World, message: StoredMessage): SeenMessage => {
  const { threadTs, subtype, metadata, streaming, ephemeralFor } = message;
  return {
    channel: message.channel,
    ts: message.ts,
    ...(threadTs === undefined ? {} : { threadTs }),
    user: message.user,
    isFromBot: message.user === BOT.userId,
    ...(subtype === undefined ? {} : { subtype }),
    text: message.text,
    rendered: renderedOf(world, message),
    blocks: message.blocks,
    attachments: message.attachments,
    ...(metadata === undefined ? {} : { metadata }),
    files: [...message.files, ...picturesIn(world, message.blocks)],
    reactions: message.reactions.map(({ name, users }) => ({ name, users: [...users] })),
    ...(streaming === undefined ? {} : { streaming }),
    ...(ephemeralFor === undefined ? {} : { ephemeralFor }),
    isBroadcast: message.isBroadcast,
    isEdited: message.isEdited,
    flags: message.flags,
  };
};
