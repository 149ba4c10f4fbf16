const LINE_ENDS = /\r\n?/g;

/** The data of one server-sent event. Its name is not read: the data names its type too. */
const parseBlock = (block: string): string | undefined => {
  let data: string | undefined;
  for (const line of block.split('\n')) {
    if (!line.startsWith('data:')) continue;
    const value = line.charCodeAt(5) === 32 ? line.slice(6) : line.slice(5);
    data = data === undefined ? value : `${data}\n${value}`;
  }
  return data === '' ? undefined : data;
};

/**
 * Takes a body apart, however its bytes are cut. An event is one only when a blank line has closed it: what
 * a body ends with was cut off, and never comes out.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** The data of the events that these bytes completed. */
  push(bytes: Uint8Array): readonly string[] {
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
    const events: string[] = [];
    for (const block of text.slice(0, end).split('\n\n')) {
      const event = parseBlock(block);
      if (event !== undefined) events.push(event);
    }
    return events;
  }
}
