import { readObjects } from '@/server/kernel/git/objects'
import { linesFromGit } from '@/server/kernel/git/ref-text'

const maxBytes = 256 * 1024

/** Reads the URLs of submodules by their paths, as the file `.gitmodules` of a commit contains them. */
export async function readSubmoduleUrls(repository: string, commit: string): Promise<Map<string, string>> {
  const [file] = await readObjects(repository, [`${commit}:.gitmodules`], maxBytes)
  return file?.type === 'blob' ? parseGitmodules(file.text) : new Map()
}

/** Parses a `.gitmodules` file. Of values that Git would unquote, only plain and quoted ones are read. */
export function parseGitmodules(text: Buffer): Map<string, string> {
  const urls = new Map<string, string>()
  let path: string | undefined
  let url: string | undefined
  const end = (): void => {
    if (path !== undefined && url !== undefined) urls.set(path, url)
    path = undefined
    url = undefined
  }
  for (const line of linesFromGit(text)) {
    const trimmed = line.trim()
    if (trimmed.startsWith('[')) {
      end()
      continue
    }
    const equals = trimmed.indexOf('=')
    if (equals < 0) continue
    const key = trimmed.slice(0, equals).trim().toLowerCase()
    const value = unquoted(trimmed.slice(equals + 1).trim())
    if (key === 'path') path = value.replace(/\/$/, '')
    if (key === 'url') url = value
  }
  end()
  return urls
}

const unquoted = (value: string): string =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1).replace(/\\(["\\])/g, '$1')
    : value
