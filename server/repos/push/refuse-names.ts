import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameWithBytes } from '@/server/kernel/git/ref-text'
import { isAbsent, parseUpdates } from './ref-update'

/**
 * Says what is wrong with the names of the refs that a push in the spool makes or moves: git keeps names of any bytes, which
 * could be neither shown nor asked for, and a branch that everybody would take for the default branch. Undefined where
 * all are good; those of before can be deleted.
 */
export async function refusedNames(directory: string): Promise<string | undefined> {
  const wanted = parseUpdates(await readFile(join(directory, 'wanted')))
  const kept = wanted.filter(({ after }) => !isAbsent(after))
  const broken = kept.find(({ ref }) => !ref.isWellFormed())
  if (broken) {
    return `Nothing was changed: the name ${nameWithBytes(broken.ref)} is not UTF-8. Give it another one and push again.`
  }
  if (!kept.some(({ ref }) => ref === 'refs/heads/HEAD')) return undefined
  return 'Nothing was changed: a branch cannot be named HEAD. Give it another name and push again.'
}
