import type { TreeEntry } from '@/server/kernel/git/tree'

/** Returns what an entry of a tree is, in the words of the REST API. */
export function typeOf({
  type,
  mode,
}: Pick<TreeEntry, 'type' | 'mode'>): 'file' | 'dir' | 'symlink' | 'submodule' {
  if (type === 'tree') return 'dir'
  if (type === 'commit') return 'submodule'
  return mode === '120000' ? 'symlink' : 'file'
}
