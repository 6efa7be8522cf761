import type { FoundFile } from '@/app/_lib/dropped-files'

/** Files that can be committed at once. */
export const maxFiles = 1000
/** Their bytes: what fits into a request of 32 MiB in Base64, next to their paths. */
export const maxBytes = 23 * 1024 * 1024

/** Files to upload, by their paths below the directory of the page. */
export type UploadList = ReadonlyMap<string, File>

/** Adds files to a list. Those with the same path as an earlier one replace it. */
export function withFiles(list: UploadList, found: readonly FoundFile[]): UploadList {
  const added = new Map(list)
  // macOS decomposes letters with accents, as Git does not.
  for (const { path, file } of found) added.set(path.normalize('NFC'), file)
  return added
}

/** Paths that exist on the branch. */
export interface PresentPaths {
  files: ReadonlySet<string>
  directories: ReadonlySet<string>
}

export function presentPaths(paths: readonly string[]): PresentPaths {
  const directories = new Set<string>()
  for (const path of paths) {
    for (const above of directoriesOf(path)) directories.add(above)
  }
  return { files: new Set(paths), directories }
}

/** Returns why a file cannot have a path in a repository, as far as the browser can tell; undefined if it can. */
export function problemOf(path: string, { files, directories }: PresentPaths): string | undefined {
  const names = path.split('/')
  if (names.some(isGitDirectory)) return 'Git reserves the name .git.'
  if (names.some(name => name === '' || name === '.' || name === '..')) return 'Git doesn’t accept this path.'
  if (names.some(name => bytesOf(name) > 255) || path.length > 4096) return 'This name is too long.'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is sought
  if (/[\0-\x1f\x7f-\x9f]/.test(path) || !path.isWellFormed()) return 'This name has invalid characters.'
  if (directories.has(path)) return 'A directory has this name.'
  const blocking = directoriesOf(path).find(above => files.has(above))
  return blocking === undefined ? undefined : `${blocking} is a file, not a directory.`
}

const directoriesOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join('/'))

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

// Characters that macOS ignores in names.
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
// Names that Windows takes for `.git`.
const ofGit = /^(?:\.git|git~1)[. ]*(?:$|:)/i

const isGitDirectory = (name: string): boolean =>
  name.split('\\').some(part => ofGit.test(part.replace(ignored, '')))
