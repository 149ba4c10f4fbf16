import { join } from 'node:path';
import {
  type ElementAccessExpression,
  type Node,
  type ObjectBindingPattern,
  type PropertyAccessExpression,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isBindingElement,
  isClassDeclaration,
  isElementAccessExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isSpreadAssignment,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  isTypeReferenceNode,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Program, type Symbol, type Type } from 'typescript/unstable/sync';

/** A member of an exported type or class, and its place. */
export interface Member {
  readonly file: string;
  readonly line: number;
  readonly owner: string;
  readonly name: string;
}

interface Declared extends Omit<Member, 'owner'> {
  /** Undefined for a type that is not exported. Its members are never reported, but reading them counts. */
  readonly owner: string | undefined;
  readonly key: string;
  readonly ownerNode: Node;
}

/** The declarations and names that are read. Members of spread objects are matched by name only. */
interface Reads {
  readonly keys: Set<string>;
  readonly names: Set<string>;
  readonly spread: Set<string>;
}

const MEMBER_KINDS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.PropertySignature,
  SyntaxKind.MethodSignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
]);

const keysOf = (symbol: Symbol | undefined): readonly string[] =>
  (symbol?.declarations ?? []).map(({ path, index }) => `${path}#${index}`);

/** `x.a = 1` writes the member; everything else reads it. */
const isWrite = (node: PropertyAccessExpression): boolean =>
  isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind === SyntaxKind.EqualsToken;

const isExported = (node: Node): boolean =>
  'modifiers' in node &&
  ((node.modifiers ?? []) as readonly Node[]).some(({ kind }) => kind === SyntaxKind.ExportKeyword);

/** The exported declaration that a member belongs to. A literal inside of `Extract<…>` only picks among others. */
const exportedOwner = (member: Node): string | undefined => {
  const inner = member.parent;
  if (isTypeLiteralNode(inner) && isTypeReferenceNode(inner.parent)) return undefined;
  let node: Node | undefined = inner;
  while (
    node &&
    !isInterfaceDeclaration(node) &&
    !isTypeAliasDeclaration(node) &&
    !isClassDeclaration(node)
  ) {
    if (node.kind === SyntaxKind.SourceFile || node.kind === SyntaxKind.ObjectLiteralExpression)
      return undefined;
    node = node.parent;
  }
  if (!node || !isExported(node)) return undefined;
  return node.name && isIdentifier(node.name) ? node.name.text : undefined;
};

class Survey {
  readonly #checker: Checker;
  readonly #program: Program;
  readonly #types = new Map<Node, Type | undefined>();

  constructor(checker: Checker, program: Program) {
    this.#checker = checker;
    this.#program = program;
  }

  readsIn(fileNames: readonly string[]): Reads {
    const reads: Reads = { keys: new Set(), names: new Set(), spread: new Set() };
    for (const fileName of fileNames) this.#addReads(fileName, reads);
    return reads;
  }

  #addReads(fileName: string, reads: Reads): void {
    const named: Node[] = [];
    const indexed: ElementAccessExpression[] = [];
    const patterns: ObjectBindingPattern[] = [];
    const spread: Node[] = [];
    const visit = (node: Node): void => {
      if (isPropertyAccessExpression(node)) {
        if (!isWrite(node)) {
          named.push(node.name);
          reads.names.add(node.name.text);
        }
      } else if (isElementAccessExpression(node)) {
        if (isStringLiteral(node.argumentExpression)) {
          named.push(node.argumentExpression);
          reads.names.add(node.argumentExpression.text);
        } else indexed.push(node);
      } else if (isObjectBindingPattern(node)) patterns.push(node);
      else if (isSpreadAssignment(node)) spread.push(node.expression);
      node.forEachChild(visit);
    };
    this.#program.getSourceFile(fileName)?.forEachChild(visit);

