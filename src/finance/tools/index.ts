import type { Tool } from '#src/core/tool.ts';
import { getQuote, type GetQuoteDeps } from './get-quote.ts';

/** What the model can call, by name: the order is part of the cached prompt. */
export const createFinanceTools = (deps: GetQuoteDeps): readonly Tool[] => [getQuote(deps)];
