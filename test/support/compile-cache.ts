import { join } from 'node:path';

/** For processes that a test starts: what was compiled once need not be compiled by each of them. */
export const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node');
