import type { Tool } from '#src/kernel/agent/tool.ts';

/** A tool of a feature by its name. */
export const toolOf = <Deps>(
  { tools }: { readonly tools: Readonly<Record<string, (deps: Deps) => Tool>> },
  name: string,
  deps: NoInfer<Deps>,
): Tool => {
  const create = tools[name];
  if (!create) throw new Error(`There is no tool "${name}"`);
  return create(deps);
};
