/** A file that was dropped, pasted, or selected. */
export interface FoundFile {
  file: File
  /** Its path, which begins with the folder that was dropped or selected, if there is one. */
  path: string
}

/**
 * Returns the files that were dropped or pasted, including files in folders, but without the data of Git. If there are
 * more than `most`, returns some more than that.
 */
export async function filesOf(transfer: DataTransfer, most = Number.POSITIVE_INFINITY): Promise<FoundFile[]> {
  // The browser empties the list when the event is over, so all entries are collected before anything is
  // awaited.
  const entries = [...transfer.items].flatMap(item => {
    if (item.kind !== 'file') return []
    return item.webkitGetAsEntry?.() ?? item.getAsFile() ?? []
  })
  const found: FoundFile[] = []
  await Promise.all(entries.map(entry => collect(entry, found, most)))
  return found
}

async function collect(entry: FileSystemEntry | File, found: FoundFile[], most: number): Promise<void> {
  if (entry instanceof File) {
    found.push({ file: entry, path: entry.name })
    return
  }
  if (isFile(entry)) {
    const file = await new Promise<File>((done, fail) => entry.file(done, fail))
    found.push({ file, path: entry.fullPath.replace(/^\//, '') })
    return
  }
  // Git keeps its own data here.
  if (entry.name.toLowerCase() === '.git') return
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  while (found.length <= most) {
    // Some browsers return at most a hundred entries per call.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return
    for (const inner of some) {
      if (found.length <= most) await collect(inner, found, most)
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
