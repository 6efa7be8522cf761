/** Returns the files that were dropped or pasted, including files in folders. */
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  // The browser empties the list when the event is over, so all entries are collected before anything is
  // awaited.
  const entries = [...transfer.items].flatMap(item => {
    if (item.kind !== 'file') return []
    return item.webkitGetAsEntry?.() ?? item.getAsFile() ?? []
  })
  return (await Promise.all(entries.map(filesIn))).flat()
}

async function filesIn(entry: FileSystemEntry | File): Promise<File[]> {
  if (entry instanceof File) return [entry]
  if (isFile(entry)) return [await new Promise<File>((done, fail) => entry.file(done, fail))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  for (;;) {
    // Some browsers return at most a hundred entries per call.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return files
    for (const inner of some) files.push(...(await filesIn(inner)))
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
