/** One server-sent event: its name (empty where the stream names none) and its data. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

const LINE_ENDS = /\r\n?/g;

const parseBlock = (block: string): SseEvent | undefined => {
  let event = '';
  let data: string | undefined;
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) {
      const value = line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (line.startsWith('event:')) event = line.slice(6).trim();
  }
  return data === undefined || data === '' ? undefined : { event, data };
};

/**
 * Takes a body apart, however its bytes are cut. An event is one only when a blank line has closed it: what
 * a body ends with was cut off, and never comes out.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** The events that these bytes completed. */
  push(bytes: Uint8Array): readonly SseEvent[] {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    let half = '';
    if (text.includes('\r')) {
      // A carriage return at the end may be half of a line end: it waits for what follows.
      if (text.endsWith('\r')) half = '\r';
      text = text.slice(0, text.length - half.length).replaceAll(LINE_ENDS, '\n');
    }
    const end = text.lastIndexOf('\n\n');
    if (end < 0) {
      this.#rest = text + half;
      return [];
    }
    this.#rest = text.slice(end + 2) + half;
    const events: SseEvent[] = [];
    for (const block of text.slice(0, end).split('\n\n')) {
      const event = parseBlock(block);
      if (event) events.push(event);
    }
    return events;
  }
}
