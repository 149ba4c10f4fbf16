import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Literal } from './find-patterns.ts';

/** Modules that start something when they are loaded. */
const PROGRAMS = /(?:^|\/)main\.ts$|-worker\.ts$/u;

/**
 * Loads every module and records the patterns that it builds with the `RegExp` constructor meanwhile, each with its place.
 * It must run before anything else loads the modules.
 */
export const collectBuilt = async (root: string, files: readonly string[]): Promise<readonly Literal[]> => {
  const built: Literal[] = [];
  const base = `${pathToFileURL(root).href}/`;
  const note = (pattern: RegExp): RegExp => {
    // The stack frame below this function and the trap of the proxy.
    const frame = new Error('where').stack?.split('\n')[3] ?? '';
    const at = frame.indexOf(base);
    const [path = '', line = ''] = at < 0 ? [] : frame.slice(at + base.length).split(':');
    if (files.includes(path))
      built.push({ place: `${path}:${line}`, source: pattern.source, flags: pattern.flags });
    return pattern;
  };
  const { RegExp: Original } = globalThis;
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args: [string, string?], newTarget) =>
      note(Reflect.construct(target, args, newTarget) as RegExp),
    apply: (target, self, args: [string, string?]) => note(Reflect.apply(target, self, args)),
  });
  try {
    for (const path of files) if (!PROGRAMS.test(path)) await import(pathToFileURL(join(root, path)).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return built;
};
