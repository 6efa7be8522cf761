/** The path of a file that is being typed: the directories that are complete, and the name in the field. */
export interface TypedPath {
  folders: readonly string[]
  name: string
}

/** Splits a path into its directories and its last name, which is empty if the path ends with a slash. */
export function splitPath(path: string): TypedPath {
  const names = path.split('/')
  return { folders: names.slice(0, -1).filter(Boolean), name: names.at(-1) ?? '' }
}

export const joinPath = ({ folders, name }: TypedPath): string => [...folders, name.trim()].join('/')

/** Returns the path after the text of the field has changed. Each slash completes a directory, and `..` leaves one. */
export function typeName({ folders }: TypedPath, text: string): TypedPath {
  const parts = text.split('/')
  const complete = [...folders]
  for (const part of parts.slice(0, -1).map(each => each.trim())) {
    if (part === '..') complete.pop()
    else if (part !== '' && part !== '.') complete.push(part)
  }
  return { folders: complete, name: parts.at(-1) ?? '' }
}

/** Returns the path after Backspace at the beginning of the field: the last directory can be edited again. */
export const reopenFolder = ({ folders, name }: TypedPath): TypedPath => ({
  folders: folders.slice(0, -1),
  name: (folders.at(-1) ?? '') + name,
})

// Longer names cannot be checked out.
const maxNameBytes = 255

/** Returns why no file can have this path; undefined if one can. The server checks it again. */
export function problemOfPath(path: TypedPath): string | undefined {
  if (path.name.trim() === '') return 'Enter a name for the file.'
  const problem = problemOfNames(joinPath(path))
  return problem && `${problem} Use another name.`
}

/** Returns which name of a path no file or directory can have; undefined if there is none. */
export function problemOfNames(path: string): string | undefined {
  const names = path.split('/')
  const wrong = names.find(name => /^(?:\.{1,2}|\.git)$/i.test(name))
  if (wrong) return `“${wrong}” can’t be part of a path.`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
  if (names.some(name => /[\0-\x1f\x7f]/.test(name))) return 'A name can’t contain control characters.'
  const isLong = names.some(name => new TextEncoder().encode(name).length > maxNameBytes)
  return isLong ? 'A name can have at most 255 bytes.' : undefined
}
