import OpenAI, { BadRequestError } from 'openai';
import type { FakeOpenAi } from './server.ts';

export type Api = 'responses' | 'chat/completions';

export const clientOf = (fake: FakeOpenAi, apiKey = 'sk-test'): OpenAI =>
  new OpenAI({ apiKey, baseURL: fake.url, maxRetries: 0 });

/** How the API refused a body that the client's types would not let through; undefined when it did not. */
export const refusalOf = async (
  client: OpenAI,
  api: Api,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly message: string; readonly param: unknown; readonly code: unknown } | undefined> => {
  try {
    await client.post(`/${api}`, { body });
    return undefined;
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    return { message: error.message, param: error.param, code: error.code };
  }
};

/** All events of a stream, and what it threw at the end. */
export const collect = async <Event>(
  stream: AsyncIterable<Event>,
): Promise<{ readonly events: readonly Event[]; readonly error?: unknown }> => {
  const events: Event[] = [];
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events };
};
