import { isGiven, problem } from './check.ts';
import type { Problem } from './errors.ts';
import type { IssuedItems, IssuedReasoning } from './issued-items.ts';
import type { JsonRecord } from './types.ts';

const quote = (value: unknown): string => String(value);

/** No id twice: a client that sends an item again has lost track of its transcript. */
const checkIds = (items: readonly JsonRecord[]): Problem | undefined => {
  const ids = items.flatMap(({ id }) => (isGiven(id) ? [id] : []));
  const again = ids.find((id, index) => ids.indexOf(id) !== index);
  return again === undefined ? undefined : problem(`Duplicate item found with id ${quote(again)}.`, 'input');
};

const checkCalls = (items: readonly JsonRecord[]): Problem | undefined => {
  const places = (type: string): Map<unknown, number> =>
    new Map(items.flatMap((item, index) => (item['type'] === type ? [[item['call_id'], index]] : [])));
  const calls = places('function_call');
  const outputs = places('function_call_output');
  for (const [callId, index] of calls) {
    if ((outputs.get(callId) ?? -1) < index) {
      return problem(`No tool output found for function call ${quote(callId)}.`, 'input');
    }
  }
  const orphan = [...outputs.keys()].find((callId) => !calls.has(callId));
  if (orphan === undefined) return undefined;
  return problem(`No tool call found for function call output with call_id ${quote(orphan)}.`, 'input');
};

const belongs = (item: JsonRecord | undefined, { next }: IssuedReasoning): boolean => {
  if (!item || !next || (item['type'] ?? 'message') !== next.type) return false;
  if (next.type === 'message') return item['role'] === 'assistant';
  return item['call_id'] === next.callId;
};

/** A reasoning item is a ticket: only the server can issue it, and it is good for one place in the transcript. */
const checkReasoning = (
  items: readonly JsonRecord[],
  isStored: boolean,
  issued: IssuedItems,
): Problem | undefined => {
  for (const [index, item] of items.entries()) {
    if (item['type'] !== 'reasoning') continue;
    const { id, encrypted_content: encrypted } = item;
    const path = `input[${String(index)}]`;
    const known = isGiven(encrypted) ? issued.byEncrypted(encrypted) : issued.byId(id);
    if (!isGiven(encrypted) && !(isStored && known?.isStored === true)) {
      const hint = isStored ? '' : ' Items are not persisted when `store` is set to false.';
      return problem(`Item with id '${quote(id)}' not found.${hint}`, path);
    }
    if (!known) {
      return problem(
        `The encrypted content for item ${quote(id)} could not be verified.`,
        null,
        'invalid_encrypted_content',
      );
    }
    if (known.id !== id) {
      return problem(
        'Encrypted content item_id did not match the target item id.',
        null,
        'invalid_encrypted_content',
      );
    }
    if (!belongs(items[index + 1], known)) {
      return problem(
        `Item '${quote(id)}' of type 'reasoning' was provided without its required following item.`,
        'input',
      );
    }
  }
  return undefined;
};

/** The other way round: an item that is sent back under its id brings its reasoning along. */
const checkReasoned = (items: readonly JsonRecord[], issued: IssuedItems): Problem | undefined => {
  for (const [index, item] of items.entries()) {
    const reasoning = issued.before(item['id']);
    if (reasoning && items[index - 1]?.['id'] !== reasoning.id) {
      return problem(
        `Item '${quote(item['id'])}' of type '${quote(item['type'])}' was provided without its required 'reasoning' item: '${reasoning.id}'.`,
        'input',
      );
    }
  }
  return undefined;
};

/** What must stand where in the input, and beside what. */
export const checkItemOrder = (
  items: readonly JsonRecord[],
  isStored: boolean,
  issued: IssuedItems,
): Problem | undefined =>
  checkIds(items) ??
  checkReasoning(items, isStored, issued) ??
  checkReasoned(items, issued) ??
  checkCalls(items);