    for (const symbol of this.#symbolsAt(named)) for (const key of keysOf(symbol)) reads.keys.add(key);
    for (const type of this.#typesAt(spread)) this.#addSpread(type, reads);
    this.#typesAt(patterns).forEach((type, at) => {
      for (const element of patterns[at]?.elements ?? []) {
        if (!type || !isBindingElement(element)) continue;
        if (element.dotDotDotToken) this.#addSpread(type, reads);
        else this.#addProperty(type, element.propertyName ?? element.name, reads);
      }
    });
    const keys = this.#typesAt(indexed.map(({ argumentExpression }) => argumentExpression));
    this.#typesAt(indexed.map(({ expression }) => expression)).forEach((type, at) => {
      const key = keys[at];
      // The key may be a type parameter that extends the literals.
      const names = literalsOf(key && (this.#checker.getBaseConstraintOfType(key) ?? key));
      for (const name of names) if (type) this.#addNamed(type, name, reads);
    });
  }

  #symbolsAt(nodes: readonly Node[]): readonly (Symbol | undefined)[] {
    return nodes.length === 0 ? [] : this.#checker.getSymbolAtLocation(nodes);
  }

  #typesAt(nodes: readonly Node[]): readonly (Type | undefined)[] {
    return nodes.length === 0 ? [] : this.#checker.getTypeAtLocation(nodes);
  }

  #addProperty(type: Type, name: Node | undefined, reads: Reads): void {
    if (name && (isIdentifier(name) || isStringLiteral(name))) this.#addNamed(type, name.text, reads);
  }

  #addNamed(type: Type, name: string, reads: Reads): void {
    reads.names.add(name);
    for (const key of keysOf(this.#checker.getPropertyOfType(type, name))) reads.keys.add(key);
  }

  #addSpread(type: Type | undefined, reads: Reads): void {
    const there = type && (this.#checker.getNonNullableType(type) ?? type);
    if (!there) return;
    for (const property of this.#checker.getPropertiesOfType(there))
      for (const key of keysOf(property)) reads.spread.add(key);
  }

  declaredIn(fileNames: readonly string[]): readonly Declared[] {
    return fileNames.flatMap((fileName) => {
      const file = this.#program.getSourceFile(fileName);
      const found: { readonly node: Node; readonly name: Node & { text: string } }[] = [];
      const visit = (node: Node): void => {
        if (MEMBER_KINDS.has(node.kind) && 'name' in node) {
          const name = node.name as Node;
          if (isIdentifier(name)) found.push({ node, name });
        }
        node.forEachChild(visit);
      };
      file?.forEachChild(visit);
      const symbols = this.#symbolsAt(found.map(({ name }) => name));
      return found.flatMap(({ node, name }, at) => {
        const [key] = keysOf(symbols[at]);
        if (key === undefined || !file) return [];
        const line = file.text.slice(0, name.end).split('\n').length;
        return [
          { file: fileName, line, owner: exportedOwner(node), name: name.text, key, ownerNode: node.parent },
        ];
      });
    });
  }

  #ownerType({ ownerNode: node }: Declared): Type | undefined {
    return this.#types.getOrInsertComputed(node, () => {
      if (isTypeLiteralNode(node)) return this.#checker.getTypeFromTypeNode(node);
      const name = 'name' in node ? (node.name as Node | undefined) : undefined;
      const symbol = name && this.#checker.getSymbolAtLocation(name);
      return symbol && this.#checker.getDeclaredTypeOfSymbol(symbol);
    });
  }

  /** Whether code reads the member through another type that is assignable to or from its owner. */
  isReadThrough(member: Declared, others: readonly Declared[]): boolean {
    const type = this.#ownerType(member);
    if (!type) return false;
    return others.some((other) => {
      const otherType = this.#ownerType(other);
      return (
        otherType !== undefined &&
        (this.#checker.isTypeAssignableTo(type, otherType) ||
          this.#checker.isTypeAssignableTo(otherType, type))
      );
    });
  }

  /** A library calls what its own interface or base class names. */
  isOfLibrary({ ownerNode, name, file }: Declared): boolean {
    if (!isClassDeclaration(ownerNode)) return false;
    const bases = (ownerNode.heritageClauses ?? []).flatMap(({ types }) => [...types]);
    return this.#typesAt(bases).some((type) => {
      const property = type && this.#checker.getPropertyOfType(type, name);
      return (
        property?.declarations.some(({ path }) => path.includes('/node_modules/') && path !== file) ?? false
      );
    });
  }
}

const literalsOf = (type: Type | undefined): readonly string[] => {
  if (!type) return [];
  if (type.isUnionType()) return type.getTypes().flatMap(literalsOf);
  return type.isStringLiteralType() ? [type.value] : [];
};

export interface MemberSearch {
  /** The folder that holds `tsconfig.json`. */
  readonly root: string;
  /** The folders below the root whose members are checked, and whose reads count. */
  readonly folders: readonly string[];
}

/**
 * Members of exported types and classes that no code of these folders reads: by name, by destructuring, by a key that
 * is one of several literals, or through another type. What is spread counts as read where anything of that name is.
 */
export const findUnreadMembers = ({ root, folders }: MemberSearch): readonly Member[] => {
  const api = new API();
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (!project) throw new Error(`${root} has no tsconfig.json`);
    const isOurs = (fileName: string): boolean =>
      folders.some((folder) => fileName.startsWith(`${join(root, folder)}/`));
    const files = project.program.getSourceFileNames().filter(isOurs);
    if (files.length === 0) throw new Error(`${root} has no sources in ${folders.join(', ')}`);
    const survey = new Survey(project.checker, project.program);
    const reads = survey.readsIn(files);
    const declared = survey.declaredIn(files);
    const readByName = Map.groupBy(
      declared.filter(({ key }) => reads.keys.has(key)),
      ({ name }) => name,
    );
    return declared.filter(
      (member): member is Declared & Member =>
        member.owner !== undefined &&
        !reads.keys.has(member.key) &&
        !(reads.spread.has(member.key) && reads.names.has(member.name)) &&
        !survey.isReadThrough(member, readByName.get(member.name) ?? []) &&
        !survey.isOfLibrary(member),
    );
  } finally {
    api.close();
  }
};
