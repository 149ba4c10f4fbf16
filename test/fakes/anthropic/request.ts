import type { IncomingMessage } from 'node:http';
import { isFields, isList } from './shape.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly apiKey: string;
  readonly hasVersion: boolean;
  /** As parsed; `undefined` without a body or where it was no JSON. */
  readonly body: unknown;
  readonly jsonProblem: string | undefined;
}

const keyOf = ({ headers }: IncomingMessage): string => {
  const plain = headers['x-api-key'];
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? (typeof plain === 'string' ? plain : '');
};

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (isList(value)) return value.every(isWellFormed);
  return !isFields(value) || Object.entries(value).every((entry) => entry.every(isWellFormed));
};

const parse = (bytes: Buffer): Pick<ReceivedRequest, 'body' | 'jsonProblem'> => {
  if (bytes.length === 0) return { body: undefined, jsonProblem: undefined };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const body: unknown = JSON.parse(text);
    // JavaScript reads half of a pair of surrogates; the API does not. Only an escape can bring one here.
    return /\\ud[89a-f]/i.test(text) && !isWellFormed(body)
      ? { body, jsonProblem: 'The request body is not valid JSON: no low surrogate in string' }
      : { body, jsonProblem: undefined };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    return { body: undefined, jsonProblem: `The request body is not valid JSON: ${reason}` };
  }
};

/** The whole request; rejects where the client goes before it is there. */
export const receive = async (request: IncomingMessage): Promise<ReceivedRequest> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return {
    method: request.method ?? '',
    path: new URL(request.url ?? '/', 'http://localhost').pathname,
    apiKey: keyOf(request),
    hasVersion: request.headers['anthropic-version'] !== undefined,
    ...parse(Buffer.concat(chunks)),
  };
};
