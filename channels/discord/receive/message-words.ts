import { ComponentType, EmbedType, MessageFlags } from 'discord.js';
import type { ForwardedText, MediaAttachment } from '#src/kernel/chat/message.ts';
import { mediaKindOf } from '#src/platform/files/media.ts';
import { type WireFields, fieldsIn, joined, listIn, numberIn, textIn } from '../wire.ts';

/** Discord nests components three deep, and snapshots one deep. */
const MAX_DEPTH = 5;

/** A link in the field of a card: its words say enough. */
const LINK = /\[([^[\]\n]{1,300})\]\(https?:[^()\s]{1,500}\)/gu;

const pollText = ({ question, answers, results }: WireFields): string => {
  const votes = new Map(listIn(fieldsIn(results)['answer_counts']).map(({ id, count }) => [id, count]));
  const lines = listIn(answers).map(({ answer_id: id, poll_media: answer }) => {
    const count = numberIn(votes.get(id));
    const { text, emoji } = fieldsIn(answer);
    const choice = textIn(text) || textIn(fieldsIn(emoji)['name']);
    return choice === '' ? '' : `- ${choice}${count === undefined ? '' : ` (${count})`}`;
  });
  return joined([textIn(fieldsIn(question)['text']), ...lines], '\n');
};

const embedText = ({ type, provider, author, title, description, fields, footer }: WireFields): string => {
  // Its fields have names for programs.
  if (type === EmbedType.PollResult) return '';
  return joined(
    [
      textIn(fieldsIn(author)['name']) || textIn(fieldsIn(provider)['name']),
      textIn(title),
      textIn(description),
      ...listIn(fields).map(({ name, value }) =>
        joined([textIn(name), textIn(value).replaceAll(LINK, '$1')], ': '),
      ),
      textIn(fieldsIn(footer)['text']),
    ],
    '\n',
  );
};

/** What a message of components says. Buttons and menus say what one may do, not what somebody has said. */
const componentText = (component: WireFields, depth = 0): string => {
  const { type, content, components, accessory, items, description, name } = component;
  if (depth > MAX_DEPTH) return '';
  const inner = (parts: unknown): readonly string[] =>
    listIn(parts).map((part) => componentText(part, depth + 1));
  switch (type) {
    case ComponentType.TextDisplay:
      return textIn(content);
    case ComponentType.Section:
      return joined([...inner(components), componentText(fieldsIn(accessory), depth + 1)], '\n');
    case ComponentType.Container:
      return joined(inner(components), '\n');
    case ComponentType.MediaGallery:
      return joined(
        listIn(items).map((item) => textIn(item['description'])),
        '\n',
      );
    case ComponentType.Thumbnail:
      return textIn(description);
    case ComponentType.File:
      return textIn(name);
    default:
      return '';
  }
};

/** What the author typed. Commands are recognised in it. */
export const typedIn = (message: object): string => {
  const { content, poll } = fieldsIn(message);
  return joined([textIn(content), pollText(fieldsIn(poll))], '\n\n');
};

/** Cards, previews of links and components. */
export const cardsIn = (message: object): string => {
  const { embeds, components } = fieldsIn(message);
  return joined(
    [...listIn(embeds).map(embedText), ...listIn(components).map((part) => componentText(part))],
    '\n\n',
  );
};

/** All that the message itself shows: what was typed, and its cards. */
export const shownIn = (message: object): string => joined([typedIn(message), cardsIn(message)], '\n\n');

const snapshotsIn = (message: object): readonly WireFields[] =>
  listIn(fieldsIn(message)['message_snapshots']).map(({ message: snapshot }) => fieldsIn(snapshot));

/** Forwarded messages. Discord does not name their authors, so none is marked as written by others. */
export const forwardedIn = (message: object, depth = 0): readonly ForwardedText[] =>
  snapshotsIn(message).flatMap((snapshot) => {
    const text = shownIn(snapshot).trim();
    const nested = depth < MAX_DEPTH ? forwardedIn(snapshot, depth + 1) : [];
    return [...(text === '' ? [] : [{ text }]), ...nested];
  });

/** A file, of an attachment or an option of a command. Undefined if it cannot be read. */
export const mediaIn = (file: object): MediaAttachment | undefined => {
  const { content_type: type, filename, url, size, description, duration_secs: seconds } = fieldsIn(file);
  const address = textIn(url);
  if (address === '') return undefined;
  const mimeType = textIn(type).split(';')[0]?.trim() || 'application/octet-stream';
  const [sizeBytes, durationSeconds, altText] = [numberIn(size), numberIn(seconds), textIn(description)];
  return {
    kind: mediaKindOf(mimeType),
    mimeType,
    name: textIn(filename) || 'file',
    url: address,
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    ...(altText === '' ? {} : { altText }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
  };
};

/** Stickers are named but not sent to the model as pictures. */
const stickerIn = ({ id, name }: WireFields): MediaAttachment => ({
  kind: 'file',
  mimeType: 'application/x-sticker',
  name: `sticker: ${textIn(name)}`,
  url: `https://cdn.discordapp.com/stickers/${textIn(id)}.png`,
});

/** The files that components show; they are not among the attachments. */
const shownFiles = (component: WireFields, depth = 0): readonly WireFields[] => {
  if (depth > MAX_DEPTH) return [];
  const { type, components, accessory, items, media, file, name, size } = component;
  const inner = [...listIn(components), fieldsIn(accessory)].flatMap((part) => shownFiles(part, depth + 1));
  const pictures = listIn(items).map((item) => ({
    ...fieldsIn(item['media']),
    description: item['description'],
  }));
  const own =
    type === ComponentType.File
      ? [{ ...fieldsIn(file), filename: name, size }]
      : type === ComponentType.Thumbnail
        ? [{ ...fieldsIn(media), description: component['description'] }]
        : [];
  return [...own, ...pictures, ...inner];
};

/** The last part of an address is the name of its file. */
const named = (file: WireFields): WireFields => {
  const { url, filename } = file;
  const address = textIn(url);
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  return { ...file, filename: textIn(filename) || path.slice(path.lastIndexOf('/') + 1) };
};

const filesIn = (message: object): readonly MediaAttachment[] => {
  const { attachments, components, sticker_items: stickers, flags } = fieldsIn(message);
  const files = [
    ...listIn(attachments),
    ...listIn(components)
      .flatMap((component) => shownFiles(component))
      .map(named),
  ].flatMap((file) => mediaIn(file) ?? []);
  // Discord sets the flag on a message that is one recording, made in its app.
  const isSpoken = ((numberIn(flags) ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
  return [
    ...files.map((file) => (isSpoken && file.kind === 'audio' ? { ...file, isVoice: true as const } : file)),
    ...listIn(stickers).map(stickerIn),
  ];
};

/** The files of a message, and of what it forwards. */
export const mediaOf = (message: object): readonly MediaAttachment[] => [
  ...filesIn(message),
  ...snapshotsIn(message)
    .flatMap(filesIn)
    .map(({ isVoice: _spoken, ...file }) => ({ ...file, isMaybeOurs: true as const })),
];
