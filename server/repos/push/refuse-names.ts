import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameWithBytes } from '@/server/kernel/git/ref-text'
import { isAbsent, parseUpdates } from './ref-update'

/**
 * Returns the reason to reject a push because of the names of refs that it creates or moves; undefined if all
 * names are valid. Rejects names that are not UTF-8, which could be neither displayed nor requested, and a
 * branch named `HEAD`, which would be mistaken for the default branch. Existing refs with such names can
 * still be deleted.
 */
export async function refusedNames(directory: string): Promise<string | undefined> {
  const wanted = parseUpdates(await readFile(join(directory, 'wanted')))
  const kept = wanted.filter(({ after }) => !isAbsent(after))
  const broken = kept.find(({ ref }) => !ref.isWellFormed())
  if (broken) {
    return `Nothing was changed: the ref name ${nameWithBytes(broken.ref)} is not UTF-8. Rename the ref and push again.`
  }
  if (!kept.some(({ ref }) => ref === 'refs/heads/HEAD')) return undefined
  return 'Nothing was changed: a branch cannot be named HEAD. Rename the branch and push again.'
}
