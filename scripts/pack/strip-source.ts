import { stripTypeScriptTypes } from 'node:module';
import { parseSync } from 'oxc-parser';

export interface Stripped {
  readonly code: string;
  /** The specifiers of its imports, and the addresses of its threads, as they stand in `code`. */
  readonly imports: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const SOURCE_FILE = /^(?:\.{1,2}|#\w+)\/.*\.ts$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nameOf = (node: unknown): unknown =>
  isNode(node) && node.type === 'Identifier' ? node['name'] : undefined;

/** `import … from 'x'`, `export … from 'x'`, `import('x')` and `new URL('x', import.meta.url)`. */
const specifierOf = (node: Node): Node | undefined => {
  if (/^(?:Import|Export\w*)(?:All|Named)?(?:Declaration|Expression)$/.test(node.type))
    return isNode(node['source']) && node['source'].type === 'Literal' ? node['source'] : undefined;
  if (node.type !== 'NewExpression' || nameOf(node['callee']) !== 'URL') return undefined;
  const [path, base] = node['arguments'] as readonly unknown[];
  const isOfModule = isNode(base) && isNode(base['object']) && base['object'].type === 'MetaProperty';
  return isOfModule && isNode(path) && path.type === 'Literal' ? path : undefined;
};

const textsOf = (node: Node): readonly unknown[] => {
  if (node.type === 'Literal') return [node['value']];
  return node.type === 'TemplateElement' ? [(node['value'] as { readonly cooked: string }).cooked] : [];
};

/**
 * The JavaScript of a module. Types become spaces, so that lines and columns stay, and `.ts` becomes `.js` where the
 * module names another one. `vendored` names the files that replace packages. Throws where a module is named in another
 * way, because the package would look for a file that it does not have.
 */
export const stripSource = (
  path: string,
  source: string,
  vendored: (specifier: string) => string | undefined = () => undefined,
): Stripped => {
  const code = stripTypeScriptTypes(source, { mode: 'strip' });
  const { program, errors } = parseSync(path.replace(/\.ts$/, '.js'), code, { sourceType: 'module' });
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const specifiers = new Set<Node>();
  const unknown: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const specifier = specifierOf(value);
    if (specifier) specifiers.add(specifier);
    if (!specifiers.has(value))
      unknown.push(...textsOf(value).filter((text): text is string => SOURCE_FILE.test(String(text))));
    Object.values(value).forEach(visit);
  };
  visit(program);
  if (unknown.length > 0) throw new Error(`${path} names ${unknown.join(', ')} other than in an import`);

  const imports: string[] = [];
  let stripped = '';
  let end = 0;
  for (const node of [...specifiers].toSorted((a, b) => a.start - b.start)) {
    const named = String(node['value']);
    const specifier = vendored(named) ?? (SOURCE_FILE.test(named) ? named.replace(/\.ts$/, '.js') : named);
    imports.push(specifier);
    stripped += `${code.slice(end, node.start)}'${specifier}'`;
    end = node.end;
  }
  return { code: stripped + code.slice(end), imports };
};
