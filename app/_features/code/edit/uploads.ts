/** A file to upload, with its path below the directory. */
export interface UploadFile {
  path: string
  file: File
}

export const maxUploadFiles = 1_000
// A request has at most 32 MiB, in which content takes four thirds of its size.
export const maxUploadBytes = 23 * 1024 * 1024

/** Adds files to those that are listed. A file with the path of another replaces it. */
export function addUploads(listed: readonly UploadFile[], added: readonly UploadFile[]): UploadFile[] {
  const files = new Map(listed.map(each => [each.path, each]))
  for (const each of added) files.set(each.path, each)
  return [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Returns why these files cannot be uploaded together; undefined if they can. */
export function problemOfUploads(files: readonly UploadFile[]): 'number' | 'size' | undefined {
  if (files.length > maxUploadFiles) return 'number'
  return sizeOf(files) > maxUploadBytes ? 'size' : undefined
}

export const sizeOf = (files: readonly UploadFile[]): number =>
  files.reduce((bytes, { file }) => bytes + file.size, 0)

/** Returns the files that were selected, with the paths that they have in a selected directory. */
export const selectedFiles = (files: FileList): UploadFile[] =>
  [...files].map(file => ({ path: file.webkitRelativePath || file.name, file })).filter(isWanted)

/**
 * Returns the files that were dropped, with those in directories, one more than can be uploaded at most. Must be called
 * while the event is handled.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<UploadFile[]> {
  const entries = [...transfer.items].flatMap(item => item.webkitGetAsEntry?.() ?? [])
  if (entries.length === 0) return selectedFiles(transfer.files)
  const found: UploadFile[] = []
  for (const entry of entries) await collect(entry, '', found)
  return found.filter(isWanted)
}

async function collect(entry: FileSystemEntry, above: string, found: UploadFile[]): Promise<void> {
  if (found.length > maxUploadFiles) return
  const path = above + entry.name
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path, file })
    return
  }
  // Git keeps its own data here.
  if (entry.name === '.git') return
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A reader returns at most 100 entries at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0 || found.length > maxUploadFiles) return
    for (const each of some) await collect(each, `${path}/`, found)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

const isWanted = ({ path }: UploadFile): boolean => !path.split('/').includes('.git')

/** Reads a file in Base64. */
export async function readBase64(file: File): Promise<string> {
  if (file.size === 0) return ''
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return url.slice(url.indexOf(',') + 1)
}
