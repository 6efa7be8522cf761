import { shellWord } from '@/app/_lib/format'
import type { Repository } from '@/server/repos/schema'

type Pushed = Pick<Repository, 'name' | 'default_branch' | 'object_format_name'>

export const cloneCommand = (address: string): string => `git clone ${shellWord(address)}`

// A name that begins with a dash would be read as an option.
const shellRef = (name: string, kind: 'heads' | 'tags'): string =>
  shellWord(name.startsWith('-') ? `refs/${kind}/${name}` : name)

export const fetchBranchCommand = (name: string): string => `git fetch origin ${shellRef(name, 'heads')}`

export const fetchTagCommand = (name: string): string =>
  name.startsWith('-')
    ? `git fetch origin ${shellRef(name, 'tags')}`
    : `git fetch origin tag ${shellWord(name)}`

/** Brings back a branch or tag that was deleted, from a clone that has what it led to. */
export const restoreCommand = (kind: 'branch' | 'tag', { name, id }: { name: string; id: string }): string =>
  `git push origin ${shellWord(`${id}:refs/${kind === 'tag' ? 'tags' : 'heads'}/${name}`)}`

/** From nothing to a first commit that is pushed. */
export function startCommands(address: string, { name, default_branch, object_format_name }: Pushed): string {
  const folder = shellWord(name.startsWith('-') ? `./${name}` : name)
  const format = object_format_name === 'sha1' ? '' : ` --object-format=${object_format_name}`
  return [
    `git init${format} -b ${shellWord(default_branch)} ${folder}`,
    `cd ${folder}`,
    `echo "# ${name}" > README.md`,
    'git add README.md',
    'git commit -m "First commit"',
    `git remote add origin ${shellWord(address)}`,
    `git push -u origin ${shellWord(default_branch)}`,
  ].join('\n')
}

/** What is on a machine already becomes the repository's. */
export const pushCommands = (address: string, { default_branch }: Pushed): string =>
  [
    `git remote add origin ${shellWord(address)}`,
    `git push -u origin ${shellWord(`HEAD:${default_branch}`)}`,
  ].join('\n')
