import type { ProviderIds } from '#src/kernel/agent/model.ts';

/** Header names: Anthropic sends the first, OpenAI the second. */
const REQUEST_ID_HEADERS = ['request-id', 'x-request-id'];
/** Ids are stored, logged and shown, so their form is checked: a compatible server may send anything. */
const SAFE_ID = /^[\w.:-]{1,128}$/;

const safeId = (id: unknown): string | undefined =>
  typeof id === 'string' && SAFE_ID.test(id) ? id : undefined;

/** The request id from the response headers. */
export const requestIdIn = (header: (name: string) => unknown): string | undefined => {
  for (const name of REQUEST_ID_HEADERS) {
    const id = safeId(header(name));
    if (id !== undefined) return id;
  }
  return undefined;
};

/** The ids that a chunk carries. Missing and malformed ids are left out. */
export const idsOf = (requestId: string | undefined, responseId?: unknown): ProviderIds => {
  const safe = safeId(responseId);
  return {
    ...(requestId === undefined ? {} : { requestId }),
    ...(safe === undefined ? {} : { responseId: safe }),
  };
};

/** The ids of an answer that was not streamed. The SDKs add the request id as a property that is not enumerable. */
export const idsInAnswer = (raw: unknown): ProviderIds => {
  const { id, _request_id } = (raw ?? {}) as { readonly id?: unknown; readonly _request_id?: unknown };
  return idsOf(safeId(_request_id), id);
};
