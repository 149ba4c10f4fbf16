/** One server-sent event: its name (empty where the stream names none) and its data. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

const parseBlock = (block: string): SseEvent | undefined => {
  let event = '';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) {
      const value = line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5);
      data = data === '' ? value : `${data}\n${value}`;
    } else if (line.startsWith('event:')) event = line.slice(6).trim();
  }
  return data === '' ? undefined : { event, data };
};

/**
 * The events of a response body, as many at a time as one read brought. What the body ends with and no
 * blank line closes was cut off, and is left out. `onBytes` hears of every read: a stream that is silent
 * for too long is given up by whoever listens there.
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<readonly SseEvent[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line end: it waits for what follows.
      const isHalf = rest.endsWith('\r');
      const text = (isHalf ? rest.slice(0, -1) : rest).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
      const end = text.lastIndexOf('\n\n');
      if (end < 0) {
        rest = isHalf ? `${text}\r` : text;
        continue;
      }
      rest = text.slice(end + 2) + (isHalf ? '\r' : '');
      const events: SseEvent[] = [];
      for (const block of text.slice(0, end).split('\n\n')) {
        const event = parseBlock(block);
        if (event) events.push(event);
      }
      if (events.length > 0) yield events;
    }
  } finally {
    // Whoever stops reading early lets go of the connection too.
    await reader.cancel().catch(() => undefined);
  }
}
