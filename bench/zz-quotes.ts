import { createCommandRegistry } from '#src/chat/stages/command-registry.ts';
import { commandDefinitions } from '#commands/index.ts';
const registry = createCommandRegistry(
  commandDefinitions.map((definition) => ({
    definition,
    execute: async () => ({ content: '', ephemeral: false }),
  })),
);
for (const size of [2000, 4000, 8000, 16000, 32000]) {
  const text = '/portfolio ' + '"'.repeat(size);
  const t = performance.now();
  registry.commandIn(text);
  console.log(size, (performance.now() - t).toFixed(1));
}
