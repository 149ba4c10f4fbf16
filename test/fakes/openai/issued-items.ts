/** A reasoning item that a fake has sent, and what it stood before. */
export interface IssuedReasoning {
  readonly id: string;
  readonly encrypted?: string;
  /** Only what is stored can be sent back without its encrypted content. */
  readonly isStored: boolean;
  readonly next?: { readonly id: string; readonly type: string; readonly callId?: string };
}

/** What the server knows of its own output, and so can tell from what a client made up. */
export interface IssuedItems {
  readonly add: (item: IssuedReasoning) => void;
  readonly byId: (id: unknown) => IssuedReasoning | undefined;
  readonly byEncrypted: (encrypted: unknown) => IssuedReasoning | undefined;
  /** The reasoning that the message or call with this id followed. */
  readonly before: (id: unknown) => IssuedReasoning | undefined;
}

export const createIssuedItems = (): IssuedItems => {
  const byId = new Map<unknown, IssuedReasoning>();
  const byEncrypted = new Map<unknown, IssuedReasoning>();
  const before = new Map<unknown, IssuedReasoning>();
  return {
    add: (item) => {
      byId.set(item.id, item);
      if (item.encrypted !== undefined) byEncrypted.set(item.encrypted, item);
      if (item.next) before.set(item.next.id, item);
    },
    byId: (id) => byId.get(id),
    byEncrypted: (encrypted) => byEncrypted.get(encrypted),
    before: (id) => before.get(id),
  };
};
