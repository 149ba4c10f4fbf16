import type { PipelineMsgContext, ReadAttachment } from '#src/core/execution.ts';
import type { MergedMessage } from '#src/core/message.ts';
import { type ContentBlock, type ConversationMessage, MAX_IMAGE_CHARS, MAX_IMAGES } from '#src/core/model.ts';
import { shortened, withoutOurMarkup } from '#src/core/text.ts';
import { earlierBlock } from './earlier-block.ts';

/** The beginning of what could end the fence of a file early, or begin another one. */
const FENCE = /<(?=[\s/]*(?:attachment|earlier_messages))/gi;

/** Words from outside in a line of ours. */
const oneLine = (text: string): string =>
  withoutOurMarkup(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(FENCE, '‹');

/** More of them cost every message, and say no more about it. */
const MAX_HEADLINES = 3;

/** As many of somebody's own things stand in every message; the rest is a call away. */
const MAX_OWN = 20;

const firstOf = <T>(all: readonly T[], more: string, line: (each: T) => string): readonly string[] => [
  ...all.slice(0, MAX_OWN).map(line),
  ...(all.length > MAX_OWN ? [`and ${all.length - MAX_OWN} more ${more}`] : []),
];

/** A headline needs no sign that could begin a tag, finished or not. */
const headlineText = (text: string): string => oneLine(text).replaceAll('<', '‹').trim();

/** The name of a file comes from outside: one line of it, without quotes. */
const nameOf = ({ name }: { readonly name: string }): string => oneLine(name.replaceAll('"', ' '));

/** What changes from turn to turn (time, markets), behind the person's own words and apart from them. */
const volatileContext = (ctx: PipelineMsgContext, notes: readonly string[]): string => {
  const now = ctx.timestamp.toZonedDateTimeISO(ctx.timeZone).toString({ smallestUnit: 'minute' });
  const markets = (ctx.marketSession ?? []).map((session) => `${session.market}: ${session.state}`);
  const alerts = firstOf(ctx.activeAlerts ?? [], 'alerts: list_alerts', ({ instrument, condition }) =>
    oneLine(`alert: ${instrument.symbol} ${condition}`),
  );
  const portfolio = ctx.portfolioSnapshot;
  const holdings = firstOf(
    portfolio?.holdings ?? [],
    'holdings: get_portfolio',
    ({ instrument, quantity, averageCost }) =>
      `holds: ${quantity.toFixed()} ${instrument.symbol}, average cost ${averageCost.toFixed()} ${instrument.currency} (portfolio ${oneLine(portfolio?.name ?? '')})`,
  );
  const watched = ctx.watchlist?.length ? [`watches: ${ctx.watchlist.join(', ')}`] : [];
  // Headlines are words of strangers: one line each, and nothing in them can end the block.
  const news = (ctx.newsContext ?? [])
    .slice(0, MAX_HEADLINES)
    .map(
      ({ title, publisher, publishedAt }) =>
        `headline from outside (${headlineText(publisher)}, ${publishedAt.toString({ smallestUnit: 'minute' })}): ${headlineText(title)}`,
    );
  const unreadable = ctx.attachments.flatMap((file) =>
    file.kind === 'unreadable' ? [`attached, but not readable: ${nameOf(file)} (${file.reason})`] : [],
  );
  return [
    '<context>',
    `time: ${now}`,
    `language: ${ctx.locale}`,
    // Where several people talk, the model has to know who does.
    ...(ctx.chatType === 'direct' ? [] : [`written by: ${oneLine(shortened(ctx.senderName))}`]),
    ...markets,
    ...alerts,
    ...holdings,
    ...watched,
    ...news,
    ...notes.map(oneLine),
    ...unreadable,
    ...(ctx.unavailable.length > 0 ? [`unavailable now: ${ctx.unavailable.join(', ')}`] : []),
    '</context>',
  ].join('\n');
};

/** A file as the model reads it: fenced, so that what stands in it is not taken for the person's words. */
const attachmentBlocks = (file: ReadAttachment): readonly ContentBlock[] => {
  if (file.kind === 'image')
    return [{ type: 'image', name: file.name, mimeType: file.mimeType, base64: file.base64 }];
  if (file.kind === 'unreadable') return [];
  const name = nameOf(file);
  const text = withoutOurMarkup(file.text).replaceAll(FENCE, '‹');
  return [{ type: 'text', text: `<attachment name="${name}">\n${text}\n</attachment>` }];
};

/**
 * The person's message as the model reads it: the words, what others had said, what came with them, and what
 * the program knows.
 * `notes` are what plugins add to it.
 */
export const userTurn = (ctx: PipelineMsgContext, notes: readonly string[] = []): ConversationMessage => {
  const earlier = earlierBlock(ctx);
  return {
    role: 'user',
    inboxIds: [ctx.inboxId, ...ctx.merged.map(({ inboxId }) => inboxId)],
    content: [
      { type: 'text', text: withoutOurMarkup(ctx.bodyForAgent) },
      ...(earlier === undefined ? [] : [{ type: 'text', text: earlier } as const]),
      ...ctx.attachments.flatMap(attachmentBlocks),
      { type: 'text', text: volatileContext(ctx, notes) },
    ],
  };
};

/** What the person wrote while the turn was running. */
export const steeringTurn = ({ inboxId, body }: MergedMessage): ConversationMessage => ({
  role: 'user',
  inboxIds: [inboxId],
  content: [{ type: 'text', text: withoutOurMarkup(body) }],
});

/** Of the messages that belong to a turn, those whose words are not in it: a crash came in between. */
export const missingIn = (
  turn: readonly ConversationMessage[],
  merged: readonly MergedMessage[],
): readonly MergedMessage[] => {
  const present = new Set(turn.flatMap(({ inboxIds }) => inboxIds ?? []));
  return merged.filter(({ inboxId }) => !present.has(inboxId));
};

/** Whether the model has to see to answer. */
export const needsVision = (message: ConversationMessage): boolean =>
  message.content.some((block) => block.type === 'image');

/** The conversation with its newest pictures, for every request carries them again; of older ones, the name is left. */
export const withoutOldImages = (
  messages: readonly ConversationMessage[],
): readonly ConversationMessage[] => {
  let left = MAX_IMAGE_CHARS;
  let places = MAX_IMAGES;
  const keep = (block: ContentBlock): ContentBlock => {
    if (block.type !== 'image') return block;
    left -= block.base64.length;
    places -= 1;
    return left >= 0 && places >= 0 ? block : { type: 'text', text: `[An image from before, ${block.name}]` };
  };
  const keepIn = (message: ConversationMessage): ConversationMessage => {
    if (!needsVision(message)) return message;
    const content = message.content.toReversed().map(keep).toReversed();
    return content.every((block, index) => block === message.content[index])
      ? message
      : { ...message, content };
  };
  if (!messages.some(needsVision)) return messages;
  return messages.toReversed().map(keepIn).toReversed();
};
