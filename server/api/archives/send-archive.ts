import type { ServiceCtx } from '@/server/kernel/ctx'
import { memoryFor } from '@/server/kernel/git/memory'
import type { Archive } from '@/server/repos'
import { countPackedObjects, repositoryPath } from '@/server/repos/storage'
import { GitHttpError } from '../git/errors'
import { endWithClient, startGit } from '../git/git-call'
import { type GitLimits, paceFor, type Reserve } from '../git/limits'
import type { Reply } from '../git/reply'
import { streamOutput } from '../git/stream-output'

// Git writes the directory before it looks whether the rest fits into memory; and a small archive is sent when it is whole.
const heldBytes = 16 * 1024

/**
 * Sends an archive as git packs it. What the attributes of its files ask for is followed; programs that they name are
 * settings, of which git gets none but ours.
 */
export async function sendArchive(
  { config, log, requestId }: ServiceCtx,
  { repository: { id, storage_key, size_kib: storedKib }, commit, format, directory }: Archive,
  headers: Record<string, string>,
  reply: Reply,
  { limits, reserve }: { limits: GitLimits; reserve: Reserve },
): Promise<void> {
  const repository = repositoryPath(config, storage_key)
  const objects = await countPackedObjects(repository)
  await reserve(memoryFor({ storedKib, objects }), async memory => {
    // The last to be waited for: git is not started for a client that is gone by then.
    if (reply.gone.aborted) return
    const args = ['archive', `--format=${format}`, `--prefix=${directory}/`, commit]
    const started = startGit(args, { repository, memory }, { log, requestId })
    endWithClient(started.process, reply.gone)
    started.process.stdin.end()
    const pace = paceFor(limits.pack, memory)
    const answer = await streamOutput(started.process.stdout, reply, headers, { pace, heldBytes })
    const well = await started.ended()
    if (reply.gone.aborted) return
    if (!well) {
      log.warn({ requestId, repository: id, commit }, 'git could not make an archive')
      throw new GitHttpError(500, 'Git could not make this archive: it takes too much memory, or is damaged.')
    }
    answer.finish()
  })
}
