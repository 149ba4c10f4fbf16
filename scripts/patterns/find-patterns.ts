import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A node of the syntax tree, with its parent. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly parent: Node | undefined;
  readonly [field: string]: unknown;
}

export interface Literal {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** A call of the `RegExp` constructor. Loading its module shows what it builds. */
export interface Construction {
  readonly place: string;
  readonly code: string;
  /** The reason why loading the modules may not show every pattern that it builds. */
  readonly problem: string | undefined;
}

export interface FoundPatterns {
  readonly files: readonly string[];
  readonly literals: readonly Literal[];
  readonly constructions: readonly Construction[];
  /** Other uses of RegExp, whose patterns cannot be seen. */
  readonly problems: readonly string[];
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly Node[];
}

const FOLDERS = ['src', 'channels', 'commands'] as const;
/** Methods that run their callback at once. */
const RUNS_AT_ONCE: ReadonlySet<string> = new Set(
  'map flatMap filter find findIndex findLast some every reduce forEach from toSorted'.split(' '),
);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const fieldOf = (node: Node | undefined, name: string): Node | undefined => {
  const value = node?.[name];
  return isNode(value) ? value : undefined;
};
const nameOf = (node: Node | undefined): string => (node?.type === 'Identifier' ? String(node['name']) : '');

const nodesOf = (path: string, text: string): readonly Node[] => {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const nodes: Node[] = [];
  const visit = (value: unknown, parent: Node | undefined): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, parent);
    if (!isNode(value)) return;
    const fields = Object.entries(value);
    const node: Node = Object.assign(value, { parent });
    nodes.push(node);
    for (const [, field] of fields) visit(field, node);
  };
  visit(program, undefined);
  return nodes;
};

const readSources = (root: string): readonly SourceFile[] =>
  FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, nodes: nodesOf(path, text) };
    });

const placeOf = ({ path, text }: SourceFile, { start }: Node): string =>
  `${path}:${text.slice(0, start).split('\n').length}`;

const isFunction = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration';

const isCallTo = (node: Node | undefined, callee: Node): boolean =>
  (node?.type === 'CallExpression' || node?.type === 'NewExpression') && node['callee'] === callee;

/** `#src/x.ts` and `./x.ts` as paths below the root. */
const resolved = (from: string, specifier: string): string =>
  specifier.startsWith('#') ? specifier.slice(1) : join(dirname(from), specifier);

const isInType = (node: Node): boolean => {
  for (let at: Node | undefined = node.parent; at; at = at.parent) if (at.type.startsWith('TS')) return true;
  return false;
};

/**
 * Checks that code runs only while its module is loaded. Code in a named function does if every call of that function
 * does, here and in other modules. Returns the reason where it does not.
 */
const createLoadRule = (files: readonly SourceFile[]) => {
  const checked = new Map<string, string | undefined>();

  const usesOf = (
    file: SourceFile,
    name: string,
  ): readonly { readonly file: SourceFile; readonly use: Node }[] =>
    files.flatMap((other) => {
      const local =
        other === file
          ? name
          : other.nodes.flatMap((node) => {
              if (node.type !== 'ImportSpecifier' || nameOf(fieldOf(node, 'imported')) !== name) return [];
              const from = fieldOf(node.parent, 'source')?.['value'];
              return resolved(other.path, String(from)) === file.path ? [nameOf(fieldOf(node, 'local'))] : [];
            })[0];
      if (local === undefined) return [];
      return other.nodes
        .filter((node) => nameOf(node) === local && !/^(?:Import|Export)/u.test(node.parent?.type ?? ''))
        .filter(
          ({ parent, start }) => fieldOf(parent, 'id')?.start !== start && !(parent && isKey(parent, start)),
        )
        .map((use) => ({ file: other, use }));
    });

  const problemOfName = (file: SourceFile, name: string): string | undefined => {
    const key = `${file.path} ${name}`;
    if (checked.has(key)) return checked.get(key);
    checked.set(key, undefined);
    const problem = usesOf(file, name)
      .map(({ file: other, use }) =>
        isCallTo(use.parent, use)
          ? problemOf(other, use)
          : `${name} is handed on in ${placeOf(other, use)}, so its calls cannot be followed`,
      )
      .find((each) => each !== undefined);
    checked.set(key, problem);
    return problem;
  };

  const problemOf = (file: SourceFile, node: Node): string | undefined => {
    for (let at = node.parent; at; at = at.parent) {
      if (at.type.startsWith('Method') || at.type.startsWith('PropertyDefinition'))
        return `runs later, in a class in ${placeOf(file, at)}`;
      if (!isFunction(at)) continue;
      const { parent } = at;
      const method = nameOf(fieldOf(fieldOf(parent, 'callee'), 'property'));
      if (parent?.type === 'CallExpression' && RUNS_AT_ONCE.has(method)) continue;
      const name = nameOf(fieldOf(at.type === 'FunctionDeclaration' ? at : parent, 'id'));
      if (name === '') return `runs later, in the function in ${placeOf(file, at)}`;
      return problemOfName(file, name);
    }
    return undefined;
  };
  return problemOf;
};

/** `{ name: … }` and `x.name` do not use the variable of that name. */
const isKey = (parent: Node, start: number): boolean =>
  (/^(?:TSPropertySignature|Property)$/u.test(parent.type) &&
    fieldOf(parent, 'key')?.start === start &&
    parent['shorthand'] !== true) ||
  (parent.type === 'MemberExpression' &&
    fieldOf(parent, 'property')?.start === start &&
    parent['computed'] !== true);

/** Every pattern that the program's own code has: written as literals, and built by the constructor. */
export const findPatterns = (root: string): FoundPatterns => {
  const files = readSources(root);
  const problemOf = createLoadRule(files);
  const literals: Literal[] = [];
  const constructions: Construction[] = [];
  const problems: string[] = [];
  for (const file of files)
    for (const node of file.nodes) {
      const regex = node['regex'] as { readonly pattern: string; readonly flags: string } | undefined;
      if (regex) literals.push({ place: placeOf(file, node), source: regex.pattern, flags: regex.flags });
      const { parent } = node;
      if (nameOf(node) === 'RegExp' && parent && !isInType(node)) {
        if (isCallTo(parent, node)) {
          const code = file.text.slice(parent.start, parent.end).replaceAll(/\s+/gu, ' ');
          constructions.push({ place: placeOf(file, parent), code, problem: problemOf(file, node) });
        } else if (parent.type !== 'BinaryExpression' && !isStaticMember(parent))
          problems.push(`${placeOf(file, node)} uses RegExp under another name`);
      }
      if (isBuiltByString(node))
        problems.push(`${placeOf(file, node)} gives a text to a method that makes a pattern of it`);
    }
  return { files: files.map(({ path }) => path), literals, constructions, problems };
};

/** `RegExp.escape`. */
const isStaticMember = (node: Node): boolean =>
  node.type === 'MemberExpression' && nameOf(fieldOf(node, 'object')) === 'RegExp';

/** `text.match('a+')`. */
const isBuiltByString = (node: Node): boolean => {
  if (node.type !== 'CallExpression') return false;
  const method = nameOf(fieldOf(fieldOf(node, 'callee'), 'property'));
  const first: unknown = Array.isArray(node['arguments']) ? node['arguments'][0] : undefined;
  const isText =
    isNode(first) &&
    (first.type === 'TemplateLiteral' || (first.type === 'Literal' && typeof first['value'] === 'string'));
  return ['match', 'matchAll', 'search'].includes(method) && isText;
};
