import type { PipelineMsgContext, ReadAttachment } from '#src/core/execution.ts';
import { type ContentBlock, type ConversationMessage, MAX_IMAGE_CHARS } from '#src/core/model.ts';
import { withoutOurMarkup } from '#src/core/text.ts';

/** The beginning of what could end the fence of a file early. */
const FENCE = /<(?=[\s/]*attachment)/gi;

/** The name of a file comes from outside: one line of it, without quotes. */
const nameOf = ({ name }: { readonly name: string }): string =>
  withoutOurMarkup(name)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}"]+/gu, ' ')
    .replaceAll(FENCE, '‹');

/** What changes from turn to turn (time, markets), behind the person's own words and apart from them. */
const volatileContext = (ctx: PipelineMsgContext): string => {
  const now = ctx.timestamp.toZonedDateTimeISO(ctx.timeZone).toString({ smallestUnit: 'minute' });
  const markets = (ctx.marketSession ?? []).map((session) => `${session.market}: ${session.state}`);
  const unreadable = ctx.attachments.flatMap((file) =>
    file.kind === 'unreadable' ? [`attached, but not readable: ${nameOf(file)} (${file.reason})`] : [],
  );
  return [
    '<context>',
    `time: ${now}`,
    `language: ${ctx.locale}`,
    ...markets,
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

/** The person's message as the model reads it: the words, what came with them, and what the program knows. */
export const userTurn = (ctx: PipelineMsgContext): ConversationMessage => ({
  role: 'user',
  content: [
    { type: 'text', text: withoutOurMarkup(ctx.bodyForAgent) },
    ...ctx.attachments.flatMap(attachmentBlocks),
    { type: 'text', text: volatileContext(ctx) },
  ],
});

/** Whether the model has to see to answer. */
export const needsVision = (message: ConversationMessage): boolean =>
  message.content.some((block) => block.type === 'image');

/** The conversation with its newest pictures, for every request carries them again; of older ones, the name is left. */
export const withoutOldImages = (
  messages: readonly ConversationMessage[],
): readonly ConversationMessage[] => {
  let left = MAX_IMAGE_CHARS;
  const keep = (block: ContentBlock): ContentBlock => {
    if (block.type !== 'image') return block;
    left -= block.base64.length;
    return left >= 0 ? block : { type: 'text', text: `[An image from before, ${block.name}]` };
  };
  if (!messages.some(needsVision)) return messages;
  return messages
    .toReversed()
    .map((message) => ({ ...message, content: message.content.toReversed().map(keep).toReversed() }))
    .toReversed();
};
