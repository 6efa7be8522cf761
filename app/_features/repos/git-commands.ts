import { shellWord } from '@/app/_lib/format'
import type { Repository } from '@/server/repos/schema'

type Pushed = Pick<Repository, 'name' | 'default_branch' | 'object_format_name'>

export const cloneCommand = (address: string): string => `git clone ${shellWord(address)}`

// Git would read a name that begins with a dash as an option.
const shellRef = (name: string, kind: 'heads' | 'tags'): string =>
  shellWord(name.startsWith('-') ? `refs/${kind}/${name}` : name)

export const fetchBranchCommand = (name: string): string => `git fetch origin ${shellRef(name, 'heads')}`

export const fetchTagCommand = (name: string): string =>
  name.startsWith('-')
    ? `git fetch origin ${shellRef(name, 'tags')}`
    : `git fetch origin tag ${shellWord(name)}`

/**
 * Returns the command that restores a deleted branch or tag from a clone that contains the object it pointed
 * to.
 */
export const restoreCommand = (kind: 'branch' | 'tag', { name, id }: { name: string; id: string }): string =>
  `git push origin ${shellWord(`${id}:refs/${kind === 'tag' ? 'tags' : 'heads'}/${name}`)}`

/** Returns the commands that create a local repository and push its first commit. */
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

/** Returns the commands that push an existing local repository. */
export const pushCommands = (address: string, { default_branch }: Pushed): string =>
  [
    `git remote add origin ${shellWord(address)}`,
    `git push -u origin ${shellWord(`HEAD:${default_branch}`)}`,
  ].join('\n')
