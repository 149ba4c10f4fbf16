import { join } from 'node:path';

/** Always the same place, because the compile cache knows files by their path. */
export const BUNDLES = join(import.meta.dirname, '../../node_modules/.cache/bundled-programs');

/** Programs of `test/fakes` that tests start often. */
export const BUNDLED = ['platform-process', 'platform-bot-process', 'dying-bot-process'] as const;

export const bundledProgram = (name: (typeof BUNDLED)[number]): string => join(BUNDLES, `${name}.mjs`);
