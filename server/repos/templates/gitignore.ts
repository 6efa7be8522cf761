import { notFound } from '@/server/kernel/errors'
import { ignoreLists } from './ignore-lists'
import type { GitignoreTemplate } from './schema'

export const gitignoreNames: readonly string[] = Object.keys(ignoreLists)

/** A list of ignored files by its exact name. Throws notFound. */
export function getGitignore(name: string): GitignoreTemplate {
  const source = Object.hasOwn(ignoreLists, name) ? ignoreLists[name] : undefined
  if (source === undefined) throw notFound()
  return { name, source }
}

/** One file made of the lists with these names, each once. Throws notFound for one that does not exist. */
export const gitignoreOf = (names: readonly string[]): string =>
  [...new Set(names)].map(name => `# ${name}\n${getGitignore(name).source}`).join('\n')
