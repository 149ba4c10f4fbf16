import type { ServerResponse } from 'node:http';

export type YahooEndpoint = 'cookie' | 'crumb' | 'quote' | 'chart' | 'search' | 'quoteSummary';

export type YahooFault =
  /** A body of Yahoo's kind, unless one is given. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly body?: string;
    }
  /** Never answers. */
  | { readonly kind: 'hang' }
  /** Answers when the test says so. */
  | { readonly kind: 'wait'; readonly until: Promise<unknown> }
  /** Half of the answer, then the connection breaks. */
  | { readonly kind: 'cut' }
  /** Breaks the connection before a word. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'html' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Another body in the place of the right one: wrong shapes. */
  | { readonly kind: 'change'; readonly change: (body: unknown) => unknown };

const WORDS: ReadonlyMap<number, string> = new Map([
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
]);

export const errorBody = (name: string, code: string, description: string): unknown => ({
  [name]: { result: null, error: { code, description } },
});

const endWith = (response: ServerResponse, status: number, type: string, body: string): void =>
  void response.writeHead(status, { 'content-type': type }).end(body);

const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  endWith(response, status, 'application/json;charset=utf-8', JSON.stringify(body));

/** Plays a fault; `answer` is what would have been said. */
export const playFault = (
  fault: Exclude<YahooFault, { readonly kind: 'wait' }>,
  response: ServerResponse,
  answer: unknown,
): void => {
  switch (fault.kind) {
    case 'status': {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter);
      const words = WORDS.get(fault.status) ?? 'Error';
      if (fault.body !== undefined) return endWith(response, fault.status, 'text/html', fault.body);
      // Those who ask too often get plain words.
      if (fault.status === 429) return endWith(response, 429, 'text/html', `${words}\r\n`);
      return sendJson(response, fault.status, errorBody('finance', words, words));
    }
    case 'hang':
      return undefined;
    case 'cut': {
      const text = JSON.stringify(answer);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return undefined;
    }
    case 'drop':
      return void response.destroy();
    case 'html':
      return endWith(response, 200, 'text/html', '<!DOCTYPE html><html>Will be right back</html>');
    case 'redirect':
      return void response.writeHead(302, { location: fault.to }).end();
    case 'change':
      return sendJson(response, 200, fault.change(answer));
    default:
      return fault satisfies never;
  }
};
