import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The plugin that the documents show, as people copy it. */
export const examplePlugin = (): string => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'tools-and-approvals.md'), 'utf8');
  const [, source] = /```js\n(export default \{\n {2}name: 'lucky'[^]*?)```/.exec(page) ?? [];
  if (source === undefined) throw new Error('docs/tools-and-approvals.md shows no plugin called lucky');
  return source;
};
