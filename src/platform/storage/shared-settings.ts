/** Something that every process on a database has a copy of, and that any of them may change: settings, files. */
export interface SharedSettings {
  /** Tells the other processes to read them again. Never rejects. */
  readonly changed: () => Promise<void>;
  /** Calls `reload` when they were changed, and when that may have gone unheard. */
  readonly onChanged: (reload: () => Promise<void>) => void;
}
