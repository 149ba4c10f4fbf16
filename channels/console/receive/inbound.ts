import type { Readable } from 'node:stream';
import type { Locale } from '#src/kernel/locale.ts';
import {
  type AccountId,
  asId,
  type ChatId,
  type EventId,
  type MessageId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { MsgContext, MediaAttachment } from '#src/kernel/chat/message.ts';
import { TERMINAL } from '#src/kernel/chat/terminal.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';

/** The one person at this terminal. */
export const LOCAL_SENDER = {
  channelId: TERMINAL,
  accountId: asId<AccountId>('local'),
  chatId: asId<ChatId>('terminal'),
  chatType: 'direct',
  senderId: asId<UserId>('local'),
  senderRoles: [],
} as const;

/** Every line is a message of the one local user in the one local chat. */
export const toInboundMessage = (
  body: string,
  media: readonly MediaAttachment[],
  locale: Locale | undefined,
  clock: Clock,
): MsgContext => {
  const id = newId<EventId>();
  return {
    id,
    messageId: asId<MessageId>(id),
    ...LOCAL_SENDER,
    senderName: 'you',
    isFromSelf: false,
    body,
    ...(media.length > 0 ? { media } : {}),
    ...(locale ? { locale } : {}),
    timestamp: clock.now(),
  };
};

export type InputLine =
  | { readonly status: 'ok'; readonly text: string }
  | { readonly status: 'invalid-utf8'; readonly lineNumber: number };

const LINE_FEED = 0x0a;
/** The rest of a longer line is dropped; a gate refuses much shorter messages and tells their sender. */
const MAX_LINE_BYTES = 1_048_576;

/** The lines of a pipe, decoded strictly: invalid bytes are reported. */
export async function* readLines(input: Readable): AsyncGenerator<InputLine> {
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let lineNumber = 0;

  const hold = (bytes: Buffer): void => {
    const room = MAX_LINE_BYTES - heldBytes;
    if (room <= 0) return;
    pieces.push(bytes.subarray(0, room));
    heldBytes += Math.min(bytes.length, room);
  };
  const finishLine = (): InputLine => {
    lineNumber += 1;
    const bytes = Buffer.concat(pieces);
    const isWhole = heldBytes < MAX_LINE_BYTES;
    pieces = [];
    heldBytes = 0;
    try {
      // A line that we cut may end inside a character.
      const text = new TextDecoder('utf-8', { fatal: isWhole }).decode(bytes);
      return { status: 'ok', text: text.replace(/\r$/, '') };
    } catch {
      return { status: 'invalid-utf8', lineNumber };
    }
  };

  for await (const chunk of input as AsyncIterable<Buffer | string>) {
    let rest: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      hold(rest.subarray(0, end));
      yield finishLine();
      rest = rest.subarray(end + 1);
    }
    hold(rest);
  }
  if (heldBytes > 0) yield finishLine();
}
