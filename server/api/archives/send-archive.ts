import type { ServiceCtx } from '@/server/kernel/ctx'
import { memoryFor } from '@/server/kernel/git/memory'
import type { Archive } from '@/server/repos'
import { countPackedObjects, repositoryPath } from '@/server/repos/storage'
import { GitHttpError } from '../git/errors'
import { endWithClient, startGit } from '../git/git-call'
import { type GitLimits, paceFor, type Reserve } from '../git/limits'
import type { Reply } from '../git/reply'
import { streamOutput } from '../git/stream-output'

// Git writes the directory before it knows whether the rest fits into memory. While its output is held back,
// an early failure can still become an error response, and a small archive is sent in one piece.
const heldBytes = 16 * 1024

/**
 * Streams an archive while Git packs it. Git follows the attributes of the files, but runs no programs that they name,
 * because it gets only our own settings.
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
    // The client may have left while it waited for memory.
    if (reply.disconnected.aborted) return
    const args = ['archive', `--format=${format}`, `--prefix=${directory}/`, commit]
    const started = startGit(args, { repository, memory }, { log, requestId })
    endWithClient(started.process, reply.disconnected)
    started.process.stdin.end()
    const pace = paceFor(limits.pack, memory)
    const answer = await streamOutput(started.process.stdout, reply, headers, { pace, heldBytes })
    const well = await started.ended()
    if (reply.disconnected.aborted) return
    if (!well) {
      log.warn({ requestId, repository: id, commit }, 'git could not create an archive')
      throw new GitHttpError(
        500,
        'Git could not create this archive: doing so requires too much memory, or the repository is damaged.',
      )
    }
    answer.finish()
  })
}
