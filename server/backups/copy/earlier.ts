import type { IndexPart, StoredFile } from '../index-file'

/**
 * What earlier backups have in the same location, and what an interrupted one copied there. Keys must be asked for
 * in ascending order, because the indexes are read only as far as needed.
 */
export interface Earlier {
  /** Returns the files of a repository by path. */
  filesOf(key: string): Promise<Map<string, StoredFile>>
  /** Returns an object. */
  object(key: string): Promise<StoredFile | undefined>
  close(): Promise<void>
}

/** Reads indexes side by side. Of files whose piece is not there with its size, none is returned. */
export function readEarlier(
  indexes: readonly AsyncGenerator<IndexPart>[],
  present: ReadonlyMap<string, number>,
): Earlier {
  const readers = indexes.map(index => new Reader(index))
  const isThere = ([, , , piece, , size]: StoredFile): boolean => present.get(piece) === size
  return {
    async filesOf(key) {
      const files = new Map<string, StoredFile>()
      for (const reader of readers) {
        const part = await reader.advance(key, part =>
          'repository' in part ? part.repository.key : undefined,
        )
        if (!part || !('files' in part)) continue
        for (const file of part.files) if (isThere(file)) files.set(file[0], file)
      }
      return files
    },
    async object(key) {
      let found: StoredFile | undefined
      for (const reader of readers) {
        const part = await reader.advance(key, part => ('object' in part ? part.object[0] : undefined))
        if (part && 'object' in part && isThere(part.object)) found = part.object
      }
      return found
    },
    async close() {
      for (const reader of readers) await reader.close()
    },
  }
}

class Reader {
  private next: IndexPart | undefined
  private hasEnded = false

  constructor(private readonly parts: AsyncGenerator<IndexPart>) {}

  /** Skips to a key among the parts of one kind, and returns its part, if there is one. */
  async advance(key: string, keyOf: (part: IndexPart) => string | undefined): Promise<IndexPart | undefined> {
    for (;;) {
      this.next ??= await this.read()
      if (!this.next) return undefined
      const at = keyOf(this.next)
      if (at === undefined) {
        // Objects follow repositories, so a part of the other kind may be what is asked for next.
        if ('object' in this.next || 'move' in this.next) return undefined
      } else if (at === key) return this.next
      else if (at > key) return undefined
      this.next = undefined
    }
  }

  private async read(): Promise<IndexPart | undefined> {
    if (this.hasEnded) return undefined
    const { value, done } = await this.parts.next()
    this.hasEnded = done === true
    return value ?? undefined
  }

  async close(): Promise<void> {
    await this.parts.return(undefined)
  }
}
