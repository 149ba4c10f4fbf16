import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The plugin that the README shows, as people will copy it. */
export const readmePlugin = (): string => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  const [, source] = /```js\n(export default \{\n {2}name: 'lucky'[^]*?)```/.exec(readme) ?? [];
  if (source === undefined) throw new Error('The README shows no plugin called lucky');
  return source;
};
