import type { FoundFile } from '@/app/_lib/dropped-files'
import { problemOfNames } from './typed-path'

export const maxUploadFiles = 1_000
// A request has at most 32 MiB, in which content takes four thirds of its size.
export const maxUploadBytes = 23 * 1024 * 1024

/** Adds files to those that are listed. A file with the path of another replaces it. */
export function addUploads(listed: readonly FoundFile[], added: readonly FoundFile[]): FoundFile[] {
  const files = new Map(listed.map(each => [each.path, each]))
  for (const each of added) files.set(each.path, each)
  return [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Returns why these files cannot be uploaded together; undefined if they can. */
export function problemOfUploads(files: readonly FoundFile[]): 'number' | 'size' | undefined {
  if (files.length > maxUploadFiles) return 'number'
  return sizeOf(files) > maxUploadBytes ? 'size' : undefined
}

/** Returns why some of these files cannot be committed; undefined if all can. */
export function problemOfPaths(files: readonly FoundFile[]): string | undefined {
  const problems = files.flatMap(({ path }) => problemOfNames(path) ?? [])
  if (problems.length === 0) return undefined
  const count = problems.length.toLocaleString('en-US')
  return `${problems[0]} Remove the ${problems.length === 1 ? 'marked file' : `${count} marked files`} from the list.`
}

export const sizeOf = (files: readonly FoundFile[]): number =>
  files.reduce((bytes, { file }) => bytes + file.size, 0)

/** Returns the files that were selected, with the paths that they have in a selected directory. */
export const selectedFiles = (files: FileList): FoundFile[] =>
  [...files].map(file => ({ path: file.webkitRelativePath || file.name, file })).filter(isWanted)

// Git keeps its own data in such directories.
const isWanted = ({ path }: FoundFile): boolean => !/(?:^|\/)\.git\//i.test(path)

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
